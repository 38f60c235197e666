import { expect, it } from "vitest";
import { engineBench } from "../bench";
import { sharedFolder } from "./folder";

const people = 500;
const bench = engineBench({ size: { members: people, teams: 10, sites: 3 } });
const { done, refused, settings, writes } = bench;

const shared = sharedFolder(settings);

const edit = async (before: string, after: string) =>
  shared.folder.write("organization.yaml", (await shared.folder.read("organization.yaml")).replace(before, after));
const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

it("takes over an organization of 500 people without a write, and proves that nothing changes", async () => {
  refused(await shared.folder.docsOrg(["take-over"]), /^docs-org: take-over asks before it changes anything/);

  await shared.folder.write("organization.yaml", "mine");
  refused(
    await shared.folder.docsOrg(["take-over", "--yes"]),
    /nothing was written: .*organization\.yaml already exists/,
  );
  expect(await shared.folder.read("organization.yaml")).toBe("mine");

  const taken = done(await shared.folder.docsOrg(["take-over", "--yes", "--force"]), /wrote organization\.yaml/);
  expect(taken.stdout).toMatch(
    /^Stack main manages \d+ resources of organization acme now, and its preview shows no change\. Next: edit .*\n$/,
  );
  expect(writes()).toEqual([]);
  const again = refused(
    await shared.folder.docsOrg(["take-over", "--yes", "--force"]),
    /stack main has \d+ resources already/,
  );
  expect(again.status).toBe(1);
});

it("shows an edit, asks on a terminal, and makes the change only after a yes", async () => {
  await edit("cem@acme.test: create", "cem@acme.test: admin");
  const no = await shared.folder.onTerminal("n\r", ["up"]);
  expect(no.output).toMatch(/cem@acme\.test.*\n[\s\S]*Make this change\? \[y\/N\] n\nNothing was changed\.\n$/);
  expect(no.status).toBe(0);
  const interrupted = await shared.folder.onTerminal("\u0003", ["up"]);
  expect(interrupted.output).toMatch(/\ndocs-org: interrupted; nothing was done\n$/);
  expect(interrupted.status).toBe(130);
  expect(writes()).toEqual([]);
  done(await shared.folder.onTerminal("y\r", ["up"]), /Done: 1 updated/);
  expect(writes()).toEqual(["PATCH /v1/orgs/acme/members/user_cem"]);
  expect(await roleOf("user_cem")).toBe("admin");
});

it("goes on after an interruption, and ends with status 2 if the organization was changed meanwhile", async () => {
  const other = ["take-over", "--yes", "--stack", "other"];
  // The export reads the list of translations once and each of the three alone; the import then fails at them.
  bench.emulator.fault({ row: "listTranslations", status: 403, skip: 1, times: 1_000 });
  bench.emulator.fault({ row: "getTranslation", status: 403, skip: 3, times: 1_000 });
  const stopped = refused(await shared.folder.docsOrg([...other, "--force"]), /wrote organization\.yaml/);
  expect(stopped.status).toBe(1);
  expect(stopped.stderr).toMatch(
    /^docs-org: the import failed:\n {2}could not (?:read translation|list the translations) .* answered 403/m,
  );
  expect(stopped.stderr).toMatch(/run docs-org take-over again to go on\.$/m);
  expect(stopped.stderr).not.toContain("importing (0s)");
  bench.emulator.clearFaults();
  const role = await roleOf("user_cem");
  await bench.client.updateMember({ organizationId: "acme", userId: "user_cem", body: { role: "review" } });
  writes();
  const changed = refused(
    await shared.folder.docsOrg(other),
    /it goes on with the import/,
    /Who gains access[\s\S]*cem@acme\.test/,
    /organization acme differs from organization\.yaml.*make the change with docs-org up/,
  );
  expect(changed.status).toBe(2);
  expect(writes()).toEqual([]);
  done(await shared.folder.docsOrg(["up", "--yes", "--stack", "other"]), /^Done: /m);
  expect(await roleOf("user_cem")).toBe(role);
});
