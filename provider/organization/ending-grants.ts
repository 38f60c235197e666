import { enumerated } from "../access/bulk";
import { daysLeft, restoreAfter } from "../access-plan/grants";
import { userKey } from "../people/user";
import type { OrganizationFile } from "./file/types";
import { type PlannedChange, placeIn } from "./guards/change";
import { managedPlace, personNamed } from "./guards/people";
import { declaredPeople, memberGrant, teamGrant } from "./sections/grants";

/** Warnings about grants that end soon or have ended, and what happens then. */

const soon = 14;

/** A grant that ends. */
export interface EndingGrant {
  readonly user: string;
  /** Id of the team; omitted for the role in the organization. */
  readonly team?: string;
  readonly role: string;
  readonly on: string;
  readonly becomes: string;
  /** The previous role may be restored even if it is more powerful (`allowRaise`). */
  readonly raises?: true;
  /** Ids of the teams that still declare the person, although the end of the grant removes the person from the organization. */
  readonly stillIn?: readonly string[];
  /** Days until the last day: 0 on that day, negative after it. */
  readonly days: number;
}

/** What the plan knows of the person of a grant. */
export interface Known {
  /** Whether the state records a role of the person. */
  isManaged(user: string): boolean;
  /** The previous role of a managed person, the live role of others; `undefined` for a non-member. */
  previousRole(user: string): string | undefined;
  /** The live role; `undefined` for a non-member. */
  role(user: string): string | undefined;
  /** The recorded role in a team; null if the person was not in it, `undefined` if the stack did not manage the team. */
  teamRole(user: string, team: string): string | null | undefined;
}

export function knownIn(change: PlannedChange): Known {
  const { organization, access } = change;
  const place = placeIn(organization);
  const planned = (user: string) => access.of(place, personNamed(change, user));
  return {
    isManaged: (user) => (planned(user)?.from.length ?? 0) > 0,
    previousRole: (user) => planned(user)?.previous,
    role: (user) => {
      const { id, live } = personNamed(change, user);
      return live && access.levelBefore(place, id);
    },
    teamRole: (user, team) => recordedRole(change, user, team),
  };
}

function recordedRole(change: PlannedChange, user: string, team: string): string | null | undefined {
  const { organization, access } = change;
  const { id } = personNamed(change, user, team);
  const managers = access.input.managers.filter((one) => one.recorded && managedPlace(one, organization).team === team);
  const own = managers.flatMap((one) =>
    (one.recorded?.assignments ?? []).filter(({ place, user }) => access.personRecorded(one, place, user).id === id),
  );
  return managers.length === 0 ? undefined : (own[0]?.level ?? null);
}

/** The grants that have ended, those with at most 14 days left, and those that have no effect at their end; the earliest first. */
export function describeEndingGrants(known: Known, organization: OrganizationFile, now: Date): string[] {
  const shown = listEndingGrants(organization, now).filter(
    (ending) => ending.days <= soon || hasNoEffect(ending, known),
  );
  return shown.map((ending) => describeEndingGrant(ending, known));
}

