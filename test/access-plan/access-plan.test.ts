import { describe, expect, it } from "vitest";
import { type AccessPlan, planAccess } from "../../provider/access-plan/access-plan";
import { directionOf, isPartOf, isUnseenLoss } from "../../provider/access-plan/change";
import { findingsOf } from "../../provider/access-plan/findings";
import { daysLeft, endsWithin } from "../../provider/access-plan/grants";
import type { AccessInput, LivePerson, Manager } from "../../provider/access-plan/input";
import { byPower, type Place } from "../../provider/access-plan/place";
import { keptIn } from "../../provider/access-plan/release";

/** Cases that the invariants of random plans do not cover: which people options and names mean, and defects of the past. */

const role: Place = { kind: "role", organization: "acme" };
const team: Place = { kind: "team", team: "writers", organization: "acme" };
const sso: Place = { kind: "sso", organization: "acme" };
/** A part of a manager that manages everybody in the team. */
const area = { area: team };

type Levels = Readonly<Record<string, string>>;
const assigned = (place: Place, levels: Levels, each: object = {}) =>
  Object.entries(levels).map(([user, level]) => ({ place, user, level, ...each }));
const declares = (place: Place, levels: Levels, more: object = {}) => {
  return { declared: { assignments: assigned(place, levels), options: {}, ...more } };
};
/** `userIds` are ids by e-mail, `more` are properties of the record, and `each` those of each assignment. */
const records = (place: Place, levels: Levels, userIds: Levels = {}, more: object = {}, each: object = {}) => {
  return { recorded: { assignments: assigned(place, levels, each), userIds, options: {}, ...more } };
};
const manager = (id: string, ...parts: Partial<Manager>[]): Manager => Object.assign({ id, name: id }, ...parts);

interface Given {
  readonly people?: readonly LivePerson[];
  readonly roles?: Levels;
  readonly members?: Levels;
  readonly managers: readonly Manager[];
  readonly isEverybodyShown?: boolean;
}

function inputOf({ roles = {}, members = {}, people, managers, isEverybodyShown = true }: Given): AccessInput {
  const ids = new Set([...Object.keys(roles), ...Object.keys(members)]);
  return {
    people: people ?? [...ids].map((userId) => ({ userId, email: `${userId.slice(5)}@acme.test` })),
    arePeopleComplete: true,
    places: [
      { place: role, levels: new Map(Object.entries(roles)), isComplete: true },
      { place: team, levels: new Map(Object.entries(members)), isComplete: true },
    ],
    managers,
    isEverybodyShown,
  };
}

const planOf = (given: Given): AccessPlan => planAccess(inputOf(given));
const linesOf = ({ changes }: AccessPlan) =>
  changes.map(({ person, place, before, after, cause }) => {
    const line = `${person.id} ${place.team ?? place.kind}: ${before} > ${after}`;
    return cause === "declared" ? line : `${line} (${cause})`;
  });

interface Case extends Given {
  readonly name: string;
  readonly changes: readonly string[];
  readonly findings?: readonly string[];
}

