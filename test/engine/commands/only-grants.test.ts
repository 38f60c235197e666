import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { edited, engineBench } from "../bench";
import { organizationText, sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings, takeWrites } = bench;
const shared = sharedFolder(settings);

const of = { organizationId: "acme" };
const onlyGrants = ["up", "--only", "grants", "--yes"];
const on = (day: string) => ({ DOCS_NOW: `${day}T12:00:00Z` });

const onCall = "{ role: admin, reason: on-call, from: 2027-01-10, expires: { on: 2027-01-20, then: restore } }";
const inTeam = "{ role: owner, from: 2027-01-10, expires: { on: 2027-01-20, then: member } }";
const file = edited(
  edited(organizationText, "user_bea: admin", `user_bea: admin\n  dana@acme.test: ${onCall}`),
  "dana@acme.test: member",
  `dana@acme.test: ${inTeam}`,
)
  .replace("team_writers: { members: {", "team_writers:\n    members: {")
  .replace("femi@acme.test: member } }", "femi@acme.test: member }");

function commit(message: string, day = "2026-12-02"): void {
  const env = { ...process.env, GIT_COMMITTER_DATE: `${day}T12:00:00Z` };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: shared.folder.path, env });
  git("init", "-q");
  git("add", "organization.yaml");
  git("-c", "user.name=a", "-c", "user.email=a@acme.test", "commit", "-qm", message);
}

async function access() {
  const { client } = bench;
  const [ada, bea, cem, dana] = await Promise.all(
    ["ada", "bea", "cem", "dana"].map((name) => client.getMember({ ...of, userId: `user_${name}` })),
  );
  const team = await client.listTeamMembers({ ...of, teamId: "team_writers" });
  const roles = [ada, bea, cem, dana].map((one) => one?.role);
  return { roles, team: Object.fromEntries(team.items.map((one) => [one.organization.id, one.team.role])) };
}

it("begins and ends what reviewed lines say, and nothing else, beside drift and a file with other changes", async () => {
  const { folder } = shared;
  // The line of a grant in a team means another one after its key was changed.
  await folder.write("organization.yaml", edited(file, "team_writers:", "team_support:"));
  commit("Grant on-call", "2026-12-01");
  await folder.write("organization.yaml", file);
  commit("Name the team of the grant");
  done(await folder.docsOrg(["up", "--yes"], on("2027-01-01")));
  const start = await access();
  // A run that sends nothing applies no line.
  const unapplied = edited(file, "test: create", "test: create\n  femi@acme.test: { role: comment, from: 2027-01-09 }");
  await folder.write("organization.yaml", edited(unapplied, "user_bea: admin", "user_bea: read"));
  const readOnly = await folder.docsOrg(["up", "--yes"], { ...on("2027-01-02"), DOCS_READ_ONLY: "true" });
  expect(readOnly.status).toBe(1);
  // Neither does one that fails midway, although the state of the roles has the line.
  await folder.write("organization.yaml", edited(unapplied, "title: Guide,", "title: Manual,"));
  bench.emulator.fault({ row: "updateSite", status: 403 });
  refused(await folder.docsOrg(["up", "--yes"], on("2027-01-03")), /updateSite|update site/i);

  // By hand, and in the file: none of it is a grant that begins or ends.
  await bench.client.updateMember({ ...of, userId: "user_cem", body: { role: "admin" } });
  const memberships = { user_femi: { role: "owner" as const } };
  await bench.client.updateTeamMembers({ ...of, teamId: "team_writers", body: { memberships } });
  const edits = edited(unapplied, "user_bea: admin", "user_bea: read");
  const more = edited(edits, "title: Guide,", "title: Manual,");
  await folder.write("organization.yaml", `${more}translations: {}\n`);
  takeWrites();
  // What the service refuses once begins in the next night.
  bench.emulator.fault({ row: "updateMember", status: 403 });
  const failed = refused(await folder.docsOrg(onlyGrants, on("2027-01-10")), /dana@acme\.test/);
  expect(failed.stdout).toMatch(
    /teams\.team_writers\.members\.dana@acme\.test: .* commit \w{10} \(Name the team of the grant\)/,
  );
  expect(takeWrites()).toHaveLength(2);
  // What the night has made shows in later reads only.
  bench.emulator.setReadLag({ all: 4_000 });
  const begun = done(await folder.docsOrg(onlyGrants, { ...on("2027-01-10"), DOCS_SETTLE: "30" }));
  bench.emulator.setReadLag({});
  expect(begun.stdout).toMatch(/organization\.yaml:6: members\.dana@acme\.test: .* commit \w{10} \(Grant on-call\)/);
  expect(takeWrites()).toHaveLength(1);
  expect(await access()).toMatchObject({
    roles: ["admin", "admin", "admin", "admin"],
    team: { ...start.team, user_dana: "owner", user_femi: "owner" },
  });
  expect(done(await folder.docsOrg(onlyGrants, on("2027-01-11"))).stdout).toMatch(/^No grant/m);

  const later = edited(more, "from: 2027-01-10, expires: { on: 2027-01-20, then: member }", "from: 2027-01-10");
  await folder.write("organization.yaml", later);
  const ended = refused(await folder.docsOrg(onlyGrants, on("2027-01-21")), /1 grant did not begin or end/);
  expect(ended.stdout).toMatch(/^Refused:\n.*teams\.team_writers\.members\.dana@.* still has owner/m);
  expect(ended.stdout).toMatch(/^Left out.*\n.*members\.femi@.*\nRefused:/m);
  expect(await access()).toMatchObject({
    roles: ["admin", "admin", "admin", start.roles[3]],
    team: { ...start.team, user_dana: "owner", user_femi: "owner" },
  });
  expect(takeWrites()).toHaveLength(1);
  // Everything else is still to be reviewed, and the drift is still known.
  const { stdout } = await folder.docsOrg(["preview"], on("2027-01-21"));
  for (const change of ["admin → read", "cem@acme.test", "user_bea", "Manual"]) expect(stdout).toContain(change);
  const drift = stdout.slice(stdout.indexOf("Changed outside Pulumi"));
  for (const change of ["create → admin outside", "member → owner outside"]) expect(drift).toContain(change);
});

