import { expect, it } from "vitest";
import { docsOrg, emulate } from "./support/docs-org";

it("says that the site is published, what it has, and that its search answers", async () => {
  const emulator = await emulate();
  const { status, stdout, stderr } = await docsOrg("check-site", "site_product", "--query", "rollback");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^published: site site_product \("[^"]+"\), public, https:\S+\nprofile: 2 sections and groups\nsearch: \d+ results? for "rollback"\n$/,
  );
  expect(emulator.requests()).toEqual({ getSite: 1, getPublishedSite: 1, searchSite: 1 });
});

it("searches for the title by default, and needs no result", async () => {
  await emulate();
  const { status, stdout } = await docsOrg("check-site", "site_product");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/search: 0 results for "/)]);
});

it.each([
  ["a site that is not published", "site_handbook"],
  ["a site that does not exist", "site_none"],
  ["a search without results", "site_product", "--query", "zzzz"],
])("fails for %s", async (name, ...args) => {
  await emulate();
  const { status, stderr } = await docsOrg("check-site", ...args);
  expect([status, stderr]).toEqual([1, expect.toHaveWording(name)]);
});

it("fails if the service has no profile of the published site, or its search does not answer", async () => {
  const emulator = await emulate();
  emulator.fault({ row: "getPublishedSite", status: 404 });
  expect((await docsOrg("check-site", "site_product")).stderr).toHaveWording("a site without a profile");
  emulator.fault({ row: "searchSite", status: 400 });
  expect(await docsOrg("check-site", "site_product")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: could not search .*site_product: .* 400/),
  });
});
