import { expect, it, vi } from "vitest";
import { emulated, exporting, freshFolder } from "./support";

it("an error is one line on the terminal, with any characters in an id, and without configured tokens", async () => {
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

it("an unknown organization id is named with its setting", async () => {
  await emulated();
  vi.stubEnv("DOCS_ORGANIZATION_ID", "acmee");
  const { code, stderr } = await exporting("--out", freshFolder());
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /organization acmee: the service answered 404 .*\. The organization id was taken from the environment variable DOCS_ORGANIZATION_ID\. The token was taken /,
  );
});

it("an address without a service is named once, with a hint and its setting", async () => {
  await emulated();
  vi.stubEnv("DOCS_BASE_URL", "http://127.0.0.1:1");
  vi.stubEnv("DOCS_DEADLINE", "1");
  const { code, stderr } = await exporting("--out", freshFolder());
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /no answer from http:\/\/127\.0\.0\.1:1[^;]*\(connect ECONNREFUSED 127\.0\.0\.1:1\); nothing listens at this address: is the service running\? The address was taken from the environment variable DOCS_BASE_URL\.\n$/,
  );
});

it("sites that are exported in part for one reason share one line", async () => {
  await emulated({ size: { sites: 2 } });
  const { code, stderr } = await exporting("--out", freshFolder(), "--name", "one");
  expect([code, stderr.match(/only published sites have them/g)?.length]).toEqual([0, 1]);
  expect(stderr).toMatch(
    /^docs-org: site "Handbook" \(site_handbook\), site "Site 0001" .*, site "Site 0002" [^,]*: spaces, /m,
  );
});
