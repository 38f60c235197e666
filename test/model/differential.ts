import type { Plan, PlannedAccess } from "../../provider/access/plan-file";
import { PlannedChanges } from "../../provider/access/planned-changes";
import type { PlannedChange } from "../../provider/organization/guards/change";
import type { Review } from "../../provider/review/model/review";
import { planOf } from "../../provider/review/plan/plan";
import { verify } from "../../provider/review/plan/verification";
import { isRenamed, linesIn, refusalsOf, unclearLines } from "./guards";
import {
  type Change,
  decide,
  heldIn,
  type Id,
  isEmail,
  isLevel,
  isReviewed,
  isSame,
  judge,
  levelToday,
  type ModelWorld,
  type Place,
} from "./model";
import { linesOfChanges, linesOfPlan, plannedBy, refusalsBy, reviewBy } from "./worlds";

/** Compares what the program and the model say about a world, and about the same world after changes by hand. */

export const counts = { worlds: 0, accepted: 0, changes: 0, reviews: 0, unreviewed: 0 };

/** The plan and the guards of both worlds are compared always; reviews, which take most of the time, only if asked for. */
export function disagreements(world: ModelWorld, later: ModelWorld, withReviews: boolean): string[] {
  const [first, second] = [compare(world), compare(later)];
  const found = [...first.found, ...second.found.map((one) => `later, ${one}`)];
  if (found.length > 0 || !withReviews || !first.accepted) return found;
  const reviewed = reviewOf(world, first.accepted);
  if (!second.accepted) return reviewed.found;
  const fresh = reviewOf(later, second.accepted);
  return [
    ...reviewed.found,
    ...fresh.found.map((one) => `later, ${one}`),
    ...verifications(world, first.accepted.changes, second.accepted.changes, reviewed.plan, fresh.plan),
  ];
}

interface Accepted {
  readonly planned: PlannedChange;
  readonly changes: readonly Change[];
}

/** What is different, and the plans if nothing is refused. */
function compare(world: ModelWorld): { readonly found: readonly string[]; readonly accepted?: Accepted } {
  counts.worlds++;
  const planned = plannedBy(world);
  const refused = refusalsBy(planned);
  const mistakes = mistakesOfNames(world, planned, refused);
  if (mistakes) return { found: mistakes };
  const verdicts = judge(world);
  const [unclear, refusals] = [unclearLines(world, verdicts), refusalsOf(world, verdicts)];
  // A name that is not clear makes further refusals depend on what it may mean.
  if (unclear.length > 0) return { found: differing("the guards", refused, [...refused, ...unclear]) };
  // When e-mails were passed on, the program and the model may have different reasons.
  if (refused.length > 0 && refusals.length > 0 && isRenamed(world)) return { found: [] };
  if (refused.length > 0 || refusals.length > 0) return { found: differing("the guards", refused, refusals) };
  const changes = decide(world, verdicts);
  counts.accepted++;
  counts.changes += changes.length;
  // A team that the file no longer has, and that keeps its people, is not read. Nobody sees who leaves it with the organization.
  const lines = linesOfPlan(planned).filter((one) => !one.includes(": unknown > "));
  return { found: differing("the access plan", lines, linesOfChanges(changes)), accepted: { planned, changes } };
}

function reviewOf(world: ModelWorld, { planned, changes }: Accepted) {
  counts.reviews++;
  const review = reviewBy(planned);
  return { found: reviewMistakes(review, world, changes), plan: planOf(review, new Date(0)) };
}

/** Somebody hides the e-mail, and a name or a pattern is an e-mail that no member shows. */
function mayHideSomebody({ file, state, live: { people } }: ModelWorld): boolean {
  if (people.every(({ email }) => email !== undefined)) return false;
  const teams = Object.values(file.teams);
  const names = [file.lines, heldIn(state), ...teams.map(({ lines }) => lines)].flat().map(({ name }) => name);
  const patterns = [file.ignoreOthers ?? [], ...teams.map(({ ignore = [] }) => ignore)].flat();
  return [...names, ...patterns].some((name) => isEmail(name) && !people.some(({ email }) => isSame(name, email)));
}