/** Ada had the e-mail that Bob has now. */
const passedOn = [{ userId: "user_ada" }, { userId: "user_bob", email: "ada@acme.test" }];
const gone = { "gone@acme.test": "user_gone" };
const recordsAbsent = records(team, { "gone@acme.test": "member" }, gone, {}, { isAbsent: true });
const cases: readonly Case[] = [
  {
    name: "a person is released by the options of the manager, and not raised without allowRaise",
    roles: { user_ada: "read", user_bob: "admin", user_cem: "read" },
    members: { user_cem: "member" },
    managers: [
      manager(
        "roles",
        declares(role, {}, { options: { onRelease: { people: { user_cem: "remove" } } } }),
        records(role, { user_ada: "read", user_bob: "admin", user_cem: "read" }, {}, {}, { previous: "edit" }),
      ),
    ],
    changes: [
      "user_cem writers: member > none (left)",
      "user_cem role: read > none (released)",
      "user_bob role: admin > edit (released)",
    ],
    findings: ["no administrator"],
  },
  {
    name: "others acts only when no other resource has or releases the person, except one that has only found the person",
    roles: { user_ada: "edit", user_bob: "edit", user_cem: "edit" },
    managers: [
      manager("roles", { area: role }, declares(role, {}, { others: "remove" })),
      manager("single", records(role, { user_ada: "edit" }, {}, {}, { previous: "read" })),
      manager("leaving", records(role, { user_bob: "edit" }, {}, { options: { onRelease: "leave" } })),
      manager("finding", records(role, { user_cem: "edit" }, {}, {}, { isFound: true })),
    ],
    changes: ["user_ada role: edit > read (released)", "user_cem role: edit > none (undeclared)"],
  },
  {
    name: "others removes a person who hides the e-mail if another member shows the ignored e-mail",
    people: [{ userId: "user_ada" }, { userId: "user_bob", email: "bob@acme.test" }],
    roles: { user_ada: "edit", user_bob: "edit" },
    managers: [
      manager("roles", { area: role }, declares(role, {}, { others: "remove", ignoreOthers: ["Bob@acme.test"] })),
    ],
    changes: ["user_ada role: edit > none (undeclared)"],
  },
  {
    name: "others does not remove a person who hides the e-mail if another resource declares an e-mail that nobody shows",
    people: [{ userId: "user_ada" }],
    roles: { user_ada: "edit" },
    managers: [
      manager("roles", { area: role }, declares(role, {}, { others: "remove" })),
      manager("single", {
        declared: {
          assignments: [role, sso].flatMap((place) => assigned(place, { "kofi@acme.test": "edit" })),
          options: {},
        },
      }),
    ],
    changes: [],
  },
  {
    name: "a person that a refresh has found is not released",
    roles: { user_ada: "admin", user_bob: "edit" },
    managers: [
      manager(
        "roles",
        declares(role, { user_ada: "admin" }, { options: { onRelease: "remove" } }),
        records(role, { user_bob: "edit" }, {}, {}, { isFound: true }),
      ),
    ],
    changes: [],
  },
  {
    name: "a person who moved between resources gets back the weaker of the previous roles",
    roles: { user_ada: "edit" },
    managers: [
      manager("a", records(role, { user_ada: "edit" }, {}, {}, { previous: "read" })),
      manager("b", records(role, { user_ada: "edit" }, {}, {}, { previous: "comment" })),
    ],
    changes: ["user_ada role: edit > read (released)"],
  },
  {
    name: "of two declarations of a person, the one with a hidden level counts, because it may be any",
    roles: { user_ada: "read" },
    managers: [
      manager("a", declares(role, { user_ada: "edit" })),
      manager("b", declares(role, { user_ada: "secret" })),
    ],
    changes: ["user_ada role: read > secret"],
    findings: ["two managers"],
  },
  {
    name: "a person who has come back to the organization is added to the team again",
    roles: { user_ada: "read" },
    managers: [
      manager(
        "single",
        declares(team, { user_ada: "member" }),
        records(team, { user_ada: "member" }, {}, {}, { isAbsent: true }),
      ),
    ],
    changes: ["user_ada writers: none > member"],
  },
  {
    name: "an undeclared person that another resource leaves is removed from a team in which one resource manages everybody",
    members: { user_ada: "member" },
    managers: [
      manager("single", records(team, { user_ada: "member" }, {}, { retained: "it is retained" })),
      manager("whole", area, declares(team, {}), records(team, {})),
    ],
    changes: ["user_ada writers: member > none (undeclared)"],
  },
  {
    name: "an old e-mail in the state does not decide who is ignored",
    roles: { user_ada: "read", user_bob: "read" },
    managers: [
      manager(
        "roles",
        declares(role, { user_ada: "edit", user_bob: "edit" }, { ignore: ["old@*", "bob@*"] }),
        records(role, { "old@acme.test": "read" }, { "old@acme.test": "user_ada" }),
      ),
    ],
    changes: ["user_ada role: read > edit"],
  },
  {
    name: "a person who may be back stays, although another resource would remove the person",
    people: [{ userId: "user_hal" }],
    members: { user_hal: "member" },
    managers: [
      manager("whole", area, declares(team, { "gone@acme.test": "member" }), recordsAbsent),
      manager("single", records(team, { user_hal: "member" })),
    ],
    changes: [],
  },
  {
    name: "a person that the state of the whole team has by id is removed, although an e-mail is declared that nobody shows",
    people: [{ userId: "user_hal" }],
    members: { user_hal: "member" },
    managers: [
      manager("whole", area, declares(team, { "new@acme.test": "member" }), records(team, { user_hal: "member" })),
    ],
    changes: ["new@acme.test writers: none > member", "user_hal writers: member > none (released)"],
  },
  {
    name: "beside `others: guest`, a release counts only if it removes the person",
    roles: { user_ada: "guest", user_bob: "edit" },
    managers: [
      manager(
        "roles",
        { area: role },
        declares(
          role,
          {},
          { others: "guest", options: { allowRaise: true, onRelease: { people: { user_bob: "remove" } } } },
        ),
        records(role, { user_ada: "guest", user_bob: "edit" }, {}, {}, { previous: "read" }),
      ),
    ],
    changes: ["user_bob role: edit > none (released)"],
  },
  {
    name: "of two releases, the one that leaves the role does not stop the other",
    roles: { user_ada: "read" },
    managers: [
      manager("a", records(role, { user_ada: "read" }, {}, { options: { onRelease: "leave" } })),
      manager("b", records(role, { user_ada: "read" }, {}, { options: { allowRaise: true } }, { previous: "edit" })),
    ],
    changes: ["user_ada role: read > edit (released)"],
  },
  {
    name: "nobody can tell what becomes of an undeclared member if an option is hidden, or an e-mail that a pattern may match",
    people: [{ userId: "user_ada", isEmailUnknown: true }, { userId: "user_bob" }],
    members: { user_ada: "member" },
    managers: [manager("whole", area, declares(team, {}, { ignore: ["*@vendor.test"] }), records(team, {}))],
    changes: ["user_ada writers: member > unknown (undeclared)"],
  },
  {
    name: "and nothing becomes of somebody who is not in the team",
    people: [{ userId: "user_ada" }, { userId: "user_bob" }],
    members: { user_ada: "member" },
    managers: [
      manager("whole", area, declares(team, {}, { isHidden: true }), records(team, {})),
      manager("single", records(team, { user_bob: "member" })),
    ],
    changes: ["user_ada writers: member > unknown (undeclared)"],
  },
  {
    name: "a team that declares a person who leaves the organization is a finding",
    roles: { user_ada: "edit" },
    members: { user_ada: "member" },
    managers: [
      manager("roles", declares(role, {}, { options: { onRelease: "remove" } }), records(role, { user_ada: "edit" })),
      manager("single", declares(team, { user_ada: "member" })),
    ],
    changes: ["user_ada writers: member > none (left)", "user_ada role: edit > none (released)"],
    findings: ["declared, but left"],
  },
  {
    name: "a person whose name is not known in the preview does not count as an administrator",
    roles: { user_ada: "admin" },
    managers: [manager("roles", declares(role, { user_ada: "read", "?unknown user of MemberRole one": "admin" }))],
    changes: ["?unknown user of MemberRole one role: none > admin", "user_ada role: admin > read"],
    findings: ["no administrator"],
  },
  {
    name: "neither an owner who has left nor one who cannot sign in and stays loses the ownership",
    people: [{ userId: "user_bob", isDisabled: true }],
    members: { user_bob: "owner" },
    managers: [
      manager(
        "whole",
        area,
        declares(team, { user_ada: "member", user_bob: "owner" }),
        records(team, { user_ada: "owner", user_bob: "owner" }, {}, {}, { isAbsent: true }),
      ),
    ],
    changes: [],
  },
  {
    name: "an option that names a person by an e-mail that the state does not have is a finding, also if others decides",
    roles: { user_ada: "edit" },
    managers: [
      manager(
        "roles",
        { area: role },
        declares(role, {}, { others: "guest", options: { onRelease: { people: { "ada@acme.test": "remove" } } } }),
        {
          recorded: {
            assignments: [role, sso].flatMap((place) => assigned(place, { user_ada: "edit" })),
            userIds: {},
            options: {},
          },
        },
      ),
    ],
    changes: ["user_ada role: edit > guest (undeclared)"],
    findings: ["unrecorded name"],
  },
  {
    name: "others refuses nobody who leaves anyway",
    roles: { user_ada: "edit" },
    managers: [
      manager("roles", { area: role }, declares(role, {}, { others: "refuse" })),
      manager("single", records(role, { user_ada: "edit" }, {}, { options: { onRelease: "remove" } })),
    ],
    changes: ["user_ada role: edit > none (released)"],
  },
  {
    name: "who is not in a team is neither kept by people that nobody can see, nor by a pattern",
    people: [{ userId: "user_ada", isEmailUnknown: true }],
    managers: [
      manager("hidden", area, declares(team, {}, { isHidden: true }), records(team, { user_ada: "member" })),
      manager("ignoring", declares(team, {}, { ignore: ["*@x.test"] }), records(team, { user_ada: "member" })),
    ],
    changes: [],
  },
  {
    name: "a passed-on e-mail of one manager concerns no change of another one",
    people: passedOn,
    roles: { user_ada: "edit" },
    members: { user_ada: "member" },
    managers: [
      manager(
        "roles",
        declares(role, { "ada@acme.test": "edit" }),
        records(role, { "ada@acme.test": "edit" }, { "ada@acme.test": "user_ada" }),
      ),
      manager("single", declares(team, { user_ada: "owner" })),
    ],
    changes: ["user_ada writers: member > owner"],
  },
  {
    name: "a passed-on e-mail that the state has for a person concerns the change by id",
    people: passedOn,
    roles: { user_ada: "edit" },
    managers: [
      manager("roles", declares(role, { user_ada: "read" }), records(role, {}, { "ada@acme.test": "user_ada" })),
    ],
    changes: ["user_ada role: edit > read"],
    findings: ["two people"],
  },
];

