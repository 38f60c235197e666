import { releaseRole } from "./release";

/** When a role is given, in the organization or in a team, and what follows. Each time is a day in UTC, or a time with its offset. */
export interface Term<Next = unknown> {
  /** The first day, or the time at which the grant begins. */
  readonly from?: string | undefined;
  /** The last day, or the time at which the grant ends, and what follows. */
  readonly expires?: { readonly on: string; readonly then: Next } | undefined;
}

/** Whether the grant has begun and ended. Everything that depends on the time of a grant asks this. */
export function phaseOf({ from, expires }: Term, now: Date): Phase {
  if (expires && now.getTime() >= endOf(expires.on)) return "ended";
  return from !== undefined && now.getTime() < beginningOf(from) ? "to begin" : "running";
}

export type Phase = "to begin" | "running" | "ended";

/** The level that a grant gives in a phase. Before the grant begins, the person keeps what the person has (`leave`). */
export function levelIn<Level, Next>(phase: Phase, level: Level, then: Next): Level | Next | "leave" {
  if (phase === "ended") return then;
  return phase === "running" ? level : "leave";
}

/** The role at the given time. */
export const roleAt = <Role, Next>(grant: { readonly role: Role } & Term<Next>, now: Date): Role | Next | "leave" =>
  // Only a grant with an end has ended.
  levelIn(phaseOf(grant, now), grant.role, grant.expires?.then as Next);

const day = 86_400_000;
export const isDay = (moment: string): boolean => !/T/.test(moment);

/** A day begins with its first moment in UTC. The time of an invalid text is NaN, with which `phaseOf` takes a grant for running. */
export const beginningOf = (moment: string): number => Date.parse(moment);

/** A day ends when the next one begins in UTC. */
export const endOf = (moment: string): number => Date.parse(moment) + (isDay(moment) ? day : 0);

/** Whether the grant ends within so many milliseconds, or has ended and is still given. */
export const endsWithin = (
  term: Term,
  { now, period }: { now: Date; period: number },
  isGiven = () => false,
): boolean =>
  term.expires !== undefined &&
  endOf(term.expires.on) <= now.getTime() + period &&
  (phaseOf(term, now) !== "ended" || isGiven());

/** Calendar days in UTC until the last moment before the end: 0 on its day, negative after the end. */
export function daysLeft(on: string, now: Date): number {
  const days = Math.floor((endOf(on) - 1) / day) - Math.floor(now.getTime() / day);
  return now.getTime() >= endOf(on) ? Math.min(days, -1) : days;
}

/** `with 2027-01-31 (UTC)` for a day, `at 2027-01-31T18:00+01:00` for a time. */
export const momentWords = (moment: string): string => (isDay(moment) ? `with ${moment} (UTC)` : `at ${moment}`);

/** What becomes of a role when its grant ends with `restore`. */
export const restoreAfter = (role: string, previous: string, allowRaise: boolean) =>
  releaseRole(role, previous, { option: "restore", allowRaise });
