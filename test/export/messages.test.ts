import { expect, it, vi } from "vitest";
import { emulated, exporting, freshFolder } from "./support";

it("an error is one line on the terminal, whatever an id has in it, and without any token that is set", async () => {
  const emulator = await emulated();
  vi.stubEnv("DOCS_TOKEN_OTHER", "another-token-of-the-test");
  vi.stubEnv("DOCS_ORGANIZATION_ID", "acme\n::error::\u001b[2J another-token-of-the-test");
  const { code, stderr } = await exporting("--out", freshFolder(), "--name", "one");
  expect(code).toBe(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(stderr).toMatch(/^docs-org: could not [^\0-\x1f]*acme\\u000a::error::\\u001b\[2J[^\0-\x1f]*\n$/);
  expect(stderr).toContain("[token]");
  expect(stderr).not.toContain(emulator.token);
});
