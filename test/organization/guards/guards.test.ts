import { describe, expect, it } from "vitest";
import { createClient } from "../../../provider/api/client";
import type { Member } from "../../../provider/api/groups/members";
import type { SamlProvider } from "../../../provider/api/groups/saml";
import type { Site } from "../../../provider/api/groups/sites";
import { startEmulator } from "../../../provider/emulator";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { findExistingChildren } from "../../../provider/organization/guards/existing";
import type { GuardedLive as Live } from "../../../provider/organization/live/live";
import type { RecordedChild } from "../../../provider/organization/live/recorded";
import { childrenOf } from "../../../provider/organization/sections";
import { listWarnings } from "../../../provider/organization/warnings";
import type { Properties } from "../../../provider/run/properties";
import { Run } from "../../../provider/run/run";
import { Settings } from "../../../provider/run/settings";
import { changeOf, everybody, hidden, member, refused, roles, team, teammate } from "../change";

describe("administrators", () => {
  it("do not include disabled people", () => {
    const live = { members: [member("ada", "admin"), member("bea", "admin", { disabled: true })] };
    expect(refused({ guards: { minAdmins: 2 } }, { live })).toEqual([
      expect.toHaveWording("an administrator too few, with a disabled one"),
    ]);
    expect(refused({ guards: { minAdmins: 1, requiredAdmins: ["user_bea"] } }, { live })).toEqual([]);
  });

  it("are named in order", () => {
    const live = { members: [...everybody.members].reverse() };
    const elsewhere = ["user_bea", "user_dana"];
    expect(refused({ guards: { minAdmins: 3 } }, { live })).toEqual([
      expect.stringContaining("2 administrators (ada@acme.test, bea@acme.test)"),
    ]);
    const all = everybody.members.map(({ user }) => ({ ...member("ada", "admin"), user }) as Member).reverse();
    expect(refused({ guards: { minAdmins: 6 } }, { live: { members: all }, elsewhere })).toEqual([
      expect.stringContaining("(not counted: bea@acme.test, dana@acme.test; "),
    ]);
    expect(refused({ guards: { undeclaredAdmins: "refuse" }, members: {} }, { live })).toEqual([
      expect.stringContaining(": ada@acme.test, bea@acme.test; "),
    ]);
    const lowered = { user_ada: "read", user_bea: "read" } as const;
    // Another finding comes first.
    const owner = { user_ada: "member", user_cem: "member", user_eli: "member" } as const;
    expect(refused({ members: lowered, teams: { team_docs: { members: owner } } }, { live })).toEqual([
      expect.stringMatching(/^teams/),
      expect.stringContaining("(ada@acme.test, bea@acme.test until now)"),
    ]);
  });

  it("can all be disabled", () => {
    const live = { members: [member("ada", "admin", { disabled: true })] };
    expect(refused({ guards: { minAdmins: 1 } }, { live })).toEqual([
      expect.stringContaining("0 administrators who can sign in (nobody)"),
    ]);
  });

  const managed = roles({
    roles: { user_ada: "admin", "bea@acme.test": "admin" },
    userIds: { "bea@acme.test": "user_bea" },
  });

  it("are the live ones, with the declared and removed people", () => {
    const guards = { minAdmins: 2, requiredAdmins: ["BEA@acme.test"] };
    expect(refused({ guards, members: { user_ada: "admin", user_bea: "admin" } }, { recorded: [managed] })).toEqual([]);
    expect(refused({ guards, members: { user_ada: "admin" } })).toEqual([]);
    expect(refused({ guards, members: { user_ada: "admin" } }, { recorded: [managed] })).toEqual([
      expect.stringMatching(/^guards\.minAdmins: .* 1 administrator \(ada@acme\.test\) and needs 2/),
      expect.toHaveWording("a required administrator who is none"),
    ]);
  });

  it("do not include people whose role another resource of the stack manages and may remove in the same run", () => {
    const guards = { minAdmins: 2, requiredAdmins: ["bea@acme.test"] };
    const elsewhere = ["user_bea"];
    expect(refused({ guards, members: { user_ada: "admin" } }, { elsewhere })).toEqual([
      expect.toHaveWording("an administrator too few, with one of another resource"),
      expect.toHaveWording("a required administrator of another resource"),
    ]);
    expect(refused({ guards, members: { user_ada: "admin", "bea@acme.test": "admin" } }, { elsewhere })).toEqual([]);
  });

  it("do not include declared people who are not members", () => {
    const guards = { minAdmins: 3, requiredAdmins: ["new@acme.test"] };
    const members = { user_ada: "admin", user_bea: "admin", "new@acme.test": "admin" } as const;
    expect(refused({ guards, members })).toEqual([
      expect.stringMatching(/^guards\.minAdmins: .* 2 administrators/),
      expect.stringMatching(/^guards\.requiredAdmins\.0: new@acme\.test is not a member/),
    ]);
  });

  it.each([
    ["leave", 0],
    ["guest", 1],
    ["remove", 1],
    ["restore", 1],
  ] as const)("that leave the file count as %s says", (onRelease, violations) => {
    const recorded = [roles({ roles: { user_bea: "admin" }, previousRoles: { user_bea: "read" } })];
    expect(refused({ guards: { minAdmins: 2 }, onRelease, members: {} }, { recorded })).toHaveLength(violations);
  });

  it("are found by the recorded roles, and not by a recorded team", () => {
    const live = { members: [member("ada", "admin"), member("bea", "admin"), hidden("cem", "read")] };
    const recorded = [managed, team({ userIds: { "cem@acme.test": "user_cem" } })];
    const members = { user_ada: "admin", user_bea: "read", "cem@acme.test": "admin" } as const;
    const guards = { minAdmins: 2, requiredAdmins: ["cem@acme.test"] };
    expect(refused({ guards, members }, { live, recorded })).toEqual([
      expect.toHaveWording("an e-mail that the state has for somebody else"),
      expect.stringMatching(/^guards\.minAdmins: .* 1 administrator \(ada@acme\.test\) and needs 2/),
      expect.toHaveWording("a required administrator who is not a member"),
    ]);
    const later = { role: "read", from: "2027-01-31" } as const;
    expect(refused({ members: { "cem@acme.test": later } }, { live, recorded: recorded.slice(1) })).toEqual([
      expect.toHaveWording("an e-mail that the state has for somebody else"),
    ]);
    const known = roles({ roles: { "cem@acme.test": "admin" }, userIds: { "cem@acme.test": "user_cem" } });
    const hiding = { live: { members: [hidden("cem", "admin"), hidden("dan", "read")] }, recorded: [known] };
    const cem = { "cem@acme.test": "admin" } as const;
    expect(refused({ guards: { requiredAdmins: ["cem@acme.test"] }, members: cem }, hiding)).toEqual([]);
    // Two people who hide their e-mails are not the same person.
    expect(refused({ guards: { requiredAdmins: ["user_dan"] }, members: cem }, hiding)).toHaveLength(1);
  });

  it("that an end of a grant leaves too few of are told before, at the first such end", () => {
    const until = (on: string) => ({ role: "admin", expires: { on, then: "read" } }) as const;
    const ends = { user_bea: "2031-02-28", user_cem: "2031-01-31T18:00Z", user_dan: "2020-01-31" };
    const granted = Object.entries(ends).map(([user, on]) => [user, until(on)]);
    const members = { "ada@acme.test": "admin", ...Object.fromEntries(granted) };
    const told = (guards: OrganizationFile["guards"], among: OrganizationFile["members"] = members) =>
      listWarnings(changeOf({ guards, members: among })).filter((one) => one.startsWith("after "));
    expect(told({ minAdmins: 1 })).toEqual([]);
    const texts = [{ minAdmins: 2 }, { minAdmins: 3 }, { requiredAdmins: ["user_bea"] }].flatMap((one) => told(one));
    expect(texts.join("\n")).toHaveWording("warnings of an end that leaves too few administrators");
    // A day lasts longer than a time on it, and today is not over yet.
    for (const [day, other, first] of [
      ["2031-01-31", "2031-01-31T18:00Z", /^after 2031-01-31T18:00Z/],
      ["2026-11-21", "2031-01-31", /^after 2026-11-21 \(UTC\)/],
    ] as const)
      expect(told({ minAdmins: 2 }, { user_bea: until(day), user_cem: until(other) })).toEqual([
        expect.stringMatching(first),
      ]);
  });

  it("must all be declared if undeclared ones are refused, whatever manages them, unless the change takes the role", () => {
    const guards = { undeclaredAdmins: "refuse" } as const;
    const members = { "ADA@acme.test": "admin" } as const;
    const text = expect.toHaveWording("an undeclared administrator");
    expect(refused({ guards, members })).toEqual([text]);
    expect(refused({ guards, members }, { elsewhere: ["user_bea"] })).toEqual([text]);
    expect(refused({ members })).toEqual([]);
    const warnings = (change: Parameters<typeof changeOf>[0], elsewhere: string[] = []) =>
      listWarnings(changeOf(change, { elsewhere })).filter((one) => one.startsWith("administrators"));
    expect(warnings({ members })).toEqual([expect.toHaveWording("a warning of an undeclared administrator")]);
    expect([warnings({ members }, ["user_bea"]), warnings({}), warnings({ guards, members })]).toEqual([[], [], []]);
    const saml = {
      okta: { label: "Okta", defaultRole: "admin" },
      other: { label: "Other", defaultRole: "read" },
    } as const;
    expect(refused({ guards, members: { ...members, user_bea: "read" }, saml })).toEqual([
      expect.toHaveWording("a single sign-on that makes administrators, with a guard"),
    ]);
    expect(refused({ guards, members: { ...members, user_bea: "read" } })).toEqual([]);
    const recorded = [roles({ roles: { user_ada: "admin", user_bea: "admin" } })];
    expect(refused({ guards, members }, { recorded })).toEqual([]);
    expect(refused({ guards, members, onRelease: "leave" }, { recorded })).toEqual([text]);
    const live = { members: [...everybody.members, hidden("fay", "admin")] };
    expect(refused({ guards, members: {} }, { live })).toEqual([
      expect.stringMatching(/^guards\.undeclaredAdmins: 3 .*: ada@acme\.test, bea@acme\.test, user_fay;/),
    ]);
  });

  it("do not include people whose grant has ended", () => {
    const members = {
      user_ada: "admin",
      user_bea: { role: "admin", expires: { on: "2026-11-20", then: "read" } },
    } as const;
    expect(refused({ guards: { minAdmins: 2 }, members }, { now: "2026-11-20T23:59:59Z" })).toEqual([]);
    expect(refused({ guards: { minAdmins: 2 }, members }, { now: "2026-11-21T00:00:00Z" })).toHaveLength(1);
  });
});