it.each([true, false])(
  "lets the manager that takes the last ownership allow it, also of somebody new: %s",
  (allowed) => {
    const lowering = manager("whole", area, declares(team, { user_ada: "member" }, { allowsNoOwner: allowed }));
    expect(findingsOf(planOf({ members: { user_ada: "owner" }, managers: [lowering] }))).toMatchObject([
      { kind: "no owner", isAllowed: allowed },
    ]);
  },
);

it.each(cases)("$name", ({ changes, findings = [], ...given }) => {
  for (const managers of [given.managers, [...given.managers].reverse()]) {
    const plan = planOf({ ...given, managers });
    expect(linesOf(plan)).toEqual(changes);
    expect(findingsOf(plan).map(({ kind }) => kind)).toEqual(findings);
  }
});

it.each([
  ["guest", "edit", "read", "edit", true],
  ["admin", "read", "edit", "read", true],
  ["guest", "edit", "admin", "edit", false],
  ["read", "edit", "guest", "edit", false],
  ["guest", "edit", "read", "create", false],
] as const)("of the change %s > %s, %s > %s is a part: %s", (before, after, from, to, isPart) => {
  expect(isPartOf({ before: from, after: to }, { before, after })).toBe(isPart);
});

it.each([
  [role, "supervisor", "guest", "loses"],
  [role, "supervisor", "none", "loses"],
  [role, "supervisor", "edit", "gains"],
  [sso, "none", "sso", "changes"],
  [role, "unknown", "guest", "changes"],
  [role, "unknown", "none", "loses"],
  [team, "unknown", "member", "gains"],
  [role, "none", "edit", "changes"],
  [role, "edit", "secret", "changes"],
  [role, "edit", "edit", "none"],
] as const)(
  "a role that this version does not know is above guest, and a mark is neither: %o %s > %s %s",
  (place, before, after, direction) => {
    expect(directionOf({ place, before, after })).toBe(direction);
  },
);

