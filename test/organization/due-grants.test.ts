import { expect, it } from "vitest";
import type { Plan } from "../../provider/access/plan-file";
import { findDueGrants, planOfGrants, type StateResource } from "../../provider/organization/due-grants";
import type { OrganizationFile } from "../../provider/organization/file/types";
import { grantLines, reviewNotes } from "../../provider/organization/review-notes";
import { childrenOf, notesType } from "../../provider/organization/sections";
import { userKey } from "../../provider/people/user";
import { organizationType } from "../../provider/run/urn";

const start = "2027-01-10T08:00+01:00";
const end = { on: "2027-01-20" };
const file: OrganizationFile = {
  organization: "acme",
  members: {
    user_ada: "admin",
    user_bea: { role: "admin", sso: true, reason: "on-call", from: start, expires: { ...end, then: "restore" } },
    user_cem: { role: "edit", expires: { ...end, then: "read" } },
    "Dan@acme.test": { role: "read", from: "2027-01-15" },
  },
  teams: {
    team_a: {
      members: { user_ada: "owner", user_bea: { role: "owner", from: start, expires: end } },
      ignore: ["user_x"],
    },
    team_b: { members: { user_cem: { role: "owner", expires: end }, user_ada: "member" } },
    team_c: { memberships: { user_bea: { role: "member", from: start, expires: end }, user_ada: "owner" } },
  },
};
const [start15, end22] = ["2027-01-15", "2027-01-22"];
const days = ["2027-01-01", "2027-01-10T07:00Z", "2027-01-15", "2027-01-20T23:59:59Z", "2027-01-21"];

const component = "urn:pulumi:main::acme::docs:index:Organization";
const urnOf = (type: string, name: string) => `${component}$${type}::${name}`;
/** The state after an up that has ended well. */
const stateAt = (now: string, declared = file, userIds: Readonly<Record<string, string>> = {}): StateResource[] => [
  { urn: `${component}::acme`, type: organizationType },
  {
    urn: urnOf(notesType, "acme-notes"),
    type: notesType,
    inputs: { review: reviewNotes(declared) },
    outputs: {
      applied: grantLines({ name: "acme", organization: declared, now: new Date(now) }).map(({ path: _, ...line }) => {
        const { user } = line.grant;
        const userId = userIds[user] ?? user.replace(/^Dan@.*/, "user_dan");
        return { ...line, ...(userId !== "" && { userId }) };
      }),
    },
  },
  ...childrenOf("acme", declared, new Date(now)).map(({ resource, name, inputs }) => {
    const type = `docs:index:${resource}`;
    const outputs = { ...inputs, userIds: { "dan@acme.test": "user_dan" }, previousRoles: { user_bea: "read" } };
    return { urn: urnOf(type, name), type, inputs, outputs };
  }),
];
const level = (user: string, role: string) => ({
  user: { id: user.replace(/^Dan.*/, "user_dan"), ...(user.includes("@") && { email: user }), displayName: user },
  role,
});
/** The live organization has what the state has, and the roles of people whose grants have not begun. */
function liveAt(state: readonly StateResource[], levels: Readonly<Record<string, string>> = {}) {
  const inputs = state.map((one) => (one.inputs ?? {}) as Readonly<Record<string, Record<string, string> & string>>);
  const roles = Object.assign({}, { user_bea: "read", "Dan@acme.test": "guest" }, ...inputs.map((one) => one.roles));
  const teams = ["team_a", "team_b", "team_c"].map((id) => ({
    id,
    people: inputs.flatMap(({ teamId, members, user, role }) => {
      if (String(teamId) !== id) return [];
      const people = members ?? { [String(user)]: String(role) };
      return Object.entries(people).map(([userId, one]) => ({ userId, displayName: userId, role: one }));
    }),
  }));
  const members = Object.entries<string>({ ...roles, ...levels });
  return { members: members.map(([user, role]) => level(user, role)), teams } as unknown as Live;
}
type Live = Parameters<typeof findDueGrants>[0]["live"];
const dueAt = (now: string, state: StateResource[], declared = file, live = liveAt(state), refusal?: string) =>
  findDueGrants({ component: "acme", file: declared, now: new Date(now), state, live, refusalOf: () => refusal });

