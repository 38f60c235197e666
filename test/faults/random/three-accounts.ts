import { planAccess } from "../../../provider/access-plan/access-plan";
import type { Manager } from "../../../provider/access-plan/input";
import * as definitions from "../../../provider/definitions";
import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import type { AnyDefinition } from "../../../provider/lifecycle/definition";
import { managerOf } from "../../../provider/lifecycle/manager";
import { type Review, readPreview, reviewOf } from "../../../provider/review";
import type { Notes } from "../component";
import { previewOf, type States } from "../preview";
import type { LiveAccess } from "../service";
import type { FaultStack } from "../stack";
import { expectedAccess } from "./expected";

/** What the plan, the history, the guards and the review say about one up. Each is read from its own source. */

const none = "none";
const line = (key: string, before = none, after = none) => `${key}: ${before} > ${after}`;
const keyOf = (id: string, team?: string) => (team === undefined ? `role of ${id}` : `${team}: ${id}`);

/** What the access plan says, from the state, the declaration and what is live. */
export function linesOfAccessPlan({ recorded, resources }: FaultStack, organization: OrganizationRecord): string[] {
  const { members, teams } = organization;
  const declared = new Map(resources.map(({ name, inputs }) => [name, inputs]));
  const names = new Map(
    [...resources, ...[...recorded].map(([name, one]) => ({ ...one, name }))].map((one) => [one.name, one.resource]),
  );
  const managers = [...names].flatMap(([name, resource]): Manager[] => {
    const named = { id: name, type: resource, name, organization: "acme" };
    const own = { declared: declared.get(name), recorded: recorded.get(name)?.properties };
    const definition: AnyDefinition = definitions[resource];
    const manager = managerOf(definition, named, own);
    return manager ? [manager] : [];
  });
  const access = expectedAccess(organization);
  const roles = [...access.roles].map(([id, role]): [string, string] => [id, role ?? "guest"]);
  const plan = planAccess({
    people: [...members.values()].map(({ id, email }) => ({ userId: id, email })),
    arePeopleComplete: true,
    places: [
      { place: { kind: "role", organization: "acme" }, levels: new Map(roles), isComplete: true },
      ...[...teams.keys()].map((team) => ({
        place: { kind: "team", team, organization: "acme" } as const,
        levels: access.teams.get(team) ?? new Map<string, string>(),
        isComplete: true,
      })),
    ],
    managers,
    isEverybodyShown: true,
  });
  return plan.changes
    .filter(({ state }) => state === "active")
    .map(({ person, place, before, after }) => line(keyOf(person.id, place.team), before, after))
    .sort();
}

/** What changed at the service, and changes of one person's access that took more than one write. */
export function linesOfHistory(history: readonly LiveAccess[]): { readonly net: string[]; readonly twice: string[] } {
  const [first = {}, last = {}] = [history[0], history.at(-1)];
  const keys = [...new Set(history.flatMap((one) => Object.keys(one)))];
  const net = keys.filter((key) => first[key] !== last[key]).map((key) => line(key, first[key], last[key]));
  const twice = keys.flatMap((key) => {
    const levels = history
      .map((one) => one[key] ?? none)
      .filter((level, index, all) => index === 0 || level !== all[index - 1]);
    return levels.length > 2 ? [`${key}: ${levels.join(" > ")}`] : [];
  });
  return { net: net.sort(), twice: twice.sort() };
}

const ranks = [none, "guest", "read", "comment", "edit", "review", "create", "admin", "member", "owner"];

/** The losses in a history, in the words of the guards. Who leaves the organization is not listed with the teams. */
export function expectedLosses(history: readonly LiveAccess[], { members, teams }: OrganizationRecord): string[] {
  const [first = {}, last = {}] = [history[0], history.at(-1)];
  return Object.keys(first)
    .flatMap((key) => {
      const [before = none, after = none] = [first[key], last[key]];
      if (ranks.indexOf(after) >= ranks.indexOf(before)) return [];
      const [, role, team = "", member] = /^role of (.*)$|^(.*?): (.*)$/.exec(key) ?? [];
      const id = role ?? member ?? "";
      const name = members.get(id)?.email ?? id;
      if (role !== undefined)
        return [`${name}: ${after === none ? "is removed from the organization" : `${before} becomes ${after}`}`];
      if (last[`role of ${id}`] === undefined) return [];
      return [`${name}: ${after === none ? "leaves" : "no longer owns"} team ${teams.get(team)?.title ?? team}`];
    })
    .sort();
}

/** What the guards count, as the refusal of a file with `maxRemovals: 0` lists it. */
export const lossesRefused = (refusal: string | undefined): string[] =>
  [...(refusal ?? "").matchAll(/^ +(\S+): ((?:leaves|no longer|is removed|\w+ becomes).*)$/gm)]
    .flatMap(([, person, losses = ""]) => losses.split(", ").map((loss) => `${person}: ${loss}`))
    .sort();

export const reviewBetween = (
  before: States,
  stack: FaultStack,
  notes: readonly Notes[],
  changing: readonly string[],
): Review => reviewOf(readPreview(previewOf(before, stack, changing, notes), "a preview"));

/** What the review of the preview says. */
export const linesOfReview = ({ people }: Review): string[] =>
  people
    .flatMap(({ id, access }) =>
      access
        .filter(({ effect, place, pending }) => effect !== "none" && place.kind !== "sso" && !pending)
        .map(({ place, before, after }) => line(keyOf(id, place.team), before, after)),
    )
    .sort();

export function expectSame(what: string, said: readonly string[], done: readonly string[]): void {
  const [more, less] = [said.filter((one) => !done.includes(one)), done.filter((one) => !said.includes(one))];
  if (more.length + less.length === 0) return;
  throw new Error(
    [`${what} says otherwise:`, ...more.map((one) => `+ ${one}`), ...less.map((one) => `- ${one}`)].join("\n"),
  );
}
