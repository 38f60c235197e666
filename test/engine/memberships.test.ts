import { describe, expect, it } from "vitest";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused, writes } = bench;

const people = async (teamId: string) => {
  const all = await bench.client.listTeamMembers({ organizationId: "acme", teamId }).all();
  return Object.fromEntries(all.map(({ organization, team }) => [organization.user.id, team.role]));
};
const membership = (name: string, user: string, options = "") =>
  `new docs.TeamMembership("${name}", { teamId: "team_support", user: "${user}", role: "member" }${options});`;
const component = [
  'class Group extends pulumi.ComponentResource { constructor(name: string) { super("test:index:Group", name); } }',
  'const parent = new Group("group");',
];

describe("a membership that only looks different", () => {
  it.each([
    ["another name", [membership("renamed", "Gita@acme.test")]],
    ["a place in a component", [...component, membership("gita", "Gita@acme.test", ", { parent }")]],
    ["another case", [membership("gita", "gita@ACME.test")]],
    ["an id instead of an e-mail", [membership("gita", "user_gita")]],
    ["an id, and another name", [membership("renamed", "user_gita")]],
    [
      "TeamMembers of the whole team",
      [
        'new docs.TeamMembers("all", { teamId: "team_support", members: { user_hugo: "owner", user_ines: "member", user_lena: "member", user_gita: "member" } });',
      ],
    ],
  ])("removes and adds nobody, and records the right state: %s", async (_, lines) => {
    const stack = await stackOf(program(membership("gita", "Gita@acme.test")));
    done(await stack.up());
    const before = await people("team_support");
    expect(before).toHaveProperty("user_gita", "member");
    writes();
    await stack.write(program(...lines));
    done(await stack.up("--parallel", "64"));
    expect(writes()).toEqual([]);
    expect(await people("team_support")).toEqual(before);
    done(await stack.preview("--expect-no-changes"));
    const kinds = (await stack.resources()).filter(({ type }) => type.includes("Team"));
    expect(kinds).toHaveLength(1);
    await bench.client.removeTeamMember({ organizationId: "acme", teamId: "team_support", userId: "user_gita" });
  });

  it("replaces TeamMembers by memberships of single people without removing or adding anybody", async () => {
    const before = await people("team_writers");
    const stack = await stackOf(
      program(
        'new docs.TeamMembers("all", { teamId: "team_writers", members: { user_cem: "owner", user_dana: "member", "femi@acme.test": "member" } });',
      ),
    );
    writes();
    done(await stack.up());
    const single = (user: string, role: string) =>
      `new docs.TeamMembership("${user}", { teamId: "team_writers", user: "${user}", role: "${role}" });`;
    await stack.write(
      program(single("Cem@acme.test", "owner"), single("dana@acme.test", "member"), single("user_femi", "member")),
    );
    done(await stack.up("--parallel", "64"));
    expect(writes()).toEqual([]);
    expect(await people("team_writers")).toEqual(before);
    done(await stack.preview("--expect-no-changes"));
    done(await stack.destroy());
    expect(await people("team_writers")).toEqual({});
  });
});

describe("two memberships that exchange their people, the second one depending on the first", () => {
  const waiting = (first: [string, string], second: [string, string]) =>
    program(`const first = ${membership(...first)}`, membership(...second, ", { dependsOn: first }"));

  it("removes nobody that the other one manages, in the up after a failure", async () => {
    const before = await people("team_support");
    const stack = await stackOf(program(membership("one", "gita@acme.test"), membership("two", "user_jun")));
    done(await stack.up());
    await stack.write(waiting(["two", "user_gita"], ["one", "user_jun"]));
    bench.emulator.fault({ row: "putTeamMember", status: 403, times: 1 });
    refused(await stack.up("--refresh"), /403/);
    writes();
    await stack.write(waiting(["one", "user_jun"], ["two", "user_gita"]));
    done(await stack.up("--refresh"));
    expect(writes()).toEqual([expect.stringMatching(/^PUT .*\/user_jun$/)]);
    expect(await people("team_support")).toMatchObject({ user_gita: "member", user_jun: "member" });
    done(await stack.preview("--expect-no-changes"));
    done(await stack.destroy());
    expect(await people("team_support")).toEqual(before);
  });
});

describe("the same access in two resources", () => {
  const all =
    'new docs.TeamMembers("everybody", { teamId: "team_support", members: { user_hugo: "owner" }, removeExisting: true });';
  it.each([
    [
      "a team and one of its people",
      [all, membership("gita", "user_gita")],
      /Team\w+ "\w+" and Team\w+ "\w+" both manage .*team team_support/,
    ],
    [
      "two of one team",
      [all, all.replace("everybody", "again")],
      /TeamMembers "\w+" and TeamMembers "\w+" both manage/,
    ],
    [
      "one person twice",
      [membership("one", "Gita@acme.test"), membership("two", "gita@acme.test")],
      /TeamMembership "\w+" and TeamMembership "\w+"/,
    ],
    [
      "a role twice",
      [
        'new docs.MemberRole("one", { user: "user_gita", role: "edit" });',
        'new docs.MemberRoles("two", { roles: { user_gita: "edit" } });',
      ],
      /MemberRoles? "\w+" and MemberRoles? "\w+" both manage the role of user_gita/,
    ],
    [
      "a team that is known later",
      [
        'const teamId = pulumi.output("team_support");',
        all.replace('"team_support"', "teamId"),
        membership("gita", "user_gita").replace('"team_support"', "teamId"),
      ],
      /Team\w+ "\w+" and Team\w+ "\w+" both manage/,
    ],
  ])("is refused at preview with the names of both resources: %s", async (_, lines, words) => {
    const stack = await stackOf(program(...lines));
    writes();
    refused(await stack.preview(), words);
    expect(writes()).toEqual([]);
  });
});
