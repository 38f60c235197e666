import { listNames } from "../access/carry-out";
import { daysLeft, restoreAfter } from "../access-plan/grants";
import { userKey } from "../people/user";
import type { OrganizationFile } from "./file/types";
import { type PlannedChange, placeIn } from "./guards/change";
import { managedPlace, personNamed } from "./guards/people";
import { declaredPeople, memberGrant, teamGrant } from "./sections/grants";

/** Warnings about grants that end soon or have ended, and what happens then. */

const soon = 14;

export interface EndingGrant {
  readonly user: string;
  /** Id of the team; omitted for the role in the organization. */
  readonly team?: string;
  readonly role: string;
  readonly on: string;
  readonly becomes: string;
  /** The previous role may be restored even if it is more powerful (`allowRaise`). */
  readonly raises?: true;
  /** Days until the last day: 0 on that day, negative after it. */
  readonly days: number;
}

export interface Held {
  /** Whether the stack has applied the grant; `undefined` if it may have done so and has released it since, which the state does not record. */
  readonly isApplied: boolean | undefined;
  /** The live role, or the recorded one in a team. Absent if the person is not a member. */
  readonly role?: string | undefined;
  readonly previous?: string | undefined;
  /** Ids of the teams that still declare the person, although the end of the grant removes the person from the organization. */
  readonly stillIn?: readonly string[];
}

/** The grants that have ended, those with at most 14 days left, and those that have no effect at their end; the earliest first. */
export const describeEndingGrants = (change: PlannedChange): string[] =>
  listEndingGrants(change.organization, change.now).flatMap((ending) => {
    const held = heldIn(change, ending);
    return ending.days <= soon || hasNoEffect(ending, held) ? [describeEndingGrant(ending, held)] : [];
  });

export function listEndingGrants({ members = {}, teams = {} }: OrganizationFile, now: Date): EndingGrant[] {
  const ofMembers = Object.entries(members).flatMap(([user, declared]): EndingGrant[] => {
    const { role, expires, allowRaise } = memberGrant(declared);
    if (!expires) return [];
    const raises = allowRaise && { raises: true as const };
    return [{ user, role, on: expires.on, becomes: expires.then, ...raises, days: daysLeft(expires.on, now) }];
  });
  const ofTeams = Object.entries(teams).flatMap(([team, declaredTeam]) =>
    Object.entries(declaredPeople(declaredTeam).people).flatMap(([user, declared]): EndingGrant[] => {
      const { role, expires } = teamGrant(declared);
      if (!expires) return [];
      return [{ user, team, role, on: expires.on, becomes: expires.then ?? "remove", days: daysLeft(expires.on, now) }];
    }),
  );
  return [...ofMembers, ...ofTeams].sort((a, b) => a.days - b.days);
}

const isReleasedBy = ({ becomes }: EndingGrant): boolean => becomes === "remove" || becomes === "restore";

function heldIn(change: PlannedChange, ending: EndingGrant): Held {
  const { organization, access } = change;
  const { user, team, becomes } = ending;
  const place = placeIn(organization, team);
  const person = personNamed(change, user, team);
  const { from = [], previous } = access.of(place, person) ?? {};
  if (team !== undefined) return heldInTeam(change, ending, from.length > 0);
  return {
    isApplied: from.length > 0 || (isReleasedBy(ending) ? undefined : false),
    role: person.live && access.levelBefore(place, person.id),
    previous,
    stillIn: becomes === "remove" ? teamsWith(organization, user) : [],
  };
}

function heldInTeam(change: PlannedChange, ending: EndingGrant, isRecorded: boolean): Held {
  const { organization, access } = change;
  const { user, team } = ending;
  const { id } = personNamed(change, user, team);
  const managers = access.input.managers.filter((one) => one.recorded && managedPlace(one, organization).team === team);
  if (!isRecorded) return { isApplied: managers.length > 0 && isReleasedBy(ending) ? undefined : false };
  const recorded = managers.flatMap((one) =>
    (one.recorded?.assignments ?? []).filter(({ place, user }) => access.personRecorded(one, place, user).id === id),
  );
  return { isApplied: true, role: recorded[0]?.level };
}

function teamsWith({ teams = {} }: OrganizationFile, user: string): string[] {
  const names = (team: (typeof teams)[string]) => Object.keys(declaredPeople(team).people).map(userKey);
  return Object.keys(teams).filter((id) => names(teams[id] ?? {}).includes(userKey(user)));
}

/** Whether the person keeps the granted role, because the previous role is not lower. */
const hasNoEffect = (ending: EndingGrant, held: Held): boolean =>
  ending.becomes === "restore" && restoredIn(ending, held)?.after === ending.role;

/** The role after the end of a grant that restores the previous role; `undefined` if that role is not known. */
const restoredIn = ({ role, raises }: EndingGrant, { previous }: Held) =>
  previous === undefined ? undefined : restoreAfter(role, previous, raises === true);

export function describeEndingGrant(ending: EndingGrant, held: Held): string {
  const { user, team, role, on, days } = ending;
  const { isApplied, stillIn = [] } = held;
  const has = (verbs: [ofRole: string, ofTeam: string]) =>
    team === undefined ? `${verbs[0]} the role ${role}` : `${verbs[1]} ${role} of team ${team}`;
  const more =
    stillIn.length === 0 ? "" : `; the file still has ${user} in ${listNames(stillIn)}: remove that line as well`;
  if (days < 0) {
    const after = `${describeAfterwards(ending, held)}${more}`;
    if (isApplied) return `${user} ${has(["had", "was"])} to the end of ${on} (UTC), and ${after}`;
    const when = isApplied === undefined ? "" : " before it was ever applied";
    const what = team === undefined ? `the role ${role}` : `${role} of team ${team}`;
    return `${user}: the grant of ${what} had ended with ${on} (UTC)${when}, so it has no effect; ${user} ${after}`;
  }
  const left = ["today", "tomorrow"][days] ?? `in ${days} days`;
  return `${user} ${has(["has", "is"])} to the end of ${on} (UTC), ${left}, and then ${describeConsequence(ending, held)}${more}`;
}

/** What follows a grant that has ended. A change that an earlier run has already made is not announced again. */
function describeAfterwards(ending: EndingGrant, held: Held): string {
  const { team, becomes } = ending;
  const { isApplied, role } = held;
  if (role === becomes) {
    if (becomes === "guest") return "is a guest now: declare the role guest";
    return `${team === undefined ? "has the role" : "is"} ${becomes} now: declare that role`;
  }
  if (isApplied || !isReleasedBy(ending)) return `now ${describeConsequence(ending, held)}`;
  // An earlier run has released the access, or it was never managed.
  if (team !== undefined)
    return `${isApplied === undefined ? "is no longer in" : "does not get into"} the team: remove the line`;
  if (role === undefined) return "is no longer a member: remove the line";
  return `keeps the role ${role}, which this stack does not manage: remove the line, or declare the right role`;
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
