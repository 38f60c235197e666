import { expect, it } from "vitest";
import type { Member } from "../../provider/api/groups/members";
import { listEndingGrants } from "../../provider/organization/ending-grants";
import type { OrganizationFile } from "../../provider/organization/file/types";
import type { RecordedChild } from "../../provider/organization/live/recorded";
import { listLiveAccess, reviewNotes } from "../../provider/organization/review-notes";
import { childrenOf } from "../../provider/organization/sections";
import { listWarnings } from "../../provider/organization/warnings";
import { changeOf, hidden, member, refused as refusedOf, roles, teammate } from "./change";
import { folderWith, loadIn, mistakesInFolder } from "./files";

const live = {
  members: [member("ada", "read"), member("bea", "read"), member("cem", "read")],
  teams: [{ id: "team_x", title: "Design", people: [teammate("ada", "owner"), teammate("bea"), teammate("cem")] }],
  saml: [],
  sites: [],
};
const recorded = (name: string, role = "member"): RecordedChild => ({
  resource: "TeamMembership",
  name: `acme-team_x/${name}@acme.test`,
  outputs: { teamId: "team_x", user: `${name}@acme.test`, userId: `user_${name}`, role, pending: false },
});
type Teams = NonNullable<OrganizationFile["teams"]>;
const change = (teams: Teams, before: RecordedChild[], guards = {}, now = "2026-11-21") =>
  changeOf({ guards, teams }, { live, recorded: before, now });
const refused = (teams: Teams, before: RecordedChild[], guards = {}, now = "2026-11-21") =>
  refusedOf({ guards, teams }, { live, recorded: before, now });

const grant = { role: "member", reason: "release", expires: { on: "2027-01-31" } } as const;
const teams: Teams = { team_x: { title: "Design", memberships: { "Bea@acme.test": grant, user_cem: "member" } } };

it("is one resource for each person, which ends with the grant", () => {
  const at = (now: string) => {
    const [, ...memberships] = childrenOf("acme", { organization: "acme", teams }, new Date(now));
    return memberships.map(({ resource, name, inputs }) => [resource, name, inputs]);
  };
  const own = { organizationId: "acme", teamId: "team_x", role: "member" };
  const cem = ["TeamMembership", "acme-team_x/user_cem", { ...own, user: "user_cem" }];
  expect(at("2027-01-31")).toEqual([
    ["TeamMembership", "acme-team_x/bea@acme.test", { ...own, user: "Bea@acme.test" }],
    cem,
  ]);
  expect(at("2027-02-01")).toEqual([cem]);
});

it("is in the notes and the announced ends like other memberships", () => {
  const notes = { reason: "release", expires: "2027-01-31", then: "remove" };
  expect(reviewNotes({ organization: "acme", teams })).toEqual({
    organization: "acme",
    grants: [{ user: "Bea@acme.test", team: "team_x", role: "member", ...notes }],
    teams: [{ id: "team_x", title: "Design" }],
  });
  expect(listEndingGrants({ organization: "acme", teams }, new Date("2027-01-30"))).toMatchObject([
    { user: "Bea@acme.test", team: "team_x", becomes: "remove", days: 1 },
  ]);
});

it("counts for the guards when it ends or leaves the file; other members of the team do not", () => {
  const before = [recorded("bea"), recorded("cem")];
  const none = { maxRemovals: 0 };
  expect(refused(teams, before, none)).toEqual([]);
  const ended = refused(teams, before, none, "2027-02-01");
  expect(ended).toEqual([expect.stringMatching(/1 person would lose.*\n {2}bea@acme\.test: leaves team Design$/s)]);
  expect(refused({}, before, none)).toEqual([
    expect.stringMatching(/2 people would lose.*bea@acme\.test: leaves team Design.*cem@acme\.test: leaves team/s),
  ]);
  expect(refused({ team_x: { title: "Design" } }, [], none)).toEqual([]);
});

it("does not remove the last owner of a team, and lowers an owner only with a warning", () => {
  const owner = [recorded("ada", "owner")];
  expect(refused({}, owner)).toEqual([expect.stringMatching(/^teams: .* team Design: ada@acme\.test;/)]);
  expect(refused({ team_x: { memberships: { user_ada: "member" } } }, owner)).toEqual([
    expect.toHaveWording("a lowered membership of the last owner"),
  ]);
  expect(refused({ team_x: { memberships: { user_bea: "owner" } } }, owner)).toEqual([]);
  const lowered = { team_x: { memberships: { user_ada: "member", user_bea: "owner" } } } as const;
  expect(listWarnings(change(lowered, []))).toEqual([expect.toHaveWording("a warning of a lowered owner")]);
  expect(listLiveAccess(change(lowered, []))).toEqual([
    { user: "user_bea", userId: "user_bea", team: "team_x", level: "member" },
    { user: "user_ada", userId: "user_ada", team: "team_x", level: "owner" },
  ]);
});

it("shows the review the live access of new people only, whatever their names", () => {
  const presentIn = (memberships: object, before: RecordedChild[]) =>
    listLiveAccess(change({ team_x: { memberships } } as Teams, before));
  const known = [recorded("bea"), recorded("cem")];
  expect(presentIn({ user_bea: "member", "CEM@acme.test": "member" }, known)).toEqual([]);
  // The state has Bea, and Cem, whose line was removed.
  expect(presentIn({ user_ada: "owner", user_bea: "member" }, known)).toEqual([
    { user: "user_ada", userId: "user_ada", team: "team_x", level: "owner" },
  ]);
  // No state has the e-mail, so a preview does not know whose it is.
  const byId = { ...recorded("bea"), outputs: { ...recorded("bea").outputs, user: "user_bea" } };
  expect(presentIn({ "bea@acme.test": "member" }, [byId])).toEqual([
    { user: "bea@acme.test", userId: "user_bea", team: "team_x", level: "member" },
  ]);
});