it.each([
  ["admin", "guest", "edit", "secret", true],
  ["admin", "guest", "edit", "read", false],
  ["admin", "guest", "secret", "secret", false],
  ["read", "guest", "edit", "secret", false],
  ["admin", "guest", "unknown", "read", true],
  ["admin", "none", "unknown", "none", false],
  ["read", "edit", "unknown", "edit", false],
])("shows a loss of %s > %s in a plan of %s > %s, or not", (before, after, plannedBefore, plannedAfter, isUnseen) => {
  expect(isUnseenLoss({ before, after }, { before: plannedBefore, after: plannedAfter })).toBe(isUnseen);
});

it("sorts a role of a newer version next to administrators", () => {
  const sorted = ["none", "guest", "create", "supervisor", "admin"].sort(byPower);
  expect(sorted).toEqual(["admin", "supervisor", "create", "guest", "none"]);
});

it("leaves people with a release of their own that keeps something to this release", () => {
  expect(keptIn({ onRelease: { people: { ada: "guest", bob: "leave", cem: "restore", dan: "remove" } } })).toEqual([
    "bob",
    "cem",
  ]);
});

it("counts days up to the last moment of a grant, which may have been earlier today", () => {
  const daysTo = (on: string) => daysLeft(on, new Date("2027-01-31T12:00Z"));
  expect(
    ["2027-01-31T12:01Z", "2027-01-31T12:00Z", "2027-01-31T10:00Z", "2027-01-30", "2027-02-01"].map(daysTo),
  ).toEqual([0, -1, -1, -1, 1]);
  const term = { expires: { on: "2027-01-31T12:00Z", then: "remove" } };
  expect(endsWithin(term, { now: new Date("2027-01-31T11:00Z"), period: 3_600_000 })).toBe(true);
  expect(endsWithin(term, { now: new Date("2027-01-31T12:00Z"), period: 3_600_000 })).toBe(false);
});

