import { listNames } from "../access/carry-out";
import { beginningOf, daysLeft, endOf, momentWords, phaseOf, restoreAfter } from "../access-plan/grants";
import { userKey } from "../people/user";
import type { OrganizationFile } from "./file/types";
import { type PlannedChange, placeIn } from "./guards/change";
import { personNamed } from "./guards/people";
import { type ListedGrant, listGrants } from "./sections/grants";

/** Beginnings and ends that a review of another change mentions: today and tomorrow. */
const soon = 1;

export interface EndingGrant extends Pick<ListedGrant, "user" | "team" | "role" | "allowRaise"> {
  readonly on: string;
  readonly becomes: string;
  /** Days until the last day: 0 on that day, negative after it. */
  readonly days: number;
}

export interface Held {
  /** Whether the state has the grant. The up that releases the person removes it from the state. */
  readonly isRecorded: boolean;
  readonly previous?: string | undefined;
  /** Ids of the teams that still declare the person, although the end of the grant removes the person from the organization. */
  readonly stillIn?: readonly string[];
}

/** The grants that have ended, those that begin or end within a day, and those that have no effect at their end; the earliest first. */
export const describeEndingGrants = (change: PlannedChange): string[] => [
  ...listGrants(change.organization).flatMap((grant) => describeBeginning(grant, change.now)),
  ...listEndingGrants(change.organization, change.now).flatMap((ending) => {
    const held = heldIn(change, ending);
    return ending.days <= soon || hasNoEffect(ending, held) ? [describeEndingGrant(ending, held)] : [];
  }),
];

function describeBeginning(grant: ListedGrant, now: Date): string[] {
  const { from = "", user } = grant;
  const isSoon = phaseOf(grant, now) === "to begin" && beginningOf(from) - now.getTime() <= soon * 86_400_000;
  return isSoon
    ? [`${grantWords(grant)} begins ${momentWords(from)}: until then, ${user} keeps the present access`]
    : [];
}

const grantWords = ({ team, role, user }: Pick<ListedGrant, "team" | "role" | "user">): string =>
  `the grant of ${team === undefined ? `the role ${role}` : `${role} of team ${team}`} to ${user}`;

export function listEndingGrants(organization: OrganizationFile, now: Date): EndingGrant[] {
  const ending = listGrants(organization).flatMap(({ reason: _, from: __, expires, ...grant }): EndingGrant[] =>
    expires ? [{ ...grant, on: expires.on, becomes: expires.then, days: daysLeft(expires.on, now) }] : [],
  );
  return ending.sort((a, b) => endOf(a.on) - endOf(b.on));
}

function heldIn(change: PlannedChange, ending: EndingGrant): Held {
  const { user, team, becomes } = ending;
  const { organization, access } = change;
  const { from = [], previous } = access.of(placeIn(organization, team), personNamed(change, user, team)) ?? {};
  const isLeaving = team === undefined && becomes === "remove";
  return { isRecorded: from.length > 0, previous, stillIn: isLeaving ? teamsAfter(organization, ending) : [] };
}

/** The teams whose lines for the person do not end with the grant. */
const teamsAfter = (organization: OrganizationFile, { user, on }: EndingGrant): string[] =>
  listGrants(organization).flatMap(({ team, user: one, expires }) => {
    const ends = expires?.then === "remove" && endOf(expires.on) <= endOf(on);
    return team === undefined || ends || userKey(one) !== userKey(user) ? [] : [team];
  });

/** Whether the person keeps the granted role, because the previous role is not lower. */
const hasNoEffect = (ending: EndingGrant, held: Held): boolean =>
  ending.becomes === "restore" && restoredIn(ending, held)?.after === ending.role;

/** The role after the end of a grant that restores the previous role; `undefined` if that role is not known. */
const restoredIn = ({ role, allowRaise }: EndingGrant, { previous }: Held) =>
  previous === undefined ? undefined : restoreAfter(role, previous, allowRaise === true);

export function describeEndingGrant(ending: EndingGrant, held: Held): string {
  const { user, on, becomes, days } = ending;
  const { isRecorded, stillIn = [] } = held;
  const grant = grantWords(ending);
  const more =
    stillIn.length === 0 ? "" : `; the file still has ${user} in ${listNames(stillIn)}: remove that line as well`;
  const consequence = `${describeConsequence(ending, held)}${more}`;
  const when = ["today", "tomorrow"][days] ?? `in ${days} days`;
  if (days >= 0) return `${grant} ends ${momentWords(on)}, ${when}: ${user} then ${consequence}`;
  const ended = `${grant} ended ${momentWords(on)}`;
  if (becomes !== "remove" && becomes !== "restore") return `${ended}: declare ${becomes}, which follows it`;
  if (isRecorded) return `${ended}: ${user} now ${consequence}`;
  const effect = stillIn.length === 0 ? ", and has no effect" : "";
  return `${ended}${effect}: remove the line, or declare the role that applies now${more}`;
}

function describeConsequence(ending: EndingGrant, held: Held): string {
  const { becomes, team, role } = ending;
  if (becomes === "remove") return `is removed from ${team === undefined ? "the organization" : "the team"}`;
  if (becomes === "guest") return "becomes a guest";
  if (becomes !== "restore") return team === undefined ? `gets the role ${becomes}` : `becomes ${becomes}`;
  const { previous } = held;
  const reason = restoredIn(ending, held)?.reason;
  if (reason === undefined) return "gets back the previous role";
  if (reason === "would raise")
    return `keeps the role ${role}, because the previous role (${previous}) is higher: add allowRaise: true to the grant, or declare the role that follows instead of restore`;
  if (reason === "same")
    return `keeps the role ${role}, which is the previous role: declare the role that follows instead of restore`;
  return `gets back the previous role (${previous})`;
}