/** All grants that end. */
export function listEndingGrants({ members = {}, teams = {} }: OrganizationFile, now: Date): EndingGrant[] {
  const ofMembers = Object.entries(members).flatMap(([user, declared]): EndingGrant[] => {
    const { role, expires } = memberGrant(declared);
    if (!expires) return [];
    const { on, then } = expires;
    const stillIn = then === "remove" ? teamsWith(teams, user) : [];
    const raises = memberGrant(declared).allowRaise === true;
    return [
      {
        user,
        role,
        on,
        becomes: then,
        ...(raises && { raises: true as const }),
        ...(stillIn.length > 0 && { stillIn }),
        days: daysLeft(on, now),
      },
    ];
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

function teamsWith(teams: NonNullable<OrganizationFile["teams"]>, user: string): string[] {
  const names = (team: (typeof teams)[string]) =>
    Object.keys(declaredPeople(team).people).map(userKey).includes(userKey(user));
  return Object.entries(teams).flatMap(([id, team]) => (names(team) ? [id] : []));
}

/** Whether the person keeps the granted role, because the previous role is not lower. */
function hasNoEffect(ending: EndingGrant, known: Known): boolean {
  return ending.becomes === "previous" && restoredIn(ending, known)?.after === ending.role;
}

/** The role after the end of a grant that restores the previous role; `undefined` if that role is not known. */
function restoredIn({ user, role, raises }: EndingGrant, known: Known) {
  const previous = known.previousRole(user);
  return previous === undefined ? undefined : restoreAfter(role, previous, raises === true);
}

/** An ending grant as a sentence. */
export function describeEndingGrant(ending: EndingGrant, known: Known): string {
  const { user, team, role, on, stillIn = [], days } = ending;
  const held = team === undefined ? `has the role ${role}` : `is ${role} of team ${team}`;
  const had = team === undefined ? `had the role ${role}` : `was ${role} of team ${team}`;
  const what = team === undefined ? `the role ${role}` : `${role} of team ${team}`;
  const more =
    stillIn.length === 0 ? "" : `; the file still has ${user} in ${enumerated(stillIn)}: remove that line as well`;
  const after = describeAfterwards(ending, known);
  const applied = wasApplied(ending, known);
  if (days < 0 && applied) return `${user} ${had} to the end of ${on} (UTC), and ${after}${more}`;
  if (days < 0) {
    const when = applied === undefined ? "" : " before it was ever applied";
    return `${user}: the grant of ${what} had ended with ${on} (UTC)${when}, so it has no effect; ${user} ${after}${more}`;
  }
  const left = days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
  return `${user} ${held} to the end of ${on} (UTC), ${left}, and then ${describeConsequence(ending, known)}${more}`;
}

/** Whether the stack has applied the grant; `undefined` if it may have done so and has released it since, which the state does not record. */
function wasApplied({ user, team, becomes }: EndingGrant, known: Known): boolean | undefined {
  const role = team === undefined ? undefined : known.teamRole(user, team);
  if (team === undefined ? known.isManaged(user) : role) return true;
  const leavesNothing = becomes === "remove" || becomes === "previous";
  return leavesNothing && (team === undefined || role === null) ? undefined : false;
}

/** What follows a grant that has ended. A change that an earlier run has already made is not announced again. */
function describeAfterwards(ending: EndingGrant, known: Known): string {
  const { user, team, becomes } = ending;
  if (team !== undefined) return describeAfterwardsInTeam(team, ending, known);
  const role = known.role(user);
  if (role === becomes) {
    return becomes === "guest"
      ? "is a guest now: declare the role guest"
      : `has the role ${becomes} now: declare that role`;
  }
  const released = becomes === "previous" || becomes === "remove";
  if (!released || known.isManaged(user)) return `now ${describeConsequence(ending, known)}`;
  // The role was released by an earlier run, or it was never managed.
  if (role === undefined) return "is no longer a member: remove the line";
  return `keeps the role ${role}, which this stack does not manage: remove the line, or declare the right role`;
}

function describeAfterwardsInTeam(team: string, ending: EndingGrant, known: Known): string {
  const { user, becomes } = ending;
  const role = known.teamRole(user, team);
  if (becomes === "remove" && role === undefined) return "does not get into the team: remove the line";
  if (becomes === "remove" && role === null) return "is no longer in the team: remove the line";
  if (becomes === role) return `is ${becomes} now: declare that role`;
  return `now ${describeConsequence(ending, known)}`;
}

function describeConsequence(ending: EndingGrant, known: Known): string {
  const { becomes, team, user, role } = ending;
  if (becomes === "remove") return `is removed from ${team === undefined ? "the organization" : "the team"}`;
  if (becomes === "guest") return "becomes a guest";
  if (becomes !== "previous") return team === undefined ? `gets the role ${becomes}` : `becomes ${becomes}`;
  const previous = known.previousRole(user);
  const reason = restoredIn(ending, known)?.reason;
  if (reason === undefined) return "gets back the previous role";
  if (reason === "would raise") {
    return `keeps the role ${role}, because the previous role (${previous}) is higher: add allowRaise: true to the grant, or declare the role that follows instead of previous`;
  }
  if (reason === "same") {
    return `keeps the role ${role}, which is the previous role: declare the role that follows instead of previous`;
  }
  return `gets back the previous role (${previous})`;
}