it.each<[name: string, place: Place, people: readonly LivePerson[], isComplete: boolean | undefined, id: string]>([
  ["a team that was not read", team, passedOn, undefined, "user_ada"],
  ["a team that was read in part", team, passedOn, false, "user_ada"],
  ["a team that she has left", team, passedOn, true, "user_bob"],
  ["the organization", sso, passedOn, true, "user_ada"],
  ["the organization that she has left", role, passedOn.slice(1), true, "user_bob"],
])(
  "takes a recorded e-mail for its old owner only in a place that may have her: %s",
  (_, place, people, isComplete, id) => {
    const ada = { "ada@acme.test": "member" };
    const managers = [manager("one", declares(place, ada), records(place, ada, { "ada@acme.test": "user_ada" }))];
    const places = isComplete === undefined ? [] : [{ place, levels: new Map(), isComplete }];
    const plan = planAccess({ ...inputOf({ people, managers }), places });
    expect(plan.in(place).flatMap(({ declaredBy, person }) => (declaredBy.length > 0 ? person.id : []))).toEqual([id]);
  },
);

it("knows a person by recorded e-mails that nobody else has", () => {
  const userIds = { "ada@acme.test": "user_ada", "old@acme.test": "user_ada" };
  const { identities } = planOf({ people: passedOn, managers: [manager("one", records(team, {}, userIds))] });
  expect(identities.of("user_ada").keys).toEqual(["old@acme.test", "user_ada"]);
});

it("restores the role from before a person is managed, and tells changes outside only of members whose role was read", () => {
  const roles = declares(role, { user_ada: "read", user_bob: "read", user_cem: "read" });
  const input = inputOf({ roles: { user_ada: "edit" }, members: { user_ada: "member" }, managers: [] });
  const changeOf = (id: string, more: Partial<AccessInput>, ...parts: Partial<Manager>[]) =>
    planAccess({ ...input, ...more, managers: [manager("one", ...parts)] }).of(parts[0]?.area ?? role, { id });
  const unread = { places: [], arePeopleComplete: false };
  const recorded = records(role, { user_ada: "admin", user_bob: "admin" });
  expect(changeOf("user_ada", {}, roles)).toMatchObject({ previous: "edit", recorded: undefined });
  expect(changeOf("user_ada", unread, roles)).toMatchObject({ before: "unknown", previous: undefined });
  expect(changeOf("user_bob", {}, roles)).toMatchObject({ before: "none", previous: undefined });
  expect(changeOf("user_ada", {}, area, declares(team, { user_ada: "owner" }))).toMatchObject({ previous: undefined });
  expect(changeOf("user_ada", {}, roles, recorded)).toMatchObject({ recorded: "admin" });
  expect(changeOf("user_ada", unread, roles, recorded)).toMatchObject({ before: "unknown", recorded: undefined });
  expect(changeOf("user_bob", {}, roles, recorded)).toMatchObject({ state: "absent", recorded: undefined });
  const released = declares(role, {}, { options: { onRelease: "guest" } });
  expect(changeOf("user_bob", {}, released, recorded)).toMatchObject({ after: "none" });
  const absent = records(role, { user_ada: "admin", user_bob: "admin" }, {}, {}, { isAbsent: true });
  expect(changeOf("user_bob", {}, roles, absent)).toMatchObject({ before: "admin", state: "absent" });
  expect(changeOf("user_ada", { arePeopleComplete: false }, roles, absent)).toMatchObject({ state: "active" });
  const away = records(team, { user_bob: "member" }, {}, {}, { isAbsent: true });
  expect(changeOf("user_bob", {}, area, declares(team, {}), away)).toMatchObject({ before: "none" });
  const pending = records(role, { "zoe@acme.test": "read" }, {}, {}, { isPending: true });
  expect(changeOf("zoe@acme.test", {}, released, pending)).toMatchObject({ before: "none" });
  const marked = manager("one", declares(sso, { user_ada: "sso" }));
  expect(planAccess({ ...input, ...unread, managers: [marked] }).changes).toMatchObject([{ before: "none" }]);
  const guests = [{ area: role }, declares(role, {}, { others: "guest" })];
  const guest = { places: [{ place: role, levels: new Map([["user_ada", "guest"]]), isComplete: true }] };
  expect(changeOf("user_ada", guest, ...guests)).toBeUndefined();
});

it("names the reason to keep a role that most needs an answer", () => {
  for (const [one, other] of ["ab", "ba"].map((ids) => [...ids])) {
    const leaving = manager(`${one}`, records(role, { user_hal: "read" }, {}, { options: { onRelease: "leave" } }));
    const raising = records(role, { user_hal: "read" }, {}, {}, { previous: "edit" });
    const reasonWith = (...parts: Partial<Manager>[]) =>
      planOf({
        people: [{ userId: "user_hal" }],
        roles: { user_hal: "read" },
        managers: [leaving, manager(`${other}`, raising, ...parts)],
      }).of(role, { id: "user_hal" })?.reason;
    expect(reasonWith()).toBe("would raise");
    expect(reasonWith(declares(role, { "new@acme.test": "read" }))).toBe("may be declared");
  }
});

