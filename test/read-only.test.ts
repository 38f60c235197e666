import { expect, it } from "vitest";
import { docsOrg, emulate } from "./change-requests/support";

it("DOCS_READ_ONLY refuses a request that is not a read before it is sent", async () => {
  const emulator = await emulate();
  process.env.DOCS_READ_ONLY = "true";
  const { status, stderr } = await docsOrg("check", "site_product");
  expect(status).toBe(1);
  expect(stderr).toBe(
    "docs-org: could not search in site site_product: only reads are allowed in this run (DOCS_READ_ONLY), so nothing was sent\n",
  );
  expect(emulator.requests()).toEqual({ getSite: 1, getPublishedSite: 1 });
});

it("refuses another value", async () => {
  await emulate();
  process.env.DOCS_READ_ONLY = "yes";
  expect((await docsOrg("check", "site_product")).stderr).toBe(
    'docs-org: the environment variable DOCS_READ_ONLY is "yes"; use true, or unset it\n',
  );
});
