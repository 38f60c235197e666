import { expect, it } from "vitest";
import { planAccess } from "../../provider/access-plan/access-plan";
import { findingsOf } from "../../provider/access-plan/findings";
import type { AccessInput, Manager } from "../../provider/access-plan/input";
import type { Place } from "../../provider/access-plan/place";

const organization = "acme";
const role: Place = { kind: "role", organization };
const idOf = (number: number) => `user_${number}`;
const emailOf = (number: number) => `person${number}@acme.test`;
const listOf = <One>(length: number, one: (number: number) => One) =>
  Array.from({ length }, (_, number) => one(number));

/** Everybody has a role, which one resource manages, and is in a team, which has a resource of its own; a tenth of them changes. */
function largeInput(people: number, teams: number): AccessInput {
  const size = people / teams;
  const places = listOf(teams, (team): Place => ({ kind: "team", team: `team_${team}`, organization }));
  const before = (number: number) => (number % 100 === 0 ? "admin" : "read");
  const single = { [emailOf(7)]: "guest" as const };
  const options = { onRelease: { people: single }, allowRaiseOf: [emailOf(3)] };
  const userIds = Object.fromEntries(listOf(people, (number) => [emailOf(number), idOf(number)]));
  const rolesOf = (level: (number: number) => string, has: (number: number) => boolean) =>
    listOf(people, (number) => ({ place: role, user: emailOf(number), level: level(number), previous: "read" })).filter(
      (_, number) => has(number),
    );
  const roles: Manager = {
    id: "roles",
    name: "MemberRoles acme-members",
    recorded: { assignments: rolesOf(before, () => true), userIds, options },
    declared: {
      assignments: rolesOf(
        (number) => (number % 10 === 1 ? "edit" : before(number)),
        (number) => number % 10 !== 2,
      ),
      options: { ...options, onRelease: { removal: "remove", people: single } },
      ignore: ["*@contractor.test"],
    },
  };
  const managers = places.map((place, team): Manager => {
    const assignments = listOf(size, (index) => ({
      place,
      user: emailOf(team * size + index),
      level: index === 0 ? "owner" : "member",
    }));
    const links = assignments.map(({ user }, index) => [user, idOf(team * size + index)]);
    const recorded = { assignments, userIds: Object.fromEntries(links), options: {} };
    const declared = { assignments: assignments.slice(0, -1), options: {}, ignore: ["*@contractor.test"] };
    return { id: `team ${team}`, name: `TeamMembers acme-${team}`, area: place, recorded, declared };
  });
  const levels = new Map(listOf(people, (number) => [idOf(number), before(number)]));
  return {
    people: listOf(people, (number) => ({ userId: idOf(number), email: emailOf(number) })),
    arePeopleComplete: true,
    places: [
      { place: role, levels, isComplete: true },
      ...places.map((place, team) => ({
        place,
        levels: new Map(listOf(size, (index) => [idOf(team * size + index), index === 0 ? "owner" : "member"])),
        isComplete: true,
      })),
    ],
    managers: [roles, ...managers],
    isEverybodyShown: true,
  };
}

/** The time of the processor, because other tests run at the same time. */
function secondsFor(people: number, teams: number): number {
  const input = largeInput(people, teams);
  const start = process.cpuUsage();
  const plan = planAccess(input);
  findingsOf(plan);
  const { user, system } = process.cpuUsage(start);
  expect(plan.changes.length).toBeGreaterThan(people / 5);
  return (user + system) / 1e6;
}

it("takes time in proportion to the people: 20,000 in 2,000 teams", { timeout: 60_000 }, () => {
  const [small, large] = [secondsFor(5_000, 500), secondsFor(20_000, 2_000)];
  process.stdout.write(`the access plan of 20,000 people in 2,000 teams: ${large.toFixed(1)} s\n`);
  // A loop in a loop over people or teams takes sixteen times as long.
  expect(large / small).toBeLessThan(10);
});
