import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Place } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import { attempt } from "../run/files";
import { type Run, runScoped } from "../run/run";
import { unfinishedVariable } from "../run/settings";
import type { Plan, PlannedAccess } from "./plan-file";
import { PlannedChanges } from "./planned-changes";
import { reviewedPlan } from "./reviewed";

/**
 * The engine records previous roles when a resource is done. If it is killed before, only the plans know them, so the commands keep
 * the plans of ups that have not ended well, the oldest first.
 */
type Unfinished = readonly (readonly PlannedAccess[])[];

/** Keeps the changes of an up until it ends well. A rename is atomic: a killed command leaves the old file or the new one. */
export function keepUnfinished(file: string, { access }: Plan): void {
  const roles = access.filter(({ place }) => place.kind === "role");
  if (roles.length === 0) return;
  const text = JSON.stringify([...read(file), roles] satisfies Unfinished);
  attempt(file, () => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  });
}

export function forgetUnfinished(file: string): void {
  attempt(file, () => rmSync(file, { force: true }));
}

/**
 * The level that a person had before ups that could not record it, the reviewed plan included, if `now` is the level that they
 * give the person.
 */
export function levelBeforePlans(run: Run, userId: string, place: Place, now: string): string | undefined {
  const plans = [...(reviewedPlan(run) ? [reviewedPlan(run)?.access] : []), ...unfinishedIn(run).newestFirst];
  return plans.reduce<string | undefined>(
    (level, plan) => plan?.levelBefore(userId, place, level ?? now) ?? level,
    undefined,
  );
}

const unfinishedIn = runScoped((run) => {
  const file = run.settings.variable(unfinishedVariable);
  const plans = file === undefined ? [] : read(file).map((access) => new PlannedChanges(access));
  return { newestFirst: plans.reverse() };
});

function read(file: string): Unfinished {
  if (!existsSync(file)) return [];
  try {
    const plans: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (Array.isArray(plans)) return plans as Unfinished;
  } catch {
    // What is no list of plans is refused in the same way.
  }
  throw new DocsError(
    `${file} has no plans of unfinished ups; remove it, which forgets the roles that people had before`,
  );
}
