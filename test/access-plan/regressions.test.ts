import { describe, expect, it } from "vitest";
import { isChange, planAccess } from "../../provider/access-plan/access-plan";
import { findingsOf } from "../../provider/access-plan/findings";
import type { AccessInput, LivePerson, Manager } from "../../provider/access-plan/input";
import type { Place } from "../../provider/access-plan/place";

/** Defects of the past that concerned access, each with its source: an audit, a commit, or the random tests of the access plan. */

const role: Place = { kind: "role", organization: "acme" };
const team: Place = { kind: "team", team: "writers", organization: "acme" };

type Levels = Readonly<Record<string, string>>;
const assignments = (place: Place, levels: Levels) =>
  Object.entries(levels).map(([user, level]) => ({ place, user, level }));

const declares = (place: Place, levels: Levels, more: object = {}) => {
  return { declared: { assignments: assignments(place, levels), options: {}, ...more } };
};
const records = (place: Place, levels: Levels, userIds: Levels = {}, more: object = {}, each: object = {}) => {
  const all = assignments(place, levels).map((one) => ({ ...one, ...each }));
  return { recorded: { assignments: all, userIds, options: {}, ...more } };
};
const manager = (id: string, ...parts: Partial<Manager>[]): Manager => Object.assign({ id, name: id }, ...parts);
const area = { area: team };

interface Defect {
  readonly name: string;
  readonly source: string;
  readonly people?: readonly LivePerson[];
  readonly roles?: Levels;
  readonly members?: Levels;
  readonly managers: readonly Manager[];
  readonly changes: readonly string[];
  readonly findings?: readonly string[];
}

const defects: readonly Defect[] = [
  {
    name: "a role that this version does not know is lowered to the previous role guest",
    source: "audits/attack.md, R11",
    roles: { user_ada: "supervisor" },
    managers: [
      manager("roles", declares(role, {}), records(role, { user_ada: "supervisor" }, {}, {}, { previous: "guest" })),
    ],
    changes: ["user_ada role: supervisor > guest"],
  },
  {
    name: "the previous role of a guest counts, although the API spells it null",
    source:
      "test/faults/random/access.test.ts: the resource restored it, and guards and reviews said that nothing changes",
    roles: { user_ada: "comment" },
    managers: [
      manager("roles", declares(role, {}), records(role, { user_ada: "comment" }, {}, {}, { previous: "guest" })),
    ],
    changes: ["user_ada role: comment > guest"],
  },
  {
    name: "the new owner of a passed-on e-mail is not released",
    source: "test/access-plan/access-plan.property.test.ts; commit ee701fb",
    people: [{ userId: "user_ada" }, { userId: "user_bob", email: "ada@acme.test" }],
    members: { user_bob: "member" },
    managers: [manager("single", records(team, { "ada@acme.test": "member" }, { "ada@acme.test": "user_ada" }))],
    changes: [],
  },
  {
    name: "a release of a person whose e-mail was passed on cannot be told",
    source: "commit 47228a3",
    people: [{ userId: "user_ada" }, { userId: "user_bob", email: "ada@acme.test" }],
    roles: { user_ada: "edit", user_bob: "admin" },
    managers: [
      manager(
        "roles",
        declares(role, {}, { options: { onRelease: "guest" } }),
        records(role, { "ada@acme.test": "edit" }, { "ada@acme.test": "user_ada" }),
      ),
    ],
    changes: ["user_ada role: edit > guest"],
    findings: ["two people"],
  },
  {
    name: "the order of managers does not decide which release counts",
    source: "test/access-plan/access-plan.property.test.ts",
    roles: { user_ada: "edit" },
    managers: [
      manager("a", records(role, { user_ada: "edit" }, {}, { options: { onRelease: "guest" } })),
      manager("b", records(role, { user_ada: "edit" }, {}, { options: { onRelease: "remove" } })),
    ],
    changes: ["user_ada role: edit > none"],
  },
  {
    name: "an undeclared person that another resource leaves is removed from a team whose people one resource manages all",
    source: "test/access-plan/access-plan.property.test.ts",
    members: { user_ada: "member" },
    managers: [
      manager("single", records(team, { user_ada: "member" }, {}, { retained: "it is retained" })),
      manager("whole", area, declares(team, {}), records(team, {})),
    ],
    changes: ["user_ada writers: member > none"],
  },
  {
    name: "an old e-mail in the state does not decide who is ignored",
    source: "test/access-plan/access-plan.property.test.ts",
    people: [{ userId: "user_ada", email: "ada@acme.test" }],
    roles: { user_ada: "read" },
    managers: [
      manager(
        "roles",
        declares(role, { user_ada: "edit" }, { ignore: ["old@*"] }),
        records(role, { "old@acme.test": "read" }, { "old@acme.test": "user_ada" }),
      ),
    ],
    changes: ["user_ada role: read > edit"],
  },
  {
    name: "a person whose name is not known in the preview gains the role",
    source: "test/access-plan/access-plan.property.test.ts",
    managers: [manager("single", declares(role, { "?unknown user of MemberRole one": "admin" }))],
    changes: ["?unknown user of MemberRole one role: none > admin"],
  },
  {
    name: "a resource that removes a last owner asks, also if the owner leaves the organization",
    source:
      "test/faults/random/access.test.ts: the guard allowed it, and the deletion refused it in the middle of the up",
    people: [{ userId: "user_ada" }, { userId: "user_bob" }],
    roles: { user_ada: "edit", user_bob: "admin" },
    members: { user_ada: "owner" },
    managers: [
      manager("roles", declares(role, {}, { options: { onRelease: "remove" } }), records(role, { user_ada: "edit" })),
      manager("single", records(team, { user_ada: "owner" })),
    ],
    changes: ["user_ada writers: owner > none", "user_ada role: edit > none"],
    findings: ["no owner"],
  },
  {
    name: "a membership that moves from one resource to another, by e-mail and by id, stays",
    source: "design, decision 15",
    people: [{ userId: "user_ada", email: "ada@acme.test" }],
    members: { user_ada: "owner" },
    managers: [
      manager("single", records(team, { user_ada: "owner" })),
      manager("whole", area, declares(team, { "ADA@acme.test": "owner" })),
    ],
    changes: [],
  },
];

describe("an earlier defect", () => {
  it.each(defects)("$name", ({ people, roles = {}, members = {}, managers, changes, findings = [] }) => {
    const ids = new Set([...Object.keys(roles), ...Object.keys(members)]);
    const inputOf = (managers: readonly Manager[]): AccessInput => ({
      people: people ?? [...ids].map((userId) => ({ userId })),
      arePeopleComplete: true,
      places: [
        { place: role, levels: new Map(Object.entries(roles)), isComplete: true },
        { place: team, levels: new Map(Object.entries(members)), isComplete: true },
      ],
      managers,
      isEverybodyShown: true,
    });
    for (const order of [managers, [...managers].reverse()]) {
      const plan = planAccess(inputOf(order));
      const lines = plan.subjects
        .filter(isChange)
        .map(({ person, place, before, after }) => `${person.id} ${place.team ?? place.kind}: ${before} > ${after}`);
      expect(lines).toEqual(changes);
      expect(findingsOf(plan).map(({ kind }) => kind)).toEqual(findings);
    }
  });
});
