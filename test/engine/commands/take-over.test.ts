import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exported } from "../../audit/support";
import { engineBench } from "../bench";
import { cli, sharedFolder } from "./folder";

const many = engineBench({ size: { members: 500, teams: 5, sites: 1 } });
const ofMany = sharedFolder(many.settings);

const bench = engineBench({ size: { members: 20, teams: 5, sites: 1 } });
const { done, refused, settings, takeWrites } = bench;

const shared = sharedFolder(settings);

const edit = async (before: string | RegExp, after: string) =>
  shared.folder.write("organization.yaml", (await shared.folder.read("organization.yaml")).replace(before, after));
const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

it("takes over an organization of 500 people without a write, and proves that nothing changes", async () => {
  const taken = many.done(await ofMany.folder.docsOrg(["take-over", "--yes"]), /wrote organization\.yaml/);
  expect(taken.stdout).toHaveWording("a take-over");
  expect(many.takeWrites()).toEqual([]);
});

it("takes over, shows an edit, asks on a terminal, and makes the change only after a yes", async () => {
  await shared.folder.write("organization.yaml", "mine");
  refused(await shared.folder.docsOrg(["take-over", "--yes"]), /organization\.yaml:1:1: found "mine"/);
  expect(await shared.folder.read("organization.yaml")).toBe("mine");

  await rm(join(shared.folder.path, "organization.yaml"));
  done(await shared.folder.docsOrg(["take-over", "--yes"]), /wrote organization\.yaml/);
  done(await shared.folder.docsOrg(["take-over", "--yes"]), /nothing to import into stack main; .* manages/s);
  expect(takeWrites()).toEqual([]);
  await edit("cem@acme.test: create", "cem@acme.test: admin");
  const no = await shared.folder.onTerminal("n\r", ["up"]);
  expect(no.output).toMatch(/cem@acme\.test.*\n[\s\S]*Make this change\? \[y\/N\] n\nNothing was changed\.\n$/);
  expect(no.status).toBe(0);
  expect(takeWrites()).toEqual([]);
  done(await shared.folder.onTerminal("y\r", ["up"]), /Done: 1 updated/);
  expect(takeWrites()).toEqual(["PATCH /v1/orgs/acme/members/user_cem"]);
  expect(await roleOf("user_cem")).toBe("admin");
});

it("adopts what the file declares after the state was lost, and changes neither the file nor the service", async () => {
  await bench.client.createSite({ organizationId: "acme", body: { title: "Made later", visibility: "unlisted" } });
  await edit("maxRemovals: 25%", "maxRemovals: 30%");
  await edit("cem@acme.test: admin", "cem@acme.test: { role: create, reason: on-call } # asked on Monday");
  await edit("sites:", "sites:\n  later: { title: Made later }\n  new: { title: New site, visibility: unlisted }");
  await rm(join(shared.folder.path, ".docs-org"), { recursive: true });
  takeWrites();
  const before = await shared.folder.read("organization.yaml");
  const lost = refused(await shared.folder.docsOrg(["up", "--yes"]), /run docs-org take-over, which imports/);
  expect(lost.stdout).toMatch(
    /^Stack main manages nothing yet, and \d+ objects that organization\.yaml declares already exist\.$/m,
  );
  const adopted = await shared.folder.docsOrg(["take-over", "--yes"], { DOCS_ORGANIZATION_ID: "" });
  refused(
    adopted,
    /found: sites\.later: .*, same title\n.*left for docs-org up: sites\.new: .*organization acme differs from organization\.yaml/s,
  );
  expect(adopted.status).toBe(2);
  expect(adopted.stdout).toHaveWording("an adoption");
  expect([await shared.folder.read("organization.yaml"), takeWrites()]).toEqual([before, []]);
  done(await shared.folder.docsOrg(["up", "--yes"]), /^Done: /m);
  expect(takeWrites().sort()).toEqual(["PATCH /v1/orgs/acme/members/user_cem", "POST /v1/orgs/acme/sites"]);

  // A stack that has a part gets the rest, and forgets nobody.
  await bench.client.createSite({ organizationId: "acme", body: { title: "Second", visibility: "unlisted" } });
  await edit("sites:", "sites:\n  second: { title: Second }");
  const all = await shared.folder.read("organization.yaml");
  await edit(/^ {2}dana@acme\.test: .*\n/m, "");
  await edit("\nmembers:", "\nonRelease: leave\nmembers:");
  takeWrites();
  const kept = await shared.folder.docsOrg(["take-over", "--yes"]);
  refused(
    kept,
    /1 live object to import .* the stack has \d+ resources/,
    /1 person is no longer managed and keeps access/,
  );
  expect([kept.status, takeWrites()]).toEqual([2, []]);
  await shared.folder.write("organization.yaml", all);
  done(await shared.folder.docsOrg(["preview", "--fail-on", "change"]));

  // An audit reads the stack of the folder, or files and the standard input, or both.
  await shared.folder.write("other.json", exported("other", { type: "Site", outputs: { organizationId: "acme" } }));
  const audited = async (before: string, ...args: string[]) => {
    const script = `${before} "$0" "$@" --format json`;
    const command = ["sh", "-c", script, process.execPath, cli, "audit", ...args];
    const { stdout, stderr } = done(await shared.folder.run(command));
    return [JSON.parse(stdout).stacks, /without the standard input; add --state -/.test(stderr)];
  };
  const other = "docs/other";
  expect(await audited("cat other.json |")).toEqual([["acme/main"], true]);
  expect(await audited("cat other.json |", "--state", "-")).toEqual([[other], false]);
  expect(await audited("", "--state", "other.json", "--stack", "main")).toEqual([["acme/main", other], false]);

  // A change of the state alone needs an up, with its question.
  await edit("reason: on-call }", "reason: on-call, allowRaise: true }");
  expect((await shared.folder.docsOrg(["take-over", "--yes"])).status).toBe(2);
  // A refusal says why.
  await edit("\nmembers:\n", "\nmembers:\n  user_nobody: read\n");
  const guarded = refused(
    await shared.folder.docsOrg(["take-over", "--yes"]),
    /the preview was refused; .* keeps what/,
  );
  expect([guarded.stdout, guarded.stderr]).toEqual([
    expect.stringContaining("user_nobody is not a member"),
    expect.not.stringContaining("to go on"),
  ]);
  refused(await shared.folder.docsOrg(["take-over", "--yes", "--team", "team_a"]), /--team is about the/);
  expect(takeWrites()).toEqual([]);

  // A second clone of the file, whose organization is another one.
  refused(
    await shared.folder.docsOrg(["take-over", "--yes"], { DOCS_ORGANIZATION_ID: "other" }),
    /names organization acme, and DOCS_ORGANIZATION_ID names other/,
  );
});