it.each(days.flatMap((before, index) => days.slice(index).map((now) => [before, now] as const)))(
  "leaves the program of %s as that of %s",
  (before, now) => {
    const state = new Map(
      stateAt(before).map(({ type, urn, inputs }) => [`${type}::${urn.split("::").at(-1)}`, inputs]),
    );
    const { resources, unreviewed } = dueAt(now, stateAt(before));
    for (const [name, inputs] of resources) {
      if (inputs) state.set(name, inputs);
      else state.delete(name);
    }
    const declared = stateAt(now).map(({ type, urn, inputs }) => [`${type}::${urn.split("::").at(-1)}`, inputs]);
    expect(Object.fromEntries(state)).toEqual(Object.fromEntries(declared));
    expect(unreviewed).toEqual([]);
  },
);

it("takes access away without a commit, and gives none", () => {
  const rising = { role: "read", expires: { ...end, then: "edit" } } as const;
  const raised: OrganizationFile = { ...file, members: { ...file.members, user_eli: rising } };
  const state = stateAt("2027-01-12", raised);
  const { due, refused } = dueAt("2027-01-21", state, raised, liveAt(state), "not committed");
  expect(due.map(({ grant, before, after }) => `${grant.user}: ${before} → ${after}`)).toEqual([
    "user_cem: edit → read",
    "user_bea: member → none",
    "user_bea: admin → read",
    "user_bea: owner → none",
    "user_cem: owner → none",
  ]);
  expect(refused.map(({ path }) => path.join("."))).toEqual(["members.Dan@acme.test", "members.user_eli"]);
});

it("leaves out lines that are new or changed, and what else the file changes", () => {
  const members = { ...file.members, user_ada: "read", user_eli: { role: "admin", from: "2027-01-01" } } as const;
  const later = { user_cem: { role: "edit", expires: { on: "2027-01-19", then: "read" } } } as const;
  const changed: OrganizationFile = { ...file, members: { ...members, ...later }, teams: {} };
  const { due, unreviewed, refused, resources } = dueAt("2027-01-21", stateAt("2027-01-12"), changed);
  expect(unreviewed.map(({ path }) => path.join("."))).toEqual(["members.user_eli"]);
  expect(refused.map(({ path }) => path.join("."))).toContain("members.user_cem");
  expect(due.map(({ path, phase }) => `${path.join(".")} ${phase}`)).toEqual([
    "members.Dan@acme.test running",
    "members.user_bea ended",
  ]);
  expect([...resources.values()]).toMatchObject([
    {
      roles: { user_ada: "admin", user_cem: "edit", "Dan@acme.test": "read" },
      onRelease: { people: { user_bea: "restore" } },
    },
  ]);
});

const dan = "Dan@acme.test";
const admin = { user_bea: "admin" };
const read = { user_bea: "read" };
it.each([
  // The days of the last up that has ended well and of the resources, today, outputs of the roles, live levels, and the verdict.
  ["an up that ends the grant has failed", start15, end22, end22, { roles: admin }, admin, "due"],
  ["an up that begins the grant has failed", "2027-01-01", start15, start15, {}, read, "due"],
  ["nothing records the begin", "2027-01-01", "2027-01-01", end22, {}, admin, "refused"],
  ["the begin is not recorded", "2027-01-01", "2027-01-01", start15, {}, admin, "due"],
  ["lowered by hand", start15, start15, start15, { roles: admin }, read, undefined],
  ["refreshed", start15, start15, start15, { roles: read }, read, undefined],
  ["lowered by hand", start15, start15, end22, {}, { user_bea: "comment" }, "refused"],
  ["restored by hand", start15, start15, end22, {}, read, "due"],
  ["raised by hand before the begin", start15, start15, end22, { previousRoles: {} }, admin, "refused"],
  ["ended", end22, end22, end22, {}, read, undefined],
  ["the record has the end, and the state still the person", end22, end22, end22, { roles: admin }, admin, "due"],
  ["raised by hand later", end22, end22, end22, {}, admin, undefined],
  ["raised by hand", start15, start15, "2027-01-16", {}, { [dan]: "create" }, undefined],
  // A resource of the stack has another user with the e-mail.
  [
    "another user",
    "2027-01-01",
    "2027-01-01",
    "2027-01-16",
    { userIds: { [userKey(dan)]: "user_x" } },
    { [dan]: "guest" },
    "refused",
  ],
] as const)(
  "%s (applied %s, resources of %s, on %s): %o %o: %s",
  (_, applied, before, now, outputs, levels, verdict) => {
    const resources = stateAt(before).map((one) => {
      return one.type.endsWith("MemberRoles") ? { ...one, outputs: { ...one.outputs, ...outputs } } : one;
    });
    const state = [...resources.filter(({ type }) => type !== notesType), ...stateAt(applied).slice(0, 2)];
    expect(verdictOf(Object.keys(levels)[0] ?? "", dueAt(now, state, file, liveAt(state, levels)))).toBe(verdict);
  },
);

