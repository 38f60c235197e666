import { existsSync, readFileSync, rmSync } from "node:fs";
import { type Place, spelledRole } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { attempt, replaceFile } from "../run/files";
import { type Run, runScoped } from "../run/run";
import { unfinishedVariable } from "../run/settings";
import { visible } from "../text/visible";
import type { Plan, PlannedAccess } from "./plan-file";
import { PlannedChanges } from "./planned-changes";
import { reviewedPlan } from "./reviewed";

/**
 * The engine records previous roles when a resource is done. If it is killed before, only the plans know them, so the commands keep
 * the plans of ups that have not ended well, the oldest first.
 */
type Unfinished = readonly (readonly PlannedAccess[])[];

/** Keeps the roles that an up gives to people who are not `recorded`, until it ends well. */
export function keepUnfinished(file: string, { access }: Plan, recorded: ReadonlySet<string>): void {
  const roles = access.filter(({ place }) => place.kind === "role");
  keep(file, [...read(file), roles], ({ userId = "" }) => !recorded.has(userId));
}

/**
 * Forgets the plans, except what they did to people who still have the role that they got and are not `recorded`: no release would
 * give these their role before. They are returned, each with both roles.
 */
export async function settleUnfinished(
  file: string,
  { client, organizationId }: Context,
  recorded: ReadonlySet<string>,
): Promise<string[]> {
  const plans = read(file);
  const newestFirst = plans.map((access) => new PlannedChanges(access)).reverse();
  const left = new Map<string, string>();
  for (const { user, role } of await client.listMembers({ organizationId, query: { limit: 1000 } }).all()) {
    const now = spelledRole(role);
    const before = firstLevel(newestFirst, user.id, { kind: "role", organization: organizationId }, now) ?? now;
    if (before !== now && !recorded.has(user.id))
      left.set(user.id, `${visible(user.email ?? user.id)}: ${now} (before: ${before})`);
  }
  keep(file, plans, ({ userId = "" }) => left.has(userId));
  return [...left.values()];
}

function keep(file: string, plans: Unfinished, isKept: (user: PlannedAccess["user"]) => boolean): void {
  const kept = plans.map((access) => access.filter(({ user }) => isKept(user))).filter(({ length }) => length > 0);
  if (kept.length > 0) replaceFile(file, JSON.stringify(kept));
  else attempt(file, () => rmSync(file, { force: true }));
}

/**
 * The level that a person had before ups that could not record it, the reviewed plan included, if `now` is the level that they
 * give the person.
 */
export function levelBeforePlans(run: Run, userId: string, place: Place, now: string): string | undefined {
  const reviewed = reviewedPlan(run)?.access;
  return firstLevel([...(reviewed ? [reviewed] : []), ...unfinishedIn(run).newestFirst], userId, place, now);
}

const firstLevel = (newestFirst: readonly PlannedChanges[], userId: string, place: Place, now: string) =>
  newestFirst.reduce<string | undefined>(
    (level, plan) => plan.levelBefore(userId, place, level ?? now) ?? level,
    undefined,
  );

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
