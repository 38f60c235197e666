import { expect, it } from "vitest";
import { type AccessPlan, planAccess } from "../../provider/access-plan/access-plan";
import { findingsOf } from "../../provider/access-plan/findings";
import type { AccessInput, Declaration, Record as RecordedManager } from "../../provider/access-plan/input";
import type { Place } from "../../provider/access-plan/place";

const role: Place = { kind: "role", organization: "acme" };
const team: Place = { kind: "team", team: "writers", organization: "acme" };

const as = (place: Place, people: Record<string, string>) =>
  Object.entries(people).map(([user, level]) => ({ place, user, level }));

/** Hal hides the e-mail; Ada does not. */
function planOf(place: Place, levels: Record<string, string>, managed: ManagedParts): AccessPlan {
  const { recorded, declared, area } = managed;
  const manager = {
    id: "own",
    name: "own",
    ...(area && { area }),
    recorded: { assignments: [], userIds: {}, options: {}, ...recorded },
    ...(declared && { declared: { assignments: [], options: {}, ...declared } }),
  };
  const input: AccessInput = {
    people: [{ userId: "user_ada", email: "ada@acme.test" }, { userId: "user_hal" }],
    arePeopleComplete: true,
    places: [{ place, levels: new Map(Object.entries(levels)), isComplete: true }],
    managers: [manager],
    isEverybodyShown: false,
  };
  return planAccess(input);
}

interface ManagedParts {
  readonly area?: Place;
  readonly recorded: Partial<RecordedManager>;
  readonly declared?: Partial<Declaration>;
}

const changesOf = (plan: AccessPlan) => plan.changes.map(({ person, after }) => `${person.id} > ${after}`);

it("keeps a person with a hidden e-mail while an e-mail that nobody shows is declared", () => {
  const recorded = { assignments: as(role, { user_hal: "edit", user_ada: "edit" }) };
  const declared = { assignments: as(role, { "hal@acme.test": "edit" }), options: { onRelease: "remove" as const } };
  const plan = planOf(role, { user_hal: "edit", user_ada: "edit" }, { recorded, declared });
  expect(changesOf(plan)).toEqual(["user_ada > none"]);
  expect(plan.of(role, { id: "user_hal" })).toMatchObject({ reason: "may be declared", mayBe: ["hal@acme.test"] });
  expect(findingsOf(plan).filter(({ kind }) => kind === "cannot be told")).toHaveLength(1);
  const known = planOf(role, { user_hal: "edit" }, { recorded, declared: { options: declared.options } });
  expect(changesOf(known)).toEqual(["user_hal > none"]);
});

it("removes a person with a hidden e-mail who was declared in a team by id, and keeps one who was found or declared by e-mail", () => {
  const declared = { assignments: as(team, { "new@acme.test": "member" }) };
  const one = (user: string, isFound: boolean, area = true) =>
    planOf(
      team,
      { user_hal: "member" },
      {
        recorded: {
          assignments: as(team, { [user]: "member" }).map((assignment) => ({ ...assignment, isFound })),
          userIds: user === "hal@acme.test" ? { [user]: "user_hal" } : {},
        },
        declared,
        ...(area && { area: team }),
      },
    ).of(team, { id: "user_hal" });
  expect(one("user_hal", false)).toMatchObject({ after: "none" });
  // A resource of one person whose name is changed may name the same person.
  expect(one("user_hal", false, false)).toMatchObject({ after: "member", mayBe: ["new@acme.test"] });
  expect(one("user_hal", true)).toMatchObject({ after: "member", mayBe: ["new@acme.test"] });
  expect(one("hal@acme.test", false)).toMatchObject({ after: "member", mayBe: ["new@acme.test"] });
});

it("keeps a found person with a hidden e-mail who may be ignored by a pattern", () => {
  const recorded = { assignments: as(team, { user_hal: "member" }).map((one) => ({ ...one, isFound: true })) };
  const plan = planOf(team, { user_hal: "member" }, { recorded, declared: { ignore: ["*@bot.test", "user_x"] } });
  expect(plan.of(team, { id: "user_hal" })).toMatchObject({ after: "member", mayBe: ["*@bot.test"] });
});

it("withdraws a pending e-mail unless somebody in the team, or somebody who is added, hides the e-mail", () => {
  const assignments = as(team, { "zoe@acme.test": "member" }).map((one) => ({ ...one, isPending: true }));
  const plan = (levels: Record<string, string>, declared = {}) =>
    planOf(team, levels, { recorded: { assignments }, declared: { assignments: as(team, declared) } });
  expect(changesOf(plan({ user_ada: "member" }))).toEqual(["zoe@acme.test > none"]);
  expect(changesOf(plan({ user_hal: "member" }))).toEqual([]);
  expect(changesOf(plan({}, { user_hal: "member" }))).toEqual(["user_hal > member"]);
});