it.each([
  ["does not know by the e-mail", undefined],
  ["shows without a level, because the team ignores the person until then", "user_dan"],
])("allows the change from the live level of a person that the preview %s", (_, userId) => {
  const state = stateAt("2027-01-01");
  const { due } = dueAt("2027-01-16", state, file, liveAt(state, { [dan]: "create" }));
  const of = (keys: string[], userId?: string) => {
    const user = { keys, ...(userId !== undefined && { userId }) };
    return { user, place: { kind: "role", organization: "acme" }, before: "none", after: "read", change: "gains" };
  };
  const access = [of([dan.toLowerCase()], userId), of(["user_ada"], "user_ada")];
  const plan = { access, users: {} } as unknown as Plan;
  // A run after a killed one finds by the user id what the person had before; nobody else gets the role by the e-mail.
  const user = { userId: "user_dan", keys: [dan.toLowerCase(), "user_dan"] };
  expect(planOfGrants(plan, due).access).toMatchObject([{ user, before: "create", after: "read", change: "loses" }]);
});

const verdictOf = (user: string, { due, refused }: ReturnType<typeof dueAt>) => {
  const isOf = ({ path }: { readonly path: readonly unknown[] }) => path.join() === `members,${user}`;
  if (due.some(isOf)) return "due";
  return refused.some(isOf) ? "refused" : undefined;
};

it("takes an e-mail that nobody has now for nobody's, although a state has a person with it", () => {
  const declared = {
    ...file,
    members: { [dan]: { role: "edit", expires: { ...end, then: "read" } } },
  } as OrganizationFile;
  const [state, users] = [stateAt(start15, declared), { [userKey(dan)]: ["user_dan"], "ada@acme.test": ["user_ada"] }];
  const { members, teams } = liveAt(state);
  const live = { teams, members: members.filter(({ user }) => user.email === undefined) };
  const { due } = dueAt("2027-01-21", state, declared, live);
  expect(planOfGrants({ users, access: [] } as unknown as Plan, due).users).toEqual({ "ada@acme.test": ["user_ada"] });
});

it("gives a role by e-mail only to the person of the review, or to somebody who has joined if there was nobody", () => {
  const state = (applied: string, userId?: string) => stateAt(applied, file, { [dan]: userId as string });
  const on = (now: string, state: StateResource[], levels?: Readonly<Record<string, string>>) =>
    verdictOf(dan, dueAt(now, state, file, liveAt(state, levels)));
  expect(on("2027-01-16", state("2027-01-01", "user_dan"))).toBe("due");
  expect(on("2027-01-16", state("2027-01-01", "user_x"))).toBe("refused");
  // Joined after the up that has recorded the e-mail alone.
  expect(on("2027-01-17", state("2027-01-16", ""))).toBe("due");
});

it("gives a membership no second time that was taken away by hand and lost by an up that failed", () => {
  const state = stateAt(start15);
  const lost = state.filter(({ type }) => !type.endsWith("TeamMembership"));
  const inTeam = (all: StateResource[]) =>
    dueAt("2027-01-16", all, file, liveAt(lost)).due.filter(({ path }) => path[1] === "team_c");
  expect(inTeam(lost)).toEqual([]);
  expect(inTeam([...stateAt("2027-01-01").slice(0, 2), ...lost.slice(2)])).toHaveLength(1);
});

it("ends the grants of administrators only as long as enough others remain", () => {
  const grant = { role: "admin", expires: { ...end, then: "read" } } as const;
  const guards = { minAdmins: 1 };
  const declared: OrganizationFile = { organization: "acme", guards, members: { user_ada: grant, user_bea: grant } };
  const state = stateAt("2027-01-15", declared);
  const { members, teams } = liveAt(state);
  const ended = (locked: string) => {
    const live = { teams, members: members.map((one) => ({ ...one, disabled: one.user.id === locked })) };
    const { due, refused } = dueAt("2027-01-22", state, declared, live);
    return [due, refused].map((lines) => lines.map(({ grant }) => grant.user));
  };
  expect(ended("")).toEqual([["user_ada"], ["user_bea"]]);
  // Somebody who cannot sign in does not count as another one.
  expect(ended("user_bea")).toEqual([["user_bea"], ["user_ada"]]);
});