describe("people", () => {
  it("must be members to have a role by id, and are named once", () => {
    const members = { user_ada: "admin", user_nobody: "edit", "ADA@acme.test": "admin" } as const;
    expect(refused({ members })).toEqual([
      expect.toHaveWording("a role of somebody who is not a member"),
      expect.toHaveWording("a person who is declared twice"),
    ]);
    const teams = {
      team_docs: {
        members: { user_ada: "owner", user_cem: "owner", "cem@acme.test": "member", "new@acme.test": "member" },
      },
    } as const;
    expect(refused({ teams }, { recorded: [team({})] })).toEqual([
      expect.stringMatching(/^teams\.team_docs\.members\.cem@acme\.test: cem@acme\.test is .* user_cem;/),
    ]);
    expect(
      refused({ members: { user_gone: { role: "edit", expires: { on: "2026-11-20", then: "remove" } } } }),
    ).toEqual([]);
  });

  it("may not have joined yet or may have left, which causes a warning, unless a guard refuses it", () => {
    const live = { members: [...everybody.members, hidden("fay", "read")] };
    const members = {
      user_ada: "admin",
      user_bea: "admin",
      "gone@acme.test": "edit",
      "fay@acme.test": "read",
    } as const;
    const teams = { team_docs: { memberships: { user_gone: "member", "Fay@acme.test": "member" } } } as const;
    const userIds = { "gone@acme.test": "user_gone" };
    const outputs = { teamId: "team_docs", user: "user_gone", userId: "user_gone", role: "member" };
    const membership = { resource: "TeamMembership", name: "acme-team_docs/user_gone", outputs };
    const recorded = [roles({ roles: { user_bea: "edit", "gone@acme.test": "edit" }, userIds }), membership];
    const change = { members, teams } as const;
    expect(refused(change, { live, recorded })).toEqual([]);
    expect(listWarnings(changeOf(change, { live, recorded }))).toEqual([
      expect.toHaveWording("a warning of an e-mail without a member, with hidden ones"),
      expect.toHaveWording("a warning of people who have left"),
    ]);
    expect(refused({ ...change, guards: { absent: "refuse" } }, { live, recorded })).toEqual([
      expect.toHaveWording("a person who has left, with a guard"),
      expect.stringMatching(/^teams\.team_docs\.memberships\.user_gone: user_gone left/),
    ]);
    expect(refused({ ...change, guards: { pending: "refuse" } }, { live, recorded })).toEqual([
      expect.toHaveWording("a person who has not joined, with a guard"),
      expect.stringMatching(/^teams\.team_docs\.memberships\.Fay@acme\.test: /),
    ]);
    // The state does not have the id for this line, so it is mistyped.
    expect(refused(change, { live })).toEqual([expect.stringMatching(/^teams\..*user_gone is not a member/)]);
    expect(refused({ members: { user_ada: "admin" } }, { recorded, live })).toEqual([]);
  });

  it("keep the line that the stack has for them, instead of one whose grant is yet to begin", () => {
    const outputs = { teamId: "team_docs", user: "user_cem", userId: "user_cem", role: "member" };
    const recorded = [{ resource: "TeamMembership", name: "acme-team_docs/user_cem", outputs }];
    const grant = { role: "owner", from: "2027-01-15" } as const;
    const later = { teams: { team_docs: { memberships: { user_cem: grant } } } };
    expect(refused(later, { recorded })).toEqual([expect.toHaveWording("a membership that begins later")]);
    // The state means the person who has left, and not the one who has the e-mail now.
    const newOwner = { ...member("new", "read"), user: { id: "user_new", email: "cem@acme.test" } } as Member;
    const live = { members: [member("ada", "admin"), newOwner] };
    const left = { userIds: { "cem@acme.test": "user_cem" }, absent: ["cem@acme.test"] };
    const withLeft = [roles({ roles: { "cem@acme.test": "read" }, ...left })];
    const members = { user_ada: "admin", user_new: { role: "edit", from: "2027-01-15" } } as const;
    expect(refused({ members }, { live, recorded: withLeft })).toEqual([]);
    expect(refused(later)).toEqual([]);
    // The same person by another name, and in another property.
    for (const user of ["user_cem", "cem@acme.test"])
      for (const people of [{ memberships: { [user]: grant } }, { members: { [user]: grant } }])
        expect(refused({ teams: { team_docs: people } }, { recorded })).toEqual(
          expect.arrayContaining([expect.stringContaining(`.${user}: ${user} has a role here by the stack now`)]),
        );
  });

  it.each<[string, Properties]>([
    ["under the same name", { roles: { user_cem: "edit" }, userIds: {} }],
    ["under an e-mail", { roles: { "cem@acme.test": "edit" }, userIds: { "cem@acme.test": "user_cem" } }],
  ])("keep a role that the stack records %s until a grant in its place begins", (_, outputs) => {
    const recorded = [{ resource: "MemberRoles", name: "acme-members", outputs }];
    const later = { members: { user_cem: { role: "admin", from: "2027-01-15" } } } as const;
    expect(refused(later, { recorded })).toEqual([
      expect.stringContaining("members.user_cem: user_cem has a role here"),
    ]);
    expect(refused(later)).toEqual([]);
    // Nobody has declared a person that a refresh has found.
    expect(refused(later, { recorded: [roles({ roles: { user_cem: "edit" }, found: ["user_cem"] })] })).toEqual([]);
  });

  it("must be members to get into a team by id, and can be there already", () => {
    const expires = { on: "2026-11-20", then: "remove" } as const;
    const all = { user_ada: "owner", user_cem: "member", user_eli: "member" } as const;
    const members = { ...all, user_danna: "member", user_gone: { role: "member", expires } } as const;
    const people = [...(everybody.teams[0]?.people ?? []), { userId: "user_fay", role: "member" }];
    expect(refused({ teams: { team_docs: { members } } })).toEqual([
      expect.toHaveWording("a misspelt member of a team"),
    ]);
    expect(refused({ teams: { team_docs: { memberships: { user_fay: "member" } } } })).toEqual([
      expect.stringMatching(/^teams\.team_docs\.memberships\.user_fay: user_fay is not a member/),
    ]);
    expect(listWarnings(changeOf({ members: { "аda@acme.test": "read" } }))).toContainEqual(
      expect.stringMatching(/ аda@acme\.test \(with a Cyrillic а, U\+0430\); .* did you mean "ada@acme\.test"\?/),
    );
    const there = { teams: { team_docs: { members: { ...all, user_fay: "member" } } } } as const;
    expect(refused(there, { live: { teams: [{ id: "team_docs", title: "Docs", people }] } })).toEqual([]);
  });

  it("lose what no state has, which causes a warning, because no preview shows it", () => {
    const warnings = (...change: Parameters<typeof changeOf>) =>
      listWarnings(changeOf(...change)).filter((text) => text.includes("team Docs") || text.includes("becomes"));
    const exclusive = { teams: { team_docs: { members: { user_ada: "owner" }, exclusive: true } } } as const;
    expect(warnings(exclusive)).toEqual([expect.stringMatching(/cem@acme\.test \(leaves .*eli@acme\.test \(leaves/)]);
    // A refresh has put the people of a managed team into the state.
    expect(warnings(exclusive, { recorded: [team({ members: { user_ada: "owner" } })] })).toEqual([]);
    const swapped = { teams: { team_docs: { members: { user_ada: "member", user_cem: "owner" } } } } as const;
    expect(warnings(swapped, { recorded: [team({ members: { user_cem: "member" } })] })).toEqual([
      expect.stringContaining("ada@acme.test (no longer owns team Docs)"),
    ]);
    const others = { members: { user_ada: "admin", user_bea: "admin" }, others: { members: "guest" } } as const;
    expect(warnings(others, { recorded: [roles({ roles: { user_ada: "admin" } })] })).toEqual([
      expect.stringMatching(/cem@acme\.test \(edit becomes guest\), dana@acme\.test/),
    ]);
  });

  it("can only be in existing teams", () => {
    const teams = { team_docs: {}, team_doc: { members: {} }, sales: { members: {} } };
    expect(refused({ guards: { maxRemovals: 5 }, teams })).toEqual([
      expect.stringMatching(/^teams\.team_doc: .* no team "team_doc"; did you mean "team_docs"\?$/),
      expect.toHaveWording("a team that the organization does not have"),
    ]);
  });

  it("must all be declared in a team that becomes managed, unless their removal is allowed", () => {
    const declared = { user_ada: "owner", ines: { role: "member", expires: { on: "2026-11-20" } } } as const;
    const people = [...(everybody.teams[0]?.people ?? []), { userId: "ines", role: "member", email: "ines@acme.test" }];
    const live = { teams: [{ id: "team_docs", title: "Docs", people }] };
    expect(refused({ teams: { team_docs: { members: declared } } }, { live })).toEqual([
      expect.toHaveWording("a team with undeclared people"),
    ]);
    expect(refused({ teams: { team_docs: { members: declared, exclusive: true } } }, { live })).toEqual([]);
    expect(refused({ teams: { team_docs: { members: declared } } }, { live, recorded: [team({})] })).toEqual([]);
  });

  it("without a line are refused, lowered or removed as others says, and the guards count them", () => {
    const members = {
      user_ada: "admin",
      user_dana: { role: "edit", expires: { on: "2026-11-20", then: "restore" } },
    } as const;
    const others = (members: "keep" | "refuse" | "guest" | "remove") => ({ members, ignore: ["*@vendor.test"] });
    const live = {
      members: [
        ...everybody.members,
        member("fay", "read", { user: { id: "user_fay", email: "fay@vendor.test" } as never }),
        hidden("gil", "read"),
      ],
    };
    const given = { live, elsewhere: ["user_bea"] };
    const changesOf = (one: Parameters<typeof others>[0]) =>
      changeOf({ members, others: others(one) }, given).access.changes.map(
        ({ person, place, after }) => `${person.id} ${place.kind}: ${after}`,
      );
    expect(changesOf("keep")).toEqual([]);
    expect(changesOf("guest")).toEqual(["user_cem role: guest"]);
    const gone = ["user_cem team: none", "user_eli team: none", "user_cem role: none", "user_eli role: none"];
    expect(changesOf("remove")).toEqual(gone);
    expect(refused({ members, others: others("refuse") }, given)).toEqual([expect.toHaveWording("undeclared members")]);
    // The refusal shows a person who is no longer in the file with the role that the release gives.
    const before = roles({ roles: { user_cem: "edit" }, onRelease: { removal: "guest" } });
    expect(refused({ members, others: others("refuse") }, { ...given, recorded: [before] })).toEqual([
      expect.stringContaining("cem@acme.test: guest"),
    ]);
    const limited = { members, others: others("guest"), guards: { maxRemovals: 0 } };
    expect(refused(limited, given)).toEqual([
      expect.stringMatching(/^guards\.maxRemovals: 1 person .*cem@acme\.test: edit becomes guest/s),
    ]);
    // With a reviewed plan, `others` changes only people of the plan, here nobody.
    const reviewed = { organizations: [], users: {} };
    expect(refused(limited, { ...given, reviewed })).toEqual([]);
    const teams = {
      team_docs: { members: { user_ada: "owner", "eli@acme.test": "member" }, exclusive: true },
    } as const;
    expect(refused({ members, others: others("remove"), teams }, given)).toEqual([
      expect.toHaveWording("an undeclared member in a team"),
    ]);
    const told = listWarnings(changeOf({ members, others: others("guest") }, given)).filter((one) =>
      one.startsWith("others"),
    );
    expect(told).toEqual([expect.toHaveWording("a warning of an undeclared member who hides the e-mail")]);
  });

  it("must include an owner of each team, unless allowNoOwner allows none", () => {
    const recorded = [team({ members: { user_ada: "owner", user_cem: "member", user_eli: "member" } })];
    const unowned = { members: { user_ada: "member", user_cem: "member" } } as const;
    const text = expect.toHaveWording("a team without an owner");
    expect(refused({ teams: { team_docs: unowned } }, { recorded })).toEqual([text]);
    expect(refused({ teams: { team_docs: { ...unowned, allowNoOwner: true } } }, { recorded })).toEqual([]);
    const ended = { ...unowned.members, user_ada: { role: "owner", expires: { on: "2026-11-20" } } } as const;
    expect(refused({ teams: { team_docs: { members: ended } } }, { recorded })).toEqual([]);
    expect(refused({ teams: { team_docs: { members: {}, ignore: ["user_ada"] } } }, { recorded })).toEqual([]);
    const next = { members: { "new@acme.test": "owner" } } as const;
    expect(refused({ teams: { team_docs: next } }, { recorded })).toHaveLength(1);
    // Only the grant of another person has ended, so the owner still counts.
    const other = { ...unowned.members, user_cem: { role: "owner", expires: { on: "2026-11-20" } } } as const;
    expect(refused({ teams: { team_docs: { members: other } } }, { recorded })).toEqual([text]);
    const people = [teammate("ada", "owner"), teammate("cem", "owner"), teammate("eli")];
    const two = { live: { teams: [{ id: "team_docs", title: "Docs", people }] }, recorded };
    expect(refused({ teams: { team_docs: { members: other } } }, two)).toHaveLength(1);
    expect(refused({ teams: { team_docs: { members: { "cem@acme.test": "owner" } } } }, { recorded })).toEqual([]);
  });

  it("are judged as people where the team does not decide alone that it loses its owners", () => {
    const last = /^teams\.team_docs: the change would remove the last owner of team Docs: (.*); make another/;
    const namesIn = (texts: string[]) => texts.map((text) => last.exec(text)?.[1] ?? text);
    // An ignored owner, and one that the team itself lowers.
    const people = [teammate("ada", "owner"), teammate("cem", "owner"), teammate("eli")];
    const live = {
      teams: [
        { id: "team_more", title: "More", people },
        { id: "team_docs", title: "Docs", people },
      ],
    };
    const lowered = { members: { user_cem: "member" as const, user_eli: "member" as const }, ignore: ["user_ada"] };
    const leaving = { onRelease: "remove", members: { user_bea: "admin" } } as const;
    const recorded = [roles({ roles: { user_ada: "admin", user_bea: "admin" } })];
    const others = {
      others: { members: "remove" },
      members: { user_bea: "admin", user_cem: "edit", user_eli: "guest", user_dana: "read" },
    } as const;
    expect(namesIn(refused({ ...others, teams: { team_docs: lowered } }, { live, recorded: [team({})] }))).toEqual([
      "cem@acme.test, ada@acme.test",
    ]);
    // Only others are managed in the team.
    const single = { team_docs: { memberships: { user_cem: "member" } } } as const;
    expect(namesIn(refused({ ...leaving, teams: single }, { recorded }))).toEqual(["ada@acme.test"]);
    // The owner of a team that leaves the file is only a member by a line of her own.
    const byLine = { team_docs: { memberships: { user_ada: "member" } } } as const;
    const whole = team({ members: { user_ada: "owner" }, others: { members: "ignore" } });
    expect(refused({ teams: byLine }, { recorded: [whole] })).toEqual([
      expect.stringMatching(/^teams.team_docs: the change would remove the last owner of team Docs: ada@/),
    ]);
    // The whole team leaves the file as well.
    const left = [...recorded, team({ members: { user_ada: "owner", user_cem: "member" } })];
    expect(refused(leaving, { recorded: left })).toEqual([expect.stringMatching(/^teams: removing team Docs from/)]);
    // The team ignores one of the owners who leave.
    const ignoring = [...recorded, team({ members: { user_cem: "owner" }, ignore: ["user_ada"] })];
    expect(refused(leaving, { live, recorded: ignoring })).toContainEqual(
      expect.stringMatching(/^teams: the change would remove the last owner of team Docs: /),
    );
    // A grant that begins later does not end.
    const later = { user_ada: { role: "owner", from: "2027-01-15" }, user_cem: "member", user_eli: "member" } as const;
    expect(refused({ ...leaving, teams: { team_docs: { members: later } } }, { recorded: left })).toContainEqual(
      expect.toHaveWording("a team without an owner"),
    );
    const ended = { user_ada: { role: "owner", expires: { on: "2026-11-20" } }, user_cem: "member" } as const;
    const decoy = { id: "team_more", title: "More", people: [teammate("eli", "owner")] };
    const two = { live: { teams: [decoy, ...everybody.teams] }, recorded: [team({})] };
    expect(refused({ teams: { team_docs: { members: ended, exclusive: true } } }, two)).toEqual([]);
  });

  it("must include an owner of a team that becomes managed", () => {
    const everyone = { user_ada: "member", user_cem: "member", user_eli: "member" } as const;
    const text = expect.toHaveWording("a team without an owner");
    expect(refused({ teams: { team_docs: { members: everyone } } })).toEqual([text]);
    const others = { user_cem: "member", user_eli: "member" } as const;
    expect(refused({ teams: { team_docs: { members: others, exclusive: true } } })).toEqual([text]);
    expect(refused({ teams: { team_docs: { members: others, ignore: ["user_ada"] } } })).toEqual([]);
  });

  it("no longer own a team after their removal from the organization, ignored or not", () => {
    const members = { user_cem: "member", user_eli: "member" } as const;
    const organization = {
      onRelease: "remove" as const,
      members: { user_bea: "admin" as const },
      teams: { team_docs: { members, ignore: ["ada@acme.test"] } },
    };
    const recorded = [roles({ roles: { user_ada: "admin", user_bea: "admin" } }), team({})];
    expect(refused(organization, { recorded })).toEqual([expect.toHaveWording("a team without an owner")]);
    expect(refused({ ...organization, onRelease: "leave" }, { recorded })).toEqual([]);
    // No team can allow what others takes.
    const { ignore } = organization.teams.team_docs;
    const teams = { team_docs: { members, ignore, allowNoOwner: true } };
    const staff = { user_bea: "admin", user_cem: "edit", user_eli: "guest" } as const;
    const rest = { members: staff, others: { members: "remove" }, teams } as const;
    expect(refused(rest, { recorded: [team({})] })).toEqual([expect.stringMatching(/last owner of team Docs/)]);
  });

  it("must have one spelling if the end of their grant removes them from the organization", () => {
    const expires = { on: "2027-01-31", then: "remove" } as const;
    const organization = (name: string) => ({
      members: { "cem@acme.test": { role: "edit", expires } } as const,
      teams: { team_docs: { members: { user_ada: "owner", [name]: "member", user_eli: "member" } } } as const,
    });
    expect(refused(organization("user_cem"))).toEqual([
      expect.toHaveWording("two names of a person whose grant ends with a removal"),
    ]);
    expect(refused(organization("CEM@acme.test"))).toEqual([]);
    const { members, teams } = organization("user_cem");
    const ending = { ...teams.team_docs.members, user_cem: { role: "member", expires: { on: "2027-01-31" } } } as const;
    expect(refused({ members, teams: { team_docs: { members: ending } } })).toEqual([]);
    const membership = (role: "owner" | "member", end: object) => {
      const grant = { role, expires: end } as never;
      return { members, teams: { team_docs: { members: { ...teams.team_docs.members, user_cem: grant } } } };
    };
    expect(refused(membership("member", { on: "2027-02-01T01:00+02:00" }))).toEqual([]);
    expect(refused(membership("member", { on: "2027-01-31T23:00-02:00" }))).toHaveLength(1);
    // The membership goes on as another one.
    expect(refused(membership("owner", { on: "2027-01-30", then: "member" }))).toHaveLength(1);
  });

  it("are unmanaged members of a team that becomes managed if the end of their grant removes them", () => {
    const expires = { on: "2026-11-20", then: "remove" } as const;
    const members = { user_cem: { role: "edit", expires } } as const;
    const all = { user_ada: "owner", user_cem: "member", user_eli: "member" } as const;
    expect(refused({ members, teams: { team_docs: { members: all } } })).toEqual([
      expect.stringMatching(/^teams\.team_docs: .*: cem@acme\.test \(whose grant has ended\); .*exclusive/),
    ]);
    expect(refused({ members, teams: { team_docs: { members: all, exclusive: true } } })).toEqual([]);
  });

  it("must include an owner of a team that leaves the file, unless the recorded options allow none", () => {
    const members = { user_ada: "owner", user_cem: "member" };
    const left = (outputs: object) => refused({}, { recorded: [team({ members, ...outputs })] });
    expect(left({})).toEqual([expect.toHaveWording("a team that leaves the file with its last owner")]);
    expect(left({ allowNoOwner: true })).toEqual([]);
    expect(left({ onRelease: "leave" })).toEqual([]);
    expect(left({ members: { user_cem: "member" } })).toEqual([]);
    // A team of one owner is dissolved in one change.
    const alone = { teams: [{ id: "team_docs", title: "Docs", people: [teammate("ada", "owner")] }] };
    const recorded = [team({ members: { user_ada: "owner" } })];
    expect(refused({}, { live: alone, recorded })).toEqual([]);
  });

  it("are not added to a team when they are removed from the organization", () => {
    const organization = {
      onRelease: "remove",
      members: { user_ada: "admin" },
      teams: { team_docs: { members: { "cem@acme.test": "member" }, allowNoOwner: true } },
    } as const;
    const recorded = [roles({ roles: { user_ada: "admin", user_cem: "edit" } }), team({})];
    expect(refused(organization, { recorded })).toEqual([
      expect.toHaveWording("a person in a team who is removed from the organization"),
    ]);
    expect(refused({ ...organization, onRelease: "guest" }, { recorded })).toEqual([]);
  });

  it("are found by an e-mail that the roles record, even if another person has it now", () => {
    const live = { members: [member("olga", "admin"), member("ada", "admin"), member("ops", null)] };
    const recorded = [roles({ roles: { "ops@acme.test": "admin" }, userIds: { "ops@acme.test": "user_olga" } })];
    const guards = { maxRemovals: 0 };
    expect(refused({ guards, members: { "ops@acme.test": "read" } }, { live, recorded })).toEqual([
      expect.toHaveWording("an e-mail that another person has now"),
      expect.stringContaining("olga@acme.test: admin becomes read"),
    ]);
    expect(listWarnings(changeOf({}, { live, recorded }))).toEqual([
      expect.toHaveWording("a warning of an e-mail that another person has now"),
    ]);
    // The record of a single membership, which the file no longer has.
    const outputs = { teamId: "team_docs", user: "ops@acme.test", userId: "user_olga" };
    const single = [{ resource: "TeamMembership", name: "acme-team_docs/ops@acme.test", outputs }];
    const teams = [{ id: "team_docs", title: "Docs", people: [teammate("ada", "owner"), teammate("olga")] }];
    expect(listWarnings(changeOf({}, { live: { ...live, teams }, recorded: single }))).toEqual([
      expect.stringMatching(/^teams\.team_docs: ops@acme\.test still means user_olga/),
    ]);
  });

  it("must be named so that they cannot be confused, before anything is sent", () => {
    const guards = {};
    const passedOn = { members: [member("olga", "admin"), member("ada", "admin"), member("ops", null)] };
    const link = { userIds: { "ops@acme.test": "user_olga" } };
    const recorded = [roles({ roles: { "ops@acme.test": "admin" }, ...link })];
    expect(refused({ guards, members: { user_olga: "read" } }, { live: passedOn, recorded })).toEqual([]);
    expect(refused({ guards, members: { user_ada: "admin" } }, { live: passedOn, recorded })).toEqual([
      expect.toHaveWording("an e-mail that another person has now"),
    ]);

    // In a team, and in one that nobody can read.
    const people = [teammate("ada", "owner"), { ...teammate("olga"), email: "olga@acme.test" }];
    const passedOnInTeam = { ...passedOn, teams: [{ id: "team_docs", title: "Docs", people }] };
    const inTeam = (teamId: string) => [team({ teamId, members: { "ops@acme.test": "member" }, ...link })];
    expect(refused({}, { live: passedOnInTeam, recorded: inTeam("team_docs") })).toEqual([
      expect.stringMatching(/^teams\.team_docs: the state has user_olga as ops@acme\.test/),
    ]);
    expect(refused({}, { live: passedOnInTeam, recorded: inTeam("team_gone") })).toEqual([]);
    // Somebody who has left means nobody else.
    const left = [team({ userIds: { "ops@acme.test": "user_gone" } })];
    expect(refused({ members: { "ops@acme.test": "read" } }, { live: passedOn, recorded: left })).toEqual([]);

    const hiding = { members: [member("ada", "admin"), hidden("hal", "edit")] };
    const byId = [roles({ roles: { user_hal: "edit" } })];
    expect(refused({ members: { "hal@acme.test": "edit" } }, { live: hiding, recorded: byId })).toEqual([
      expect.toHaveWording("a managed person who hides the e-mail"),
    ]);

    const renamed = { members: [member("ada", "admin"), member("bea", "edit")] };
    const old = { roles: { "old@acme.test": "edit" }, userIds: { "old@acme.test": "user_bea" } };
    const ended = { role: "edit", expires: { on: "2026-11-20", then: "remove" } } as const;
    expect(refused({ members: { "Bea@acme.test": ended } }, { live: renamed, recorded: [roles(old)] })).toEqual([
      expect.toHaveWording("an e-mail of a person with another e-mail in the state"),
    ]);
  });

  it("are found by an e-mail that a team records while they are in the team, even if another person has it now", () => {
    const [ada, ...others] = everybody.members.filter(({ user }) => user.id !== "user_cem");
    const cem = { ...member("cem", "edit"), user: { id: "user_cem", email: "renamed@acme.test" } } as Member;
    const presentOwner = { ...member("new", "read"), user: { id: "user_new", email: "cem@acme.test" } } as Member;
    const live = { members: [ada as Member, ...others, cem, presentOwner] };
    const members = { user_ada: "owner", "cem@acme.test": "member", user_eli: "member" } as const;
    const recorded = [team({ members, userIds: { "cem@acme.test": "user_cem" } })];
    const organization = { guards: { maxRemovals: 0 }, teams: { team_docs: { members } } };
    expect(refused(organization, { live, recorded })).toEqual([]);
    const reviewed = { organizations: ["acme"], users: { "cem@acme.test": ["user_cem"] } };
    expect(refused({ teams: organization.teams }, { live, recorded, reviewed })).toEqual([]);
    const required = { guards: { requiredAdmins: ["cem@acme.test"] }, members: { user_new: "admin" as const } };
    expect(refused(required, { live, reviewed })).toEqual([
      expect.stringMatching(/^guards\.requiredAdmins\.0: .* reviewed as user_cem/),
    ]);
    const withoutCem = {
      ...everybody.teams[0],
      people: everybody.teams[0]?.people.slice(0, 1),
    } as Live["teams"][number];
    const changed = { ...organization, teams: { team_docs: { members: { ...members, user_ada: "member" as const } } } };
    // The e-mail means its present owner, because the recorded person has left the team, and the line should say so.
    expect(refused(changed, { live: { ...live, teams: [withoutCem] }, recorded })).toHaveLength(3);
  });

  it("cannot all lose the role of administrator, even without guards", () => {
    const disabled = { members: [member("ada", "admin"), member("bea", "admin", { disabled: true })] };
    expect(refused({ members: { user_ada: "edit" } }, { live: disabled })).toEqual([
      expect.stringMatching(/^members: .* the last administrator \(ada@acme\.test /),
    ]);

    expect(refused({ members: { user_ada: "read", user_bea: "guest" } })).toEqual([
      expect.toHaveWording("the last administrators"),
    ]);
    expect(refused({ members: { user_ada: "read", user_bea: "guest", user_cem: "admin" } })).toEqual([]);
    expect(refused({ members: { user_dana: "read" } }, { live: { members: [member("dana", "read")] } })).toEqual([]);
  });
});

describe("removals", () => {
  const members = { user_ada: "admin", user_bea: "admin", "cem@acme.test": "edit", user_dana: "read" } as const;
  const teams = { team_docs: { members: { user_ada: "owner", user_cem: "member", user_eli: "member" } } } as const;
  const none = { maxRemovals: 0 };

  it("are lowered roles and lost memberships, each person once with all losses", () => {
    expect(refused({ guards: none, members, teams })).toEqual([]);
    const lowered = { ...members, user_ada: "review", user_dana: "create" } as const;
    const smaller = { team_docs: { members: { user_ada: "member", user_cem: "owner" } } } as const;
    expect(refused({ guards: none, members: lowered, teams: smaller }, { recorded: [team({})] })).toEqual([
      expect.toHaveWording("two removals too many"),
    ]);
  });

  it("are people who leave the file, if the stack managed them", () => {
    const { user_dana: _, ...fewer } = members;
    expect(refused({ guards: none, members: fewer })).toEqual([]);
    const recorded = [roles({ roles: members })];
    expect(refused({ guards: none, members: fewer }, { recorded })).toEqual([
      expect.stringContaining("dana@acme.test: read becomes guest"),
    ]);
    expect(refused({ guards: none, members: fewer, onRelease: "remove" }, { recorded })).toEqual([
      expect.stringContaining("dana@acme.test: is removed"),
    ]);
    // Without the teams that they leave as well.
    const { "cem@acme.test": __, ...others } = members;
    expect(refused({ guards: none, members: others, onRelease: "remove" }, { recorded })).toEqual([
      expect.stringMatching(/cem@acme\.test: is removed from the organization$/),
    ]);
    expect(refused({ guards: none, members: fewer, onRelease: "leave" }, { recorded })).toEqual([]);
    expect(refused({ guards: none, onRelease: "restore" }, { recorded })).toEqual([]);
  });

  it("name teams with equal titles by id", () => {
    const live = { teams: everybody.teams.flatMap((one) => [one, { ...one, id: "team_more" }]) };
    const organization = { guards: none, teams: { team_docs: { members: {}, allowNoOwner: true } } };
    expect(refused(organization, { live, recorded: [team({})] })).toEqual([
      expect.stringContaining("ada@acme.test: leaves team Docs (team_docs)\n"),
    ]);
  });

  it("do not include people that a team ignores, or people of a team that is left", () => {
    const ignoring = { team_docs: { members: { user_ada: "owner" as const }, ignore: ["*@acme.test"] } };
    expect(refused({ guards: none, teams: ignoring })).toEqual([]);
    const recorded = (outputs: object) => ({
      recorded: [team({ members: { "cem@acme.test": "member" }, ...outputs })],
    });
    expect(
      refused({ guards: none, teams: { team_docs: { title: "Docs" } } }, recorded({ onRelease: "leave" })),
    ).toEqual([]);
    expect(refused({ guards: none }, recorded({}))).toEqual([
      expect.stringContaining("cem@acme.test: leaves team Docs"),
    ]);
    const found = { found: ["user_cem"], userIds: { "cem@acme.test": "user_cem" } };
    expect(refused({ guards: none }, recorded(found))).toEqual([]);
  });

  it("include everyone in a replaced organization", () => {
    const recorded = [roles({ organizationId: "acme-eu", roles: members })];
    expect(refused({ members }, { recorded })).toEqual([expect.toHaveWording("a replaced organization")]);
    expect(refused({ members }, { recorded: [roles({ organizationId: "acme", roles: members })] })).toEqual([]);
  });

  it("include everyone if the id of the organization changes", () => {
    const urn = "urn:pulumi:prod::docs::docs:index:Organization::docs";
    expect(refused({ members }, { former: [urn] })).toEqual([expect.toHaveWording("a renamed component")]);
  });

  it("can be a share of all people with a role or membership", () => {
    // Four have a role, and Eli is in a team. Other guests, and people of a team that is not managed here do not count.
    const crowd = Array.from({ length: 100 }, (_, index) => ({ userId: `guest_${index}`, role: "member" }));
    const teams = [...everybody.teams, { id: "team_all", title: "All", people: crowd }];
    const live = { members: [...everybody.members, member("guest", null), member("other", null)], teams };
    const share = (maxRemovals: string) => {
      const teams = { team_docs: { members: { user_ada: "owner" as const } }, team_all: { title: "All" } };
      const guests = roles({ roles: { user_guest: "guest", user_other: "guest" } });
      return refused({ guards: { maxRemovals }, teams }, { live, recorded: [team({}), guests] });
    };
    expect(share("40%")).toEqual([]);
    expect(share("39%")).toEqual([
      expect.stringMatching(/^guards\.maxRemovals: 2 people .* the limit is 1 \(39% of 5 people\)/),
    ]);
    expect(share("1%")).toEqual([expect.stringContaining("the limit is 1 (1% of 5 people)")]);
    // Single memberships count if the person has them, in a team that can be read.
    const memberships = { user_eli: "member", user_guest: "member", user_other: "member" } as const;
    const single = { team_docs: { memberships } };
    const gone = { teamId: "team_gone", user: "user_zoe", userId: "user_zoe", role: "member" };
    const recorded = [
      { resource: "TeamMembership", name: "acme-team_gone/user_zoe", outputs: gone },
      roles({ roles: { user_bea: "admin", "cem@acme.test": "edit" } }),
    ];
    const lowered = { user_ada: "admin" } as const;
    expect(refused({ guards: { maxRemovals: "20%" }, teams: single, members: lowered }, { live, recorded })).toEqual([
      expect.stringContaining("2 people would lose a role or a membership, and the limit is 1 (20% of 5 people)"),
    ]);
  });
});

describe("the last SAML provider", () => {
  const provider = (name: string, status = "active") => ({ id: `saml_${name}`, label: name, status }) as SamlProvider;
  const recorded = ["okta", "other"].map((name) => ({
    resource: "SamlProvider",
    name: `acme-${name}`,
    outputs: { samlProviderId: `saml_${name}` },
  }));
  const members = [member("ada", "admin"), member("bea", "edit", { sso: true })];
  const declared = (label: string) => ({ label, entityID: "urn:x", ssoURL: "https://x.test/" });

  it("cannot be removed while members sign in with it", () => {
    const live = { members, saml: [provider("okta"), provider("other")] };
    expect(refused({}, { live, recorded })).toEqual([expect.toHaveWording("the last active SAML providers")]);
    expect(refused({ saml: { okta: declared("okta") } }, { live, recorded })).toEqual([]);
    // Nobody can sign in with the new provider before somebody has set it up at the identity provider.
    expect(refused({ saml: { new: declared("new") } }, { live, recorded })).toHaveLength(1);
    const draft = { members, saml: [provider("okta"), provider("foreign", "pending")] };
    expect(refused({}, { live: draft, recorded })).toHaveLength(1);
    const marked = { members: { user_ada: { role: "admin" as const, sso: true as const } } };
    const nobody = { members: [member("ada", "admin")], saml: [provider("okta")] };
    expect(refused(marked, { live: nobody, recorded })).toEqual([expect.stringContaining("ada@acme.test")]);
  });

  it("can be removed if nobody needs it, or if another active one exists that is not managed here", () => {
    const saml = [provider("okta")];
    expect(refused({}, { live: { members: [member("ada", "admin")], saml }, recorded })).toEqual([]);
    expect(refused({}, { live: { members, saml: [...saml, provider("foreign")] }, recorded })).toEqual([]);
    expect(refused({}, { live: { members, saml: [] }, recorded })).toEqual([]);
    const leaving = { onRelease: "remove", members: {} } as const;
    const known = [...recorded, roles({ roles: { user_bea: "edit" } })];
    expect(refused(leaving, { live: { members, saml }, recorded: known })).toEqual([]);
  });
});

describe("a site that becomes public", () => {
  const recorded = [
    { resource: "Site", name: "acme-other", outputs: { siteId: "site_2" } },
    { resource: "SamlProvider", name: "acme-guide", outputs: { siteId: "site_2" } },
    { resource: "Site", name: "acme-guide", outputs: { siteId: "site_1" } },
  ];
  const site = (visibility: Site["visibility"], published: boolean) => [
    { id: "site_2", title: "Other", visibility: "unlisted", published: false } as Site,
    { id: "site_1", title: "Guide", visibility, published } as Site,
  ];
  const sites = (declared: object) => ({ sites: { guide: declared } });

  it.each([
    ["unlisted", true, { visibility: "public" }, "sites.guide.visibility"],
    ["public", false, { visibility: "public", published: true }, "sites.guide.visibility"],
    ["public", false, { published: true }, "sites.guide"],
    ["public", true, { visibility: "public", published: true }, undefined],
    ["unlisted", true, { visibility: "public", published: false }, undefined],
    ["unlisted", true, { visibility: "share-link" }, undefined],
    ["unlisted", true, { visibility: "public", allowPublic: true }, undefined],
  ] as const)(
    "is refused only if it was not public: %s, published %s, declared as %j",
    (visibility, published, declared, path) => {
      const texts = refused(sites(declared), { live: { sites: site(visibility, published) }, recorded });
      expect(texts.map((text) => text.split(":")[0])).toEqual(path === undefined ? [] : [path]);
    },
  );

  it.each([
    ["unlisted", "public", 1],
    ["public", "unlisted", 1],
    ["public", "public", 0],
  ] as const)(
    "is refused unless it was recorded and live as public: recorded as %s, live as %s",
    (before, now, count) => {
      const outputs = { siteId: "site_1", visibility: before, published: true };
      const known = [{ resource: "Site", name: "acme-guide", outputs }];
      const live = { sites: site(now, true) };
      expect(refused(sites({ visibility: "public", published: true }), { live, recorded: known })).toHaveLength(count);
    },
  );

  it("is named with what the file chooses", () => {
    const start = "would become public for everybody and for search engines";
    expect(refused(sites({ title: "Manual", visibility: "public", published: true }))).toEqual([
      expect.stringContaining(`: site "Manual" ${start}; declare`),
    ]);
    expect(refused(sites({ published: true }))).toEqual([
      expect.stringContaining(
        `: site "guide" ${start} (the service may choose that if visibility is omitted); declare`,
      ),
    ]);
  });

  it("may be a replacement", () => {
    const live = { sites: site("unlisted", true) };
    const known = recorded.at(-1);
    const before = [{ ...known, outputs: { ...known?.outputs, type: "premium" } } as RecordedChild];
    const declared = { published: true, allowReplace: true };
    expect(refused(sites({ ...declared, type: "premium" }), { live, recorded: before })).toEqual([]);
    expect(refused(sites({ ...declared, type: "ultimate" }), { live, recorded: before })).toHaveLength(1);
  });

  it("is not one that is declared, recorded and live as public", () => {
    const live = { sites: site("public", true) };
    const known = recorded.at(-1);
    const outputs = { ...known?.outputs, liveType: "premium", liveSpaces: ["space_a", "space_b"] };
    const before = [{ ...known, outputs } as RecordedChild];
    const declared = { visibility: "public", published: true } as const;
    expect(refused(sites({ ...declared, type: "premium" }), { live, recorded: before })).toEqual([]);
    expect(refused(sites({ ...declared, spaces: ["space_b", "space_a"] }), { live, recorded: before })).toEqual([]);
    expect(refused(sites({ ...declared, spaces: ["space_c"] }), { live, recorded: before })).toHaveLength(1);
  });

  it.each([
    [{ visibility: "public", published: true }, 1],
    [{ published: true }, 1],
    [{ visibility: "public" }, 0],
    [{ visibility: "unlisted", published: true }, 0],
    [{ visibility: "public", published: true, allowPublic: true }, 0],
  ] as const)("may be a new site, declared as %j", (declared, count) => {
    expect(refused(sites(declared))).toHaveLength(count);
  });
});

describe("what exists and is not managed", () => {
  const child = (key: string, more: object = {}) =>
    ({ resource: "Site", section: "sites", key, name: `acme-${key}`, inputs: { title: "Guide", ...more } }) as const;
  const existing = (one: ReturnType<typeof child>, sameBy = "title", named?: object) => {
    const thing = { id: `site_${one.key}`, createdAt: "2020-01-01" };
    return { child: one, what: 'a site "Guide"', things: [thing], sameBy, named: named && thing };
  };
  const sites = { guide: { title: "Guide", visibility: "public", published: true } } as const;

  it("is refused with the command that adopts it, whatever else is wrong, and does not become public", () => {
    const found = [existing(child("guide")), existing(child("other", { allowDuplicate: true }), "id")];
    expect(refused({ sites }, { existing: found })).toEqual([expect.toHaveWording("a file whose state is lost")]);
    expect(refused({ sites }, { existing: found.slice(0, 1), recorded: [roles({})] })).toEqual([
      expect.stringMatching(/^: .* 1 object that .* and that already exists:\n/),
    ]);
    expect(refused({ sites }, { existing: found, recorded: [roles({})] })).toEqual([
      expect.stringMatching(
        /^: Stack main does not manage 2 objects that organization\.yaml declares and that already exist:\n/,
      ),
    ]);
  });

  it("looks like a child that is not recorded, and is no other child's by its id", async () => {
    const emulator = await startEmulator();
    const client = createClient({ baseUrl: emulator.url, token: emulator.token });
    const { organizationId } = emulator;
    const [one, two] = (await client.listSites({ organizationId })).items as [Site, Site];
    const run = new Run({ settings: new Settings({ DOCS_TAKE_OVER: two.id }) });
    const declared = {
      renamed: { id: one.id, title: "Renamed" },
      alike: { title: one.title },
      other: { title: two.title },
      recorded: { title: two.title },
    };
    const find = (sites: Readonly<Record<string, object>>) =>
      findExistingChildren(
        { run, client, organizationId },
        childrenOf("acme", { organization: organizationId, sites } as OrganizationFile, new Date()),
        [{ resource: "Site", name: "acme-recorded", outputs: {} }],
      );
    const summary = (found: Awaited<ReturnType<typeof find>>) =>
      found.map(({ child, sameBy, things, named }) => [child.key, sameBy, things.map(({ id }) => id), named?.id]);
    expect(summary(await find(declared))).toEqual([
      ["renamed", "id", [one.id], undefined],
      ["other", "title", [two.id], two.id],
    ]);
    await client.close();
    await emulator.close();
  });

  it("may be named to be taken over, and a second one may be wanted", () => {
    const live = { sites: [{ id: "site_guide", visibility: "public", published: true }] } as unknown as Partial<Live>;
    const other = { ...existing(child("other", { allowDuplicate: true })), named: { id: "site_other", createdAt: "" } };
    const team = existing(
      { ...child("guide"), resource: "Translation" as never, section: "translations" as never },
      "title",
      {},
    );
    const unnamed = existing(child("twin", { allowDuplicate: true }));
    const found = [other, { ...team, named: other.named }, existing(child("guide"), "title", {}), unnamed];
    expect(refused({ sites }, { existing: found, live })).toEqual([]);
  });
});
