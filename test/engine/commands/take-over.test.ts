import { expect, it } from "vitest";
import { engineBench } from "../bench";
import { sharedFolder } from "./folder";

const bench = engineBench({ size: { members: 500, teams: 5, sites: 1 } });
const { done, refused, settings, writes } = bench;

const shared = sharedFolder(settings);

const edit = async (before: string, after: string) =>
  shared.folder.write("organization.yaml", (await shared.folder.read("organization.yaml")).replace(before, after));
const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

it("takes over an organization of 500 people without a write, and proves that nothing changes", async () => {
  await shared.folder.write("organization.yaml", "mine");
  refused(
    await shared.folder.docsOrg(["take-over", "--yes"]),
    /nothing was written: .*organization\.yaml already exists/,
  );
  expect(await shared.folder.read("organization.yaml")).toBe("mine");

  const taken = done(await shared.folder.docsOrg(["take-over", "--yes", "--force"]), /wrote organization\.yaml/);
  expect(taken.stdout).toHaveWording("a take-over");
  expect(writes()).toEqual([]);
  const again = refused(
    await shared.folder.docsOrg(["take-over", "--yes", "--force"]),
    /stack main manages \d+ resources already/,
  );
  expect(again.status).toBe(1);
});

it("shows an edit, asks on a terminal, and makes the change only after a yes", async () => {
  await edit("cem@acme.test: create", "cem@acme.test: admin");
  const no = await shared.folder.onTerminal("n\r", ["up"]);
  expect(no.output).toMatch(/cem@acme\.test.*\n[\s\S]*Make this change\? \[y\/N\] n\nNothing was changed\.\n$/);
  expect(no.status).toBe(0);
  expect(writes()).toEqual([]);
  done(await shared.folder.onTerminal("y\r", ["up"]), /Done: 1 updated/);
  expect(writes()).toEqual(["PATCH /v1/orgs/acme/members/user_cem"]);
  expect(await roleOf("user_cem")).toBe("admin");
});