/** It is not clear who is meant, and the model does not say which changes follow. Nobody is touched who may be another person. */
function mistakesOfNames(world: ModelWorld, planned: PlannedChange, refused: readonly string[]): string[] | undefined {
  const { file, state, live } = world;
  const lines = linesIn(world);
  const twoNames = lines.flatMap((one) =>
    lines
      .filter((other) => one.person === other.person && !isSame(one.line.name, other.line.name))
      .map((other) => [one, other]),
  );
  if (twoNames.length === 0 && !mayHideSomebody(world)) return undefined;
  const removed = file.lines.filter((line) => levelToday(line) === "remove").map(({ name }) => name);
  const isRemoved = ({ line }: (typeof lines)[number]) => removed.some((name) => isSame(name, line.name));
  const isHere = (place: Place) => (one: (typeof lines)[number]) =>
    one.place === place && isLevel(levelToday(one.line)) && !isRemoved(one);
  const areBoth = twoNames.some((both) => both.every(isHere(both[0]?.place ?? "")));
  const isMember = (id: Id) => live.people.some((one) => one.id === id);
  const mayBeDeclared = (place: Place, person: Id) => {
    const there = lines.filter((one) => one.place === place && !isRemoved(one));
    const held = place === "role" ? state.roles : state.teams[place]?.people;
    const isUnrecorded = held?.every(({ id, found }) => id !== person || found) ?? true;
    const hides = live.people.some(({ id, email }) => id === person && email === undefined);
    return (
      hides &&
      isUnrecorded &&
      there.every((one) => one.person !== person) &&
      there.some((one) => isEmail(one.line.name) && levelToday(one.line) !== "remove" && !isMember(one.person))
    );
  };
  const touched = planned.access.changes.filter(({ place, person, cause }) => {
    const isOfAll = place.team === undefined || file.teams[place.team]?.whole;
    return cause !== "left" && isOfAll && mayBeDeclared(place.team ?? "role", person.id);
  });
  return [
    ...(areBoth && refused.length === 0 ? ["the guards: one person has two lines in a place"] : []),
    ...touched.map(({ person }) => `the access plan: ${person.id} may be somebody who is declared`),
  ];
}

/**
 * The review has each change, and no other. Not covered: people who are away, and the teams of somebody who leaves the organization:
 * it has only those that a resource or the component has read. It may say that a level is unknown afterwards.
 */
function reviewMistakes({ people }: Review, { live }: ModelWorld, changes: readonly Change[]): string[] {
  const leaving = new Set(
    changes.flatMap(({ place, person, after }) => (place === "role" && after === "none" ? person : [])),
  );
  const isOptional = ({ place, person }: Change) => place !== "role" && leaving.has(person);
  const shown = people
    .filter(({ id }) => live.people.some((one) => one.id === id))
    .flatMap(({ id, access }) =>
      access
        .filter(({ effect, place, pending }) => effect !== "none" && place.kind !== "sso" && !pending)
        .map(({ place, before, after }) => ({ place: place.team ?? "role", person: id, before, after }) as Change),
    );
  const isCovered = (one: Change) => !one.person.includes("@") && !isOptional(one);
  return differing("the review", linesOfChanges(shown.filter(isCovered)), linesOfChanges(changes.filter(isCovered)));
}

/** The fresh plan of the later world against the reviewed one. */
function verifications(
  { file, state }: ModelWorld,
  reviewed: readonly Change[],
  all: readonly Change[],
  before: Plan,
  now: Plan,
): string[] {
  const planned = new PlannedChanges(before.access);
  // The plan of a team that becomes exclusive allows to remove all other people.
  const isExclusive = ({ place, after }: Change) =>
    after === "none" && file.teams[place]?.exclusive && !state.teams[place]?.whole;
  const fresh = all.filter((one) => !one.person.includes("@") && !isExclusive(one));
  const unreviewed = fresh.filter((one) => !isReviewed(reviewed, one));
  counts.unreviewed += unreviewed.length;
  const refusedWrites = fresh.filter(({ place, person, ...levels }) => {
    const at =
      place === "role" ? { kind: "role", organization: "acme" } : { kind: "team", team: place, organization: "acme" };
    return !planned.allows({
      ...levels,
      place: at as PlannedAccess["place"],
      person: { userId: person, keys: [person] },
    });
  });
  const { unreviewed: lines, skipped } = verify(before, now);
  const named = unreviewed.filter(({ person }) => ![...lines, ...skipped].some((line) => line.includes(person)));
  return [
    ...differing("the write", linesOfChanges(refusedWrites), linesOfChanges(unreviewed)),
    ...linesOfChanges(named).map((one) => `verify does not name ${one}`),
  ];
}

function differing(what: string, program: readonly string[], model: readonly string[]): string[] {
  const more = program.filter((one) => !model.includes(one));
  const less = model.filter((one) => !program.includes(one));
  return [
    ...more.map((one) => `${what}: only the program has ${one}`),
    ...less.map((one) => `${what}: only the model has ${one}`),
  ];
}