it("keeps people that only the state has in a team that was not read", () => {
  const old = { user_old: "member" };
  const input = inputOf({
    managers: [
      manager(
        "whole",
        area,
        records(team, old),
        declares(team, { ...old, "new@acme.test": "member", user_nobody: "member" }),
      ),
    ],
    people: [],
  });
  const unread = planAccess({ ...input, places: input.places.slice(0, 1) });
  expect(unread.of(team, { id: "user_old" })).toMatchObject({ before: "unknown", state: "active" });
  expect(unread.of(team, { id: "new@acme.test" })).toMatchObject({ before: "none", state: "pending" });
  expect(unread.of(team, { id: "user_nobody" })).toMatchObject({ before: "unknown", state: "non-member" });
  expect(planAccess(input).of(team, { id: "user_old" })).toMatchObject({ state: "absent" });
});

it("takes an id that any manager has recorded, in any place, for somebody who has left, and any other for mistyped", () => {
  const first = manager(
    "first",
    declares(role, {}),
    records(role, { "gone@acme.test": "edit" }, { "gone@acme.test": "user_gone" }),
  );
  const second = manager(
    "second",
    area,
    declares(team, { user_gone: "member", user_nobody: "member", constructor: "member" }),
    records(team, {}),
  );
  const plan = planOf({ managers: [first, second] });
  expect(plan.of(team, { id: "user_gone" })).toMatchObject({ state: "absent" });
  for (const id of ["user_nobody", "constructor"]) expect(plan.of(team, { id })).toMatchObject({ state: "non-member" });
  expect(plan.changes).toEqual([]);
});

it.each([{ isPending: true }, { isNew: true }, { isAbsent: true }])(
  "does not release a role that no update has given: %o",
  (joined) => {
    const { recorded } = records(role, { "cem@acme.test": "edit" });
    const assignments = recorded.assignments.map((one) => ({ ...one, ...joined }));
    const roles = manager(
      "roles",
      { recorded: { ...recorded, assignments } },
      declares(role, {}, { options: { onRelease: "remove" } }),
    );
    const plan = planOf({ roles: { user_cem: "edit" }, managers: [roles] });
    expect(plan.of(role, { id: "user_cem" })).toMatchObject({
      before: "edit",
      after: "edit",
      reason: "left alone",
      previous: "edit",
    });
  },
);

it("allows a team without an owner only if all of its managers do, also if the owner leaves the organization", () => {
  const left = manager(
    "roles",
    records(role, { user_ada: "read" }),
    declares(role, {}, { options: { onRelease: "remove" } }),
  );
  const removed = (allowsNoOwner: boolean) =>
    manager("whole", area, records(team, { user_ada: "owner" }, {}, { allowsNoOwner }));
  const single = (id: string, allowsNoOwner: boolean) =>
    manager(id, records(team, { user_ada: "owner" }, {}, { allowsNoOwner }));
  const stays = { user_bob: "member" };
  for (const [some, others, isAllowed, isDissolved] of [
    [left, stays, false, false],
    [manager("roles", { area: role }, declares(role, {}, { others: "remove" })), stays, false, false],
    [removed(true), stays, true, false],
    [removed(false), stays, false, false],
    [[left, single("a", true)], stays, true, false],
    [[left, single("a", true), single("b", false)], stays, false, false],
    [
      manager("whole", area, declares(team, {}, { allowsNoOwner: true }), records(team, { user_ada: "owner" })),
      stays,
      true,
      false,
    ],
    // Of two owners, a resource of one person removes one.
    [
      [manager("whole", area, records(team, { user_bob: "owner" })), single("a", true)],
      { user_bob: "owner" },
      false,
      false,
    ],
    // A team with nobody else is dissolved, unless it stays declared.
    [removed(false), {}, true, true],
    [manager("whole", area, declares(team, {}), records(team, { user_ada: "owner" })), {}, false, false],
  ] as const) {
    const members = { user_ada: "owner", ...others };
    const plan = planOf({ roles: { user_ada: "read" }, members, managers: [some].flat() });
    expect(findingsOf(plan)).toMatchObject([{ kind: "no owner", isAllowed, isDissolved }]);
  }
});

it("keeps the teams of other organizations for a person who leaves one", () => {
  const leaving = manager("roles", records(role, { user_ada: "read" }, {}, { options: { onRelease: "remove" } }));
  const { places, ...input } = inputOf({ roles: { user_ada: "read" }, managers: [leaving] });
  const elsewhere = {
    place: { ...team, organization: "other" },
    levels: new Map([["user_ada", "owner"]]),
    isComplete: true,
  };
  expect(linesOf(planAccess({ ...input, places: [...places, elsewhere] }))).toEqual([
    "user_ada role: read > none (released)",
  ]);
});

