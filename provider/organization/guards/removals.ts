import { z } from "zod";
import { PlannedChanges } from "../../access/planned-changes";
import type { AccessChange } from "../../access-plan/change";
import { isKnownLevel, nothing } from "../../access-plan/place";
import { counted } from "../../text/safe-text";
import type { PlannedChange, Violation } from "./change";
import { type Loss, lossesIn } from "./people";

const allowed = 'use a whole number such as 5, or a share from "1%" to "100%"';

export const removalSettings = {
  maxRemovals: z
    .union([z.number(allowed).int(allowed).min(0, allowed), z.string(allowed).regex(/^(?:100|[1-9][0-9]?)%$/, allowed)])
    .describe(
      'Maximum number of people who may lose a role or a membership in one run, including lowered roles: a number, or a share of all people with a role or membership, such as "25%" (rounded down, at least 1).',
    )
    .optional(),
};

/** Limits the number of people who lose a role or a membership in one run. */
export function removals(change: PlannedChange): Violation[] {
  const { maxRemovals } = change.organization.guards ?? {};
  if (maxRemovals === undefined) return [];
  const reviewed = change.reviewed && new PlannedChanges(change.reviewed.access);
  // The up skips what `others` would change and the reviewed plan does not have.
  const isMade = (one: AccessChange) => !reviewed || !one.isOther || reviewed.allows(one);
  const people = lossesByPerson(lossesIn(change, change.access.changes.filter(isMade)));
  const holders = countHolders(change);
  const most = mostRemovals(maxRemovals, holders);
  if (people.size <= most) return [];
  const share = typeof maxRemovals === "string" ? ` (${maxRemovals} of ${holders} people)` : "";
  const lines = [...people].map(([person, losses]) => `  ${person}: ${losses.join(", ")}`);
  const text = `${counted(people.size, "person", "people")} would lose a role or a membership, and the limit is ${most}${share}; raise the limit in the same change to allow that:\n${lines.join("\n")}`;
  return [{ path: ["guards", "maxRemovals"], text }];
}

/** The number of people with a role, or with a membership that the change knows. People in a team that no resource manages do not count. */
function countHolders({ live, access, managers }: PlannedChange): number {
  const wholeTeams = new Set([...managers.values()].map(({ area }) => area?.team));
  const inWholeTeams = live.teams.flatMap(({ id, people }) =>
    wholeTeams.has(id) ? people.map(({ userId }) => userId) : [],
  );
  const withRole = live.members.flatMap(({ user, role }) => (role === null ? [] : user.id));
  const single = access.subjects.filter(
    ({ place, before }) => place.kind === "team" && isKnownLevel(before) && before !== nothing,
  );
  return new Set([...inWholeTeams, ...withRole, ...single.map(({ person }) => person.id)]).size;
}

/** A share is rounded down, and is at least 1. */
function mostRemovals(maxRemovals: number | string, holders: number): number {
  if (typeof maxRemovals === "number") return maxRemovals;
  return Math.max(1, Math.floor((Number.parseInt(maxRemovals, 10) * holders) / 100));
}

function lossesByPerson(losses: readonly Loss[]): Map<string, string[]> {
  const people = new Map<string, string[]>();
  for (const { person, what } of losses) people.set(person, [...(people.get(person) ?? []), what]);
  return people;
}