const bea = { userId: "user_bea", level: "edit" };
it.each<[recordedAs: string, released: Member, shown: object[]]>([
  ["bea@acme.test", member("bea", "edit"), []],
  ["old@acme.test", member("bea", "edit"), [{ ...bea, user: "bea@acme.test" }]],
  ["user_bea", member("bea", "edit"), [{ ...bea, user: "bea@acme.test" }]],
  ["user_bea", hidden("bea", "edit"), [{ ...bea, user: "user_bea", hidesEmail: true }]],
])("shows the review the e-mail of a released person unless it is the recorded name: %s", (name, released, shown) => {
  const outputs = { roles: { [name]: "edit" }, userIds: name === "user_bea" ? {} : { [name]: "user_bea" } };
  expect(listLiveAccess(changeOf({}, { live: { members: [released] }, recorded: [roles(outputs)] }))).toEqual(shown);
});

it("tells the review which new people have not joined, and which are disabled, until the up has been made", () => {
  const disabled = { ...member("cem", "read"), disabled: true };
  const present = (role: "read" | "edit", teams: Teams, recorded: RecordedChild[] = []) => {
    const people = live.teams.map((team) => ({ ...team, people: [teammate("ada", "owner"), teammate("bea")] }));
    const found = { ...live, members: [...live.members.slice(0, 2), disabled], teams: people };
    const shown = listLiveAccess(changeOf({ members: { user_cem: role }, teams }, { live: found, recorded }));
    const named = (some: typeof shown) => some.map(({ user, team = "role" }) => `${user} ${team}`);
    return {
      disabled: named(shown.filter(({ isDisabled }) => isDisabled)),
      pending: named(shown.filter(({ userId }) => userId === undefined)),
    };
  };
  const whole = (members: object) => ({ team_x: { members: { user_ada: "owner", ...members } as const } });
  const members = { resource: "MemberRoles", name: "acme-members", outputs: { roles: { user_cem: "read" } } };
  expect(present("edit", whole({ "Zoe@acme.test": "owner" }), [members])).toEqual({
    disabled: ["user_cem role"],
    pending: ["Zoe@acme.test team_x"],
  });
  expect(present("read", whole({ user_cem: "member" }), [members])).toEqual({
    disabled: ["user_cem team_x"],
    pending: [],
  });
  const waiting = {
    resource: "TeamMembers",
    name: "acme-team_x",
    outputs: { teamId: "team_x", members: { "zoe@acme.test": "owner" }, pending: ["zoe@acme.test"] },
  };
  expect(present("read", whole({ "zoe@acme.test": "owner" }), [members, waiting as RecordedChild])).toEqual({
    disabled: [],
    pending: [],
  });
});

it("tells the review nothing of a disabled person in a team that need not be read", () => {
  const members = { user_ada: "owner", user_cem: "member" } as const;
  const recorded = { resource: "TeamMembers", name: "acme-team_x", outputs: { teamId: "team_x", members } };
  const [ada, bea] = live.members as [Member, Member, Member];
  const unread = { ...live, members: [ada, bea, { ...member("cem", "read"), disabled: true }], teams: [] };
  const change = changeOf({ teams: { team_x: { members } } }, { live: unread, recorded: [recorded] });
  expect(listLiveAccess(change)).toEqual([]);
});

it("does not remove the last owner of a team when memberships become members, whatever the team allows from then on", () => {
  const owner = [recorded("ada", "owner")];
  const others = { members: { user_bea: "member" }, allowNoOwner: true, exclusive: true } as const;
  expect(refused({ team_x: others }, owner)).toEqual([expect.toHaveWording("a lowered membership of the last owner")]);
  expect(refused({ team_x: { ...others, ignore: ["user_ada"] } }, owner)).toHaveLength(1);
  expect(refused({ team_x: { ...others, members: { user_bea: "owner" } } }, owner)).toEqual([]);
  expect(refused({ team_x: others }, [recorded("cem")])).toEqual([]);
});

it("names a person once, and only existing teams", () => {
  const twice = { team_x: { memberships: { user_bea: "member", "bea@acme.test": "member" } } } as const;
  expect(refused(twice, [])).toEqual([
    expect.stringMatching(/^teams\.team_x\.memberships\.bea@acme\.test: bea@acme\.test is .* user_bea;/),
  ]);
  expect(refused({ team_y: { memberships: { user_bea: "member" } } }, [])).toEqual([
    expect.stringMatching(/^teams\.team_y: .* no team "team_y"/),
  ]);
});

it("can be in a file or an included one, but not beside members or their options", () => {
  const folder = folderWith({
    "organization.yaml": "organization: o\nteams: { t: { memberships: !include people.yaml } }\n",
    "people.yaml": "ada@x.test: { role: owner, reason: release }\n",
  });
  expect(loadIn(folder).organization.teams).toEqual({
    t: { memberships: { "ada@x.test": { role: "owner", reason: "release" } } },
  });
  const wrong =
    "organization: o\nteams:\n  t: { members: { a: member }, memberships: { b: member } }\n  u: { memberships: { b: boss }, onRelease: leave }\n";
  expect(mistakesInFolder(folderWith({ "organization.yaml": wrong })).join("\n")).toHaveWording(
    "memberships beside members",
  );
});