it("refuses an ended line that was removed or changed since the last up, while the person has the role", () => {
  const { user_bea: _, ...members } = file.members ?? {};
  const changed = {
    ...file,
    members: { ...members, user_cem: { role: "edit", expires: { ...end, then: "guest" } } },
  } as OrganizationFile;
  const refused = (state: StateResource[], live?: Live) =>
    dueAt("2027-01-22", state, changed, live).refused.map(({ path }) => path.join("."));
  expect(refused(stateAt("2027-01-15"))).toEqual(["members.user_bea", "members.user_cem"]);
  expect(refused(stateAt("2027-01-22"))).toEqual([]);
});

it("refuses an ended line that no up that ended well has had, while the person has the role", () => {
  // An up that failed has recorded the role, and not the grant.
  const permanent = { ...file, members: { ...file.members, user_cem: "edit" } } as OrganizationFile;
  const at = (day: string, live?: Live) => dueAt(day, stateAt("2027-01-12", permanent), file, live);
  const { refused, unreviewed } = at("2027-01-22");
  const refusal = expect.stringMatching(/no up that ended well has had this line, and user_cem still has edit/);
  expect(refused).toContainEqual(expect.objectContaining({ path: ["members", "user_cem"], refusal }));
  expect(unreviewed).toEqual([]);
  expect(at("2027-01-12").unreviewed.map(({ path }) => path.join("."))).toEqual(["members.user_cem"]);
  const lowered = liveAt(stateAt("2027-01-12", permanent), { user_cem: "read" });
  expect(at("2027-01-22", lowered).unreviewed.map(({ path }) => path.join("."))).toEqual(["members.user_cem"]);
});

it("keeps the last owner who can sign in, unless no other line declares one", () => {
  const owners = {
    members: {
      user_ada: "owner",
      user_bea: { role: "owner", expires: end },
      user_cem: { role: "member", expires: end },
    },
  };
  const team: OrganizationFile = { organization: "acme", teams: { team_a: owners } } as OrganizationFile;
  const state = stateAt("2027-01-15", team);
  const lowered = liveAt(
    state.map((one) => {
      const { members, ...more } = one.inputs ?? {};
      return members ? { ...one, inputs: { ...more, members: { ...members, user_ada: "member" } } } : one;
    }),
    { user_ada: "admin", user_cem: "read" },
  );
  const { due, refused } = dueAt("2027-01-22", state, team, lowered);
  expect([due, refused].map((some) => some.map(({ path }) => path.at(-1)))).toEqual([["user_cem"], ["user_bea"]]);
});

it("refuses the end of an administrator that the reviewed guards need, and ends the other grants", () => {
  const guarded: OrganizationFile = { ...file, guards: { minAdmins: 2 } };
  const state = stateAt("2027-01-12").map((one) =>
    one.type === notesType ? { ...one, inputs: { review: reviewNotes(guarded) } } : one,
  );
  // The file of a pending change has no say.
  const { due, refused, resources } = dueAt("2027-01-21", state);
  expect(refused.map(({ path }) => path.join("."))).toEqual(["members.user_bea"]);
  expect(refused[0]?.refusal).toMatch(/1 administrator \(user_ada\) and needs 2/);
  expect(due).toHaveLength(5);
  expect([...resources.values()][0]).toMatchObject({
    roles: { user_ada: "admin", user_bea: "admin", user_cem: "read" },
  });
});

it("leaves the teams of a person whose role ends with the removal from the organization to the next up", () => {
  const leaving: OrganizationFile = {
    organization: "acme",
    members: { user_ada: "admin", user_bea: { role: "admin", expires: { ...end, then: "remove" } } },
    teams: { team_a: { members: { user_bea: { role: "member", from: "2027-01-15" } } } },
  };
  const due = dueAt("2027-01-21", stateAt("2027-01-16", leaving), leaving).due;
  expect(due.map(({ path }) => path[0])).toEqual(["members"]);
});
