import { expect, it } from "vitest";
import { docsOrg, emulate } from "./support/docs-org";

it("DOCS_READ_ONLY refuses a request that may change something before it is sent", async () => {
  const emulator = await emulate();
  process.env.DOCS_READ_ONLY = "true";
  const { status, stderr } = await docsOrg("change-requests", "--pull", "--yes");
  expect(status).toBe(1);
  expect(/^.* cr_rollback: .*$/m.exec(stderr)?.[0]).toHaveWording("a write that DOCS_READ_ONLY refuses");
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("DOCS_READ_ONLY allows a POST that changes nothing", async () => {
  const emulator = await emulate();
  process.env.DOCS_READ_ONLY = "true";
  expect(await docsOrg("check-site", "site_product")).toMatchObject({ status: 0, stderr: "" });
  expect(emulator.requests()).toEqual({ getSite: 1, getPublishedSite: 1, searchSite: 1 });
});

it("refuses another value", async () => {
  await emulate();
  process.env.DOCS_READ_ONLY = "yes";
  expect((await docsOrg("check-site", "site_product")).stderr).toHaveWording("another DOCS_READ_ONLY");
});