it("says which changes a grant causes, by its beginning or its end", () => {
  const granted = (user: string, then: string, place = role) => ({ place, user, expires: "2027-01-31", then });
  const input = inputOf({
    roles: { user_ada: "read", user_bob: "edit", user_cem: "edit" },
    members: { user_cem: "owner", user_dan: "member" },
    managers: [
      manager("roles", declares(role, { "ada@acme.test": "admin", user_bob: "read", user_cem: "create" })),
      manager("whole", area, declares(team, {}), records(team, { user_cem: "owner" })),
    ],
  });
  const causesOf = (grants: NonNullable<AccessInput["grants"]>) =>
    planAccess({ ...input, grants }).changes.map(({ person, cause }) => `${person.id}: ${cause}`);
  const all = [granted("user_ada", "edit"), granted("user_bob", "read"), granted("user_cem", "remove", team)];
  expect(causesOf({ recorded: [], declared: all })).toEqual([
    "user_ada: grant begins",
    "user_cem: declared",
    "user_bob: grant ends",
    "user_cem: grant ends",
    "user_dan: undeclared",
  ]);
  // A reason alone neither begins nor ends, and a beginning is no end.
  const only = (terms: object, user = "user_ada", place = role) => ({
    recorded: [],
    declared: [{ place, user, ...terms }],
  });
  const from = { from: "2027-01-15" };
  expect(causesOf(only({ reason: "on call" }))[0]).toBe("user_ada: declared");
  expect(causesOf(only(from, "user_cem", team)).at(-2)).toBe("user_cem: released");
  expect(causesOf(only(from, "user_dan", team)).at(-1)).toBe("user_dan: undeclared");
  // It begins for somebody whose role was only found in the service, also if the resource has a mark of the same person.
  for (const [isFound, cause] of [
    [true, "grant begins"],
    [false, "declared"],
  ] as const) {
    const assignments = [
      ...assigned(role, { user_ada: "read" }, { isFound }),
      ...assigned(role, { user_bob: "read" }),
      ...assigned(sso, { user_ada: "sso" }),
    ];
    const roles = manager("roles", declares(role, { user_ada: "admin" }), {
      recorded: { assignments, userIds: {}, options: {} },
    });
    const [first] = planAccess({ ...input, managers: [roles], grants: only(from) }).changes;
    expect(first).toMatchObject({ person: { id: "user_ada" }, cause });
  }
  // The state has had the line since before its beginning, and not the role of Ada, who was no member of the team either.
  const later = [{ ...granted("user_ada", "edit"), from: "2027-01-15" }];
  expect(causesOf({ recorded: later, declared: later })[0]).toBe("user_ada: grant begins");
  // The role of Ada was raised within the grant, and the file no longer has the others.
  expect(causesOf({ recorded: all, declared: all.slice(0, 1) })).toEqual([
    "user_ada: declared",
    "user_cem: declared",
    "user_bob: declared",
    "user_cem: released",
    "user_dan: undeclared",
  ]);
});

