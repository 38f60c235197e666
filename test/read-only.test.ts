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

it.each([
  ["check-site x", "READ_ONLY", "yes", 'the environment variable DOCS_READ_ONLY is "yes"; use true, or unset it'],
  ["destroy --yes", "READ_ONLY", "true", "DOCS_READ_ONLY is set, so a destroy could delete nothing; unset it"],
  ["up --yes", "PLAN", "", "DOCS_PLAN or --plan is empty; name the file of a plan, or leave it out"],
])("%s is refused at once with DOCS_%s=%s", async (command, name, value, message) => {
  await emulate();
  process.env[`DOCS_${name}`] = value;
  expect((await docsOrg(...command.split(" "))).stderr).toBe(`docs-org: ${message}\n`);
});
