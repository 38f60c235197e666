import { expect, it } from "vitest";
import { type AccessPlan, isChange, planAccess } from "../../provider/access-plan/access-plan";
import { findingsOf } from "../../provider/access-plan/findings";
import type { AccessInput, Manager } from "../../provider/access-plan/input";
import type { Place } from "../../provider/access-plan/place";

const role: Place = { kind: "role", organization: "acme" };
const team: Place = { kind: "team", team: "writers", organization: "acme" };

const people = [
  { userId: "user_ada", email: "ada@acme.test" },
  { userId: "user_bob", email: "bob@acme.test" },
  { userId: "user_cem" },
];

function inputOf(managers: readonly Manager[], roles: Record<string, string>, writers = {}): AccessInput {
  return {
    people,
    arePeopleComplete: true,
    places: [
      { place: role, levels: new Map(Object.entries(roles)), isComplete: true },
      { place: team, levels: new Map(Object.entries(writers)), isComplete: true },
    ],
    managers,
    isEverybodyShown: true,
  };
}

const rolesOf = (roles: Record<string, string>) =>
  Object.entries(roles).map(([user, level]) => ({ place: role, user, level }));
const writersOf = (members: Record<string, string>) =>
  Object.entries(members).map(([user, level]) => ({ place: team, user, level }));

const roles: Manager = { id: "roles", name: "MemberRoles acme" };
const writers: Manager = { id: "writers", name: "TeamMembers writers", area: team };

const linesOf = (plan: AccessPlan) =>
  plan.subjects
    .filter(isChange)
    .map(({ person, place, before, after }) => `${person.id} ${place.team ?? place.kind}: ${before} > ${after}`);

it("raises before it lowers, and takes the role from administrators last", () => {
  const declared = {
    assignments: rolesOf({ "ADA@acme.test": "read", user_bob: "admin", user_cem: "guest" }),
    options: {},
  };
  const plan = planAccess(inputOf([{ ...roles, declared }], { user_ada: "admin", user_bob: "read", user_cem: "edit" }));
  expect(linesOf(plan)).toEqual([
    "user_bob role: read > admin",
    "user_cem role: edit > guest",
    "user_ada role: admin > read",
  ]);
  expect(findingsOf(plan)).toEqual([]);
});

it("finds that nobody remains administrator or owner", () => {
  const declared = { assignments: rolesOf({ user_ada: "read" }), options: {} };
  const released = {
    ...writers,
    recorded: { assignments: writersOf({ user_bob: "owner" }), userIds: {}, options: {} },
  };
  const plan = planAccess(inputOf([{ ...roles, declared }, released], { user_ada: "admin" }, { user_bob: "owner" }));
  expect(findingsOf(plan).map(({ kind }) => kind)).toEqual(["no owner", "no administrator"]);
});

it("releases a person by the options of the manager, and never raises without allowRaise", () => {
  const recorded = {
    assignments: rolesOf({ user_ada: "read", user_bob: "admin", user_cem: "read" }).map((one) => ({
      ...one,
      previous: "edit",
    })),
    userIds: {},
    options: {},
  };
  const declared = { assignments: [], options: { onRelease: { people: { user_cem: "remove" as const } } } };
  const plan = planAccess(
    inputOf(
      [{ ...roles, recorded, declared }],
      { user_ada: "read", user_bob: "admin", user_cem: "read" },
      { user_cem: "member" },
    ),
  );
  expect(linesOf(plan)).toEqual([
    "user_cem writers: member > none",
    "user_cem role: read > none",
    "user_bob role: admin > edit",
  ]);
  expect(plan.of(role, { id: "user_ada" })).toMatchObject({ after: "read", reason: "would raise" });
});

it("refuses members of a team that becomes managed who move from another manager without being declared", () => {
  const single: Manager = {
    id: "single",
    name: "TeamMembership cem",
    recorded: { assignments: writersOf({ user_cem: "member" }), userIds: {}, options: {} },
  };
  const declared = { assignments: writersOf({ user_bob: "owner" }), options: {} };
  const found = (more: object) =>
    findingsOf(
      planAccess(
        inputOf(
          [single, { ...writers, declared: { ...declared, ...more } }],
          {},
          {
            user_bob: "owner",
            user_cem: "member",
            user_ada: "member",
          },
        ),
      ),
    );
  expect(found({})).toMatchObject([{ kind: "undeclared members", people: [{ id: "user_cem" }, { id: "user_ada" }] }]);
  expect(found({ ignore: ["user_cem"] })).toMatchObject([{ people: [{ id: "user_ada" }] }]);
  expect(found({ removesExisting: true })).toEqual([]);
});

it("keeps people that only the state has in a team that was not read", () => {
  const assignments = writersOf({ user_old: "member" });
  const recorded = { assignments, userIds: {}, options: {} };
  const input = inputOf([{ ...writers, recorded, declared: { assignments, options: {} } }], {});
  const unread = planAccess({ ...input, places: input.places.slice(0, 1) });
  expect(unread.of(team, { id: "user_old" })).toMatchObject({ before: "unknown", state: "active" });
  expect(planAccess(input).of(team, { id: "user_old" })).toMatchObject({ state: "absent" });
});

it("allows a team without an owner if its managers do, or if the owner leaves the organization", () => {
  const left = {
    ...roles,
    recorded: { assignments: rolesOf({ user_ada: "read" }), userIds: {}, options: {} },
    declared: { assignments: [], options: { onRelease: "remove" as const } },
  };
  const removed = {
    ...writers,
    recorded: { assignments: writersOf({ user_ada: "owner" }), userIds: {}, options: {}, allowsNoOwner: true },
  };
  const found = (managers: readonly Manager[]) =>
    findingsOf(planAccess(inputOf(managers, { user_ada: "read" }, { user_ada: "owner" })));
  expect(found([left])).toMatchObject([{ kind: "no owner", isAllowed: true }]);
  expect(found([removed])).toMatchObject([{ kind: "no owner", isAllowed: true }]);
  const refusing = { ...removed, recorded: { ...removed.recorded, allowsNoOwner: false } };
  expect(found([refusing])).toMatchObject([{ kind: "no owner", isAllowed: false }]);
});

it("says which changes a grant causes, by its beginning or its end", () => {
  const expires = "2027-01-31";
  const granted = (user: string, then: string, place = role) => ({ place, user, expires, then });
  const declared = {
    assignments: rolesOf({ "ada@acme.test": "admin", user_bob: "read", user_cem: "create" }),
    options: {},
  };
  const recorded = { assignments: writersOf({ user_cem: "owner" }), userIds: {}, options: {} };
  const input = inputOf(
    [
      { ...roles, declared },
      { ...writers, declared: { assignments: [], options: {} }, recorded },
    ],
    { user_ada: "read", user_bob: "edit", user_cem: "edit" },
    { user_cem: "owner" },
  );
  const causesOf = (grants: AccessInput["grants"]) =>
    planAccess({ ...input, ...(grants && { grants }) }).changes.map(({ person, cause }) => `${person.id}: ${cause}`);
  const all = [granted("user_ada", "edit"), granted("user_bob", "read"), granted("user_cem", "remove", team)];
  expect(causesOf({ recorded: [], declared: all })).toEqual([
    "user_ada: grant begins",
    "user_cem: declared",
    "user_bob: grant ends",
    "user_cem: grant ends",
  ]);
  // The role of Ada was raised within the grant, and the file no longer has the others.
  expect(causesOf({ recorded: all, declared: all.slice(0, 1) })).toEqual([
    "user_ada: declared",
    "user_cem: declared",
    "user_bob: declared",
    "user_cem: released",
  ]);
});