describe("a person who hides the e-mail", () => {
  const people = [{ userId: "user_ada", email: "ada@acme.test" }, { userId: "user_hal" }];
  const plan = (given: Omit<Given, "managers" | "people">, ...parts: Partial<Manager>[]) =>
    planOf({ ...given, people, managers: [manager("own", ...parts)], isEverybodyShown: false });
  const member = { user_hal: "member" };
  const inTeam = (...parts: Partial<Manager>[]) => plan({ members: member }, ...parts).of(team, { id: "user_hal" });
  const declared = declares(team, { "new@acme.test": "member" });
  const kept = { after: "member", mayBe: ["new@acme.test"] };

  it("keeps the role while an e-mail that nobody shows is declared", () => {
    const roles = { user_hal: "edit", user_ada: "edit" };
    const options = { onRelease: "remove" };
    const hidden = plan({ roles }, records(role, roles), declares(role, { "hal@acme.test": "edit" }, { options }));
    expect(linesOf(hidden)).toEqual(["user_ada role: edit > none (released)"]);
    expect(hidden.of(role, { id: "user_hal" })).toMatchObject({ reason: "may be declared", mayBe: ["hal@acme.test"] });
    expect(findingsOf(hidden).filter(({ kind }) => kind === "cannot be told")).toHaveLength(1);
    // If no e-mail is declared, the person is released, although a pattern of `ignoreOthers` may match the hidden e-mail.
    const guest = { user_hal: "guest" };
    const others = { others: "guest", ignoreOthers: ["*@acme.test"] };
    const left = plan({ roles: guest }, { area: role }, records(role, guest), declares(role, {}, others));
    expect(left.of(role, { id: "user_hal" })).toMatchObject({ after: "guest", reason: "same", cause: "released" });
    const known = plan({ roles: { user_hal: "edit" } }, records(role, roles), declares(role, {}, { options }));
    expect(linesOf(known)).toEqual(["user_hal role: edit > none (released)"]);
  });

  it("is released although the e-mail of somebody else is pending, if the state has the person by id", () => {
    const [recorded, zoe] = [records(role, { user_hal: "edit" }), { "zoe@acme.test": "edit" }];
    const pending = records(role, zoe, {}, {}, { isPending: true }).recorded.assignments;
    const both = { recorded: { ...recorded.recorded, assignments: [...recorded.recorded.assignments, ...pending] } };
    const removing = declares(role, zoe, { options: { onRelease: "remove" } });
    expect(linesOf(plan({ roles: { user_hal: "edit" } }, both, removing))).toEqual([
      "user_hal role: edit > none (released)",
    ]);
    const byEmail = declares(role, { "yan@acme.test": "edit" }, { options: { onRelease: "remove" } });
    expect(linesOf(plan({ roles: { user_hal: "edit" } }, both, byEmail))).toEqual([]);
  });

  it("stays in a team without a refusal if a person who left the organization may be back under the new id", () => {
    const gone = { "gone@acme.test": "member" };
    const absent = records(team, gone, { "gone@acme.test": "user_gone" }, {}, { isAbsent: true });
    const found = records(team, member, {}, {}, { isFound: true }).recorded.assignments;
    const both = { recorded: { ...absent.recorded, assignments: [...absent.recorded.assignments, ...found] } };
    const managers = (recorded: Partial<Manager>, names: Levels) => [
      manager("own", area, recorded, declares(team, names)),
    ];
    const shown = inputOf({ members: member, people, managers: [] });
    // A resource does not know all members, but its refresh says who has left.
    for (const recorded of [absent, both])
      for (const arePeopleComplete of [true, false]) {
        const input = { ...shown, arePeopleComplete };
        const kept = planAccess({ ...input, managers: managers(recorded, gone) });
        expect(kept.of(team, { id: "user_hal" })).toMatchObject({ after: "member", reason: "may be back" });
        expect(findingsOf(kept)).toEqual([]);
        const without = planAccess({ ...input, managers: managers(recorded, { "ada@acme.test": "member" }) });
        expect(without.of(team, { id: "user_hal" })).toMatchObject({ after: "none" });
      }
  });

  it.each<[name: string, parts: Partial<Manager>[], planned: object]>([
    ["declared by id", [area, records(team, member)], { after: "none" }],
    // A resource of one person whose name is changed may name the same person.
    ["declared by id by a resource of one person", [records(team, member)], kept],
    ["found by a refresh", [area, records(team, member, {}, {}, { isFound: true })], kept],
    ["declared by e-mail", [area, records(team, { "hal@acme.test": "member" }, { "hal@acme.test": "user_hal" })], kept],
  ])("leaves a team only if the name was an id: %s", (_, parts, planned) => {
    expect(inTeam(...parts, declared)).toMatchObject(planned);
  });

  it("stays in a team if a pattern may ignore the person", () => {
    const ignore = declares(team, {}, { ignore: ["*@bot.test", "user_x"] });
    const recorded = records(team, member, {}, {}, { isFound: true });
    expect(inTeam(recorded, ignore)).toMatchObject({ after: "member", mayBe: ["*@bot.test"] });
  });

  it("may be the pending person, who then stays: the one who hides the e-mail is in the team, or is added", () => {
    const pending = records(team, { "zoe@acme.test": "member" }, {}, {}, { isPending: true });
    const changes = (members: Levels, added = {}) => linesOf(plan({ members }, pending, declares(team, added)));
    expect(changes({ user_ada: "member" })).toEqual(["zoe@acme.test writers: member > none (released)"]);
    expect(changes(member)).toEqual([]);
    const joined = [...people, { userId: "user_zoe", email: "zoe@acme.test" }];
    const both = { ...member, user_zoe: "member" };
    const own = manager("own", pending, declares(team, {}));
    expect(linesOf(planOf({ members: both, people: joined, managers: [own] }))).toEqual([
      "user_zoe writers: member > none (released)",
    ]);
    expect(changes({}, member)).toEqual(["user_hal writers: none > member"]);
  });
});
