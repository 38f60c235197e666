import { existsSync, rmSync } from "node:fs";
import { z } from "zod";
import { type Place, spelledRole } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { attemptToWrite, jsonIn, readFileText, replaceFile } from "../run/files";
import { type Run, runScoped } from "../run/run";
import { unfinishedVariable } from "../run/settings";
import { visible } from "../text/visible";
import { accessEntry, type Plan, type PlannedAccess } from "./plan-file";
import { PlannedChanges } from "./planned-changes";
import { reviewedPlan } from "./reviewed";

/**
 * The engine records previous roles when a resource is done. If it is killed before, only the plans know them, so the commands keep
 * the plans of ups that have not ended well, the oldest first.
 */
const unfinished = z.array(z.strictObject({ kept: z.iso.datetime(), access: z.array(accessEntry) }));
type Unfinished = z.output<typeof unfinished>;

/**
 * Until the up ends well, keeps the roles that it gives to people who are not `recorded`. Leaves out the people that `others`
 * changes: they are never released.
 */
export function keepUnfinished(file: string, plan: Plan, recorded: ReadonlySet<string>): void {
  const roles = plan.access.filter(({ place, isOther }) => place.kind === "role" && !isOther);
  const kept = new Date().toISOString();
  keep(file, [...read(file), { kept, access: roles }], ({ userId = "" }) => !recorded.has(userId));
}

/** The time of the oldest plan. If the stack was changed elsewhere since, the plans no longer say what people had before. */
export const keptSince = (file: string): Date => new Date(read(file)[0]?.kept ?? Date.now());

/**
 * Keeps of the plans only the people who still have the role that a plan gave them, unless they are `recorded`: then a state has the
 * previous role for a release. Returns a line for each of them. With `kept`, the plans count as kept at that time.
 */
export async function settleUnfinished(
  file: string,
  { client, organizationId }: Context,
  recorded: ReadonlySet<string>,
  kept?: Date,
): Promise<string[]> {
  const plans = read(file).map((plan) => (kept ? { ...plan, kept: kept.toISOString() } : plan));
  const newestFirst = plans.map(({ access }) => new PlannedChanges(access)).reverse();
  const remaining = new Map<string, string>();
  for (const { user, role } of await client.listMembers({ organizationId, query: { limit: 1000 } }).all()) {
    const now = spelledRole(role);
    const before = firstLevel(newestFirst, user.id, { kind: "role", organization: organizationId }, now) ?? now;
    if (before !== now && !recorded.has(user.id))
      remaining.set(user.id, `${visible(user.email ?? user.id)}: ${now} (before: ${before})`);
  }
  keep(file, plans, ({ userId = "" }) => remaining.has(userId));
  return [...remaining.values()];
}

function keep(file: string, plans: Unfinished, isKept: (user: PlannedAccess["user"]) => boolean): void {
  const remaining = plans
    .map((plan) => ({ ...plan, access: plan.access.filter(({ user }) => isKept(user)) }))
    .filter(({ access }) => access.length > 0);
  if (remaining.length > 0) replaceFile(file, JSON.stringify(remaining));
  else attemptToWrite(file, () => rmSync(file, { force: true }));
}

/**
 * The level that a person had before the reviewed plan, and before the plans of ups that could not record it; `undefined` unless `now`
 * is the level that these plans give.
 */
export function levelBeforePlans(run: Run, userId: string, place: Place, now: string): string | undefined {
  const reviewed = reviewedPlan(run)?.access;
  return firstLevel([...(reviewed ? [reviewed] : []), ...unfinishedIn(run).newestFirst], userId, place, now);
}

function firstLevel(newestFirst: readonly PlannedChanges[], userId: string, place: Place, now: string) {
  let level: string | undefined;
  for (const plan of newestFirst) level = plan.levelBefore(userId, place, level ?? now) ?? level;
  return level;
}

const unfinishedIn = runScoped((run) => {
  const file = run.settings.variable(unfinishedVariable);
  const plans = file === undefined ? [] : read(file).map(({ access }) => new PlannedChanges(access));
  return { newestFirst: plans.reverse() };
});

function read(file: string): Unfinished {
  if (!existsSync(file)) return [];
  const result = unfinished.safeParse(jsonIn(readFileText(file, file)));
  if (result.success) return result.data;
  throw new DocsError(
    `${file} is not as docs-org has written it, and says which roles people had before ups that have not ended well; restore it, or remove it, which forgets these roles`,
  );
}