it("keeps the last administrator, ends the other grants, and ends that one when there is another administrator", async () => {
  const { folder } = shared;
  const ending = "expires: { on: 2027-02-20, then: read }";
  // Without the grant, the file declares fewer administrators than its own guard requires.
  const bea = edited(
    edited(organizationText, "  ada@acme.test: admin\n", ""),
    "user_bea: admin",
    `user_bea: { role: admin, ${ending} }`,
  );
  const begins = `test: { role: create, ${ending} }\n  user_gita: { role: create, from: 2027-02-22 }`;
  await folder.write("organization.yaml", edited(bea, "test: create", begins));
  commit("End in February");
  done(await folder.docsOrg(["up", "--yes"], on("2027-02-01")));
  for (const userId of ["user_ada", "user_dana"])
    await bench.client.updateMember({ ...of, userId, body: { role: "edit" } });
  const first = refused(await folder.docsOrg(onlyGrants, on("2027-02-21")), /1 grant did not begin or end/);
  expect(first.stdout).toMatch(/^Refused:\n.*user_bea: admin: .* would remove the last administrator/);
  expect(first.stdout).toMatch(/cem@acme\.test: create: ended .* commit \w{10} \(End in February\)/);
  expect(await access()).toMatchObject({ roles: ["edit", "admin", "read", "edit"] });

  await bench.client.updateMember({ ...of, userId: "user_ada", body: { role: "admin" } });
  await folder.write("organization.yaml", `${await folder.read("organization.yaml")}# Not committed.\n`);
  const text = await folder.read("organization.yaml");
  await folder.write("organization.yaml", text.replace("user_gita: {", "user_gita:  {").replace("_bea: {", "_bea:  {"));
  const night = on("2027-02-22");
  const uncommitted = refused(await folder.docsOrg(onlyGrants, night), /1 grant did not begin or end/);
  expect(uncommitted.stdout).toMatch(/^Refused:\n.*user_gita: create: the line is not committed/);
  // What takes access away needs no commit.
  expect(uncommitted.stdout).toMatch(/user_bea: admin: ended .* not committed\n/);
  commit("Format", "2027-02-22");
  const foreign = { ...night, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
  expect(refused(await folder.docsOrg(onlyGrants, foreign), /1 grant/).stdout).toContain(
    "git cannot read the repository",
  );
  // Of two runs at once, the second one changes nothing, or finds the lock of the first one or a file that it writes.
  const both = [folder.docsOrg(onlyGrants, night), folder.docsOrg(onlyGrants, { ...night, NODE_OPTIONS: "" })];
  const outcomes = await Promise.all(both);
  expect(outcomes.map(({ status }) => status)).toContain(0);
  for (const { status, output } of outcomes)
    if (status !== 0) expect(output).toMatch(/another run (?:changes this stack|writes it now)/);
  expect(await access()).toMatchObject({ roles: ["admin", "read", "read", "edit"] });
  expect(done(await folder.docsOrg(onlyGrants, night)).stdout).toMatch(/^No grant/m);
});
