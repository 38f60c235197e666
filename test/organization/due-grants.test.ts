import { expect, it } from "vitest";
import { findDueGrants, type StateResource } from "../../provider/organization/due-grants";
import type { OrganizationFile } from "../../provider/organization/file/types";
import { reviewNotes } from "../../provider/organization/review-notes";
import { childrenOf, notesType } from "../../provider/organization/sections";

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
const days = ["2027-01-01", "2027-01-10T07:00Z", "2027-01-15", "2027-01-20T23:59:59Z", "2027-01-21"];

const urnOf = (type: string, name: string) => `urn:pulumi:main::acme::docs:index:Organization$${type}::${name}`;
const stateAt = (now: string): StateResource[] => [
  { urn: urnOf(notesType, "acme-notes"), type: notesType, inputs: { review: reviewNotes(file) } },
  ...childrenOf("acme", file, new Date(now)).map(({ resource, name, inputs }) => {
    const type = `docs:index:${resource}`;
    return { urn: urnOf(type, name), type, inputs };
  }),
];
const dueAt = (now: string, state: StateResource[], declared = file) =>
  findDueGrants({ component: "acme", file: declared, now: new Date(now), state, refusalOf: () => undefined });

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

it("leaves out lines that are new or changed, and what else the file changes", () => {
  const members = { ...file.members, user_ada: "read", user_eli: { role: "admin", from: "2027-01-01" } } as const;
  const later = { user_cem: { role: "edit", expires: { on: "2027-01-19", then: "read" } } } as const;
  const changed: OrganizationFile = { ...file, members: { ...members, ...later }, teams: {} };
  const { due, unreviewed, resources } = dueAt("2027-01-21", stateAt("2027-01-12"), changed);
  expect(unreviewed.map(({ path }) => path.join("."))).toEqual(["members.user_cem", "members.user_eli"]);
  expect(due.map(({ path, phase }) => `${path.join(".")} ${phase}`)).toEqual([
    "members.user_bea ended",
    "members.Dan@acme.test running",
  ]);
  expect([...resources.values()]).toMatchObject([
    {
      roles: { user_ada: "admin", user_cem: "edit", "Dan@acme.test": "read" },
      onRelease: { people: { user_bea: "restore" } },
    },
  ]);
});

it.each([
  ["2027-01-22", { roles: { user_bea: "admin", user_cem: "read" } }, ["members.user_bea"]],
  ["2027-01-15", { roles: { user_bea: "read", user_cem: "edit" }, __incomplete: true }, ["members.user_bea"]],
  // Changed by hand.
  ["2027-01-15", { roles: { user_bea: "read", user_cem: "edit" } }, []],
  ["2027-01-22", { roles: { user_cem: "create" } }, []],
])("on %s, makes what an up that has failed left, and sets nothing back: %o", (now, outputs, due) => {
  const withDan = { ...outputs, roles: { "dan@acme.test": "read", ...outputs.roles } };
  const failed = stateAt(now).map((one) => (one.type.endsWith("MemberRoles") ? { ...one, outputs: withDan } : one));
  const found = dueAt(now, failed);
  expect(found.due.map(({ path }) => path.join("."))).toEqual(due);
  const declared = stateAt(now).find(({ type }) => type.endsWith("MemberRoles"))?.inputs;
  expect([...found.resources.values()]).toEqual(due.map(() => declared));
});

it("refuses the end of an administrator that the reviewed guards need, and ends the other grants", () => {
  const guarded: OrganizationFile = { ...file, guards: { minAdmins: 2 } };
  const state = stateAt("2027-01-12").map((one) =>
    one.type === notesType ? { ...one, inputs: { review: reviewNotes(guarded) } } : one,
  );
  // The file of a pending change has no say.
  const { due, refused, resources } = dueAt("2027-01-21", state);
  expect(refused.map(({ path }) => path.join("."))).toEqual(["members.user_bea"]);
  expect(refused[0]?.refusal).toMatch(/guards\.minAdmins.*2.*user_ada/);
  expect(due).toHaveLength(5);
  expect([...resources.values()][0]).toMatchObject({
    roles: { user_ada: "admin", user_bea: "admin", user_cem: "read" },
  });
});

it("leaves the teams of a person whose role ends with the removal from the organization to the next up", () => {
  const leaving: OrganizationFile = {
    organization: "acme",
    members: { user_bea: { role: "admin", expires: { ...end, then: "remove" } } },
    teams: { team_a: { members: { user_bea: { role: "member", from: "2027-01-15" } } } },
  };
  const state = childrenOf("acme", leaving, new Date("2027-01-16")).map(({ resource, name, inputs }) => {
    return { urn: urnOf(`docs:index:${resource}`, name), type: `docs:index:${resource}`, inputs };
  });
  const notes = { urn: urnOf(notesType, "acme-notes"), type: notesType, inputs: { review: reviewNotes(leaving) } };
  expect(dueAt("2027-01-21", [notes, ...state], leaving).due.map(({ path }) => path[0])).toEqual(["members"]);
});
