import { expect, it, vi } from "vitest";
import { emulate, freshFolder } from "../support/docs-org";
import { exporting } from "./support";

it("an error is one line on the terminal, with any characters in an id, and without configured tokens", async () => {
  const emulator = await emulate();
  vi.stubEnv("DOCS_TOKEN_OTHER", "another-token-of-the-test");
  vi.stubEnv("DOCS_ORGANIZATION_ID", "acme\n::error::\u001b[2J another-token-of-the-test");
  const { status, stderr } = await exporting("--out", freshFolder(), "--name", "one");
  expect(status).toBe(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(stderr).toMatch(/^docs-org: could not [^\0-\x1f]*acme\\u000a::error::\\u001b\[2J[^\0-\x1f]*\n$/);
  expect(stderr).toContain("[token]");
  expect(stderr).not.toContain(emulator.token);
});

it("sites that are exported in part for one reason share one line", async () => {
  await emulate({ size: { sites: 2 } });
  const { status, stderr } = await exporting("--out", freshFolder(), "--name", "one");
  expect([status, stderr.match(/only published sites have them/g)?.length]).toEqual([0, 1]);
  expect(stderr).toMatch(
    /^docs-org: site "Handbook" \(site_handbook\), site "Site 0001" .*, site "Site 0002" [^,]*: spaces, /m,
  );
});
