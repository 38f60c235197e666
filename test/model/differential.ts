import type { Plan, PlannedAccess } from "../../provider/access/plan-file";
import { PlannedChanges } from "../../provider/access/planned-changes";
import type { Review } from "../../provider/review/model/review";
import { planOf } from "../../provider/review/plan/plan";
import { verify } from "../../provider/review/plan/verification";
import { type Change, decide, isLower, isReviewed, type Level, type World } from "./model";
import { linesOf, linesOfPlan, plannedBy, refusalsOf, reviewBy } from "./worlds";

/** Compares what the program and the model say about a world, and about the same world after changes by hand. */

export const counts = { judged: 0, accepted: 0, changes: 0, unreviewed: 0 };

export function disagreements(world: World, later: World): string[] {
  const [found, reviewed] = judge(world);
  if (!reviewed) return found;
  const [foundLater, fresh] = judge(later);
  if (found.length > 0 || !fresh) return [...found, ...foundLater.map((one) => `later, ${one}`)];
  return [
    ...foundLater.map((one) => `later, ${one}`),
    ...verifications(world, decide(world).changes, decide(later).changes, reviewed, fresh),
  ];
}

/** What is different, and the plan if nothing is refused. */
function judge(world: World): [string[], Plan?] {
  counts.judged++;
  const { changes, refusals, unclear } = decide(world);
  const planned = plannedBy(world);
  const refused = refusalsOf(planned);
  // A name that is not clear makes further refusals depend on what it may mean.
  if (unclear.length > 0) return [differing("the guards", refused, [...refused, ...unclear])];
  if (refused.length > 0 || refusals.length > 0) return [differing("the guards", refused, refusals)];
  counts.accepted++;
  counts.changes += changes.length;
  // A team that the file no longer has, and that keeps its people, is not read. Nobody sees who leaves it with the organization.
  const lines = linesOfPlan(planned).filter((one) => !one.includes(": unknown > "));
  const review = reviewBy(planned);
  return [
    [...differing("the access plan", lines, linesOf(changes)), ...reviewMistakes(review, world, changes)],
    planOf(review, new Date(0)),
  ];
}

/**
 * The review has each change, and no other. Not covered: people who are away, and the teams of somebody who leaves the organization,
 * which it has only as far as a resource or the component has read them. It may say that a level is unknown afterwards.
 */
function reviewMistakes({ people }: Review, { live }: World, changes: readonly Change[]): string[] {
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
  const unclear = shown.filter(({ after }) => after === ("unknown" as string));
  const isCovered = (one: Change) =>
    !one.person.includes("@") &&
    !isOptional(one) &&
    !unclear.some(({ place, person }) => place === one.place && person === one.person);
  return differing("the review", linesOf(shown.filter(isCovered)), linesOf(changes.filter(isCovered)));
}

/** The fresh plan of the later world against the reviewed one. */
function verifications(
  { file, state }: World,
  reviewed: readonly Change[],
  all: readonly Change[],
  before: Plan,
  now: Plan,
): string[] {
  const planned = new PlannedChanges(before.access);
  // The plan of a team that becomes exclusive allows to remove all other people.
  const isExclusive = ({ place, after }: Change) =>
    after === "none" && file.teams[place]?.exclusive && !state.teams[place]?.whole;
  // A plan that does not know the level afterwards allows any, if no more is lost than it shows.
  const isHidden = (one: Change) =>
    before.access.some(
      ({ hidden, user, place, before }) =>
        hidden &&
        user.keys.includes(one.person) &&
        (place.team ?? "role") === one.place &&
        !isLower(before as Level, one.before),
    );
  const fresh = all.filter((one) => !one.person.includes("@") && !isExclusive(one) && !isHidden(one));
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
    ...differing("the write", linesOf(refusedWrites), linesOf(unreviewed)),
    ...linesOf(named).map((one) => `verify does not name ${one}`),
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
