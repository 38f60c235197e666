import { enumerated } from "../../access/bulk";
import { daysLeft } from "../../access-plan/grants";
import { rankOfRole } from "../../access-plan/roles";
import { userKey } from "../../people/user";
import type { OrganizationFile } from "../file/types";
import { declaredPeople, memberGrant, teamGrant } from "../sections/grants";
import type { RoleProjection } from "./roles";

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

/** The part of the projection that describes the person of a grant. */
export type Known = Pick<RoleProjection, "isManaged" | "previousRole" | "findMember" | "teamRole">;

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

/** Whether the previous role is not lower than the granted one, so that the end of the grant takes nothing. */
function hasNoEffect({ user, becomes, role, team, raises }: EndingGrant, known: Known): boolean {
  if (becomes !== "previous" || team !== undefined) return false;
  const previous = known.previousRole(user);
  if (previous === undefined || rankOfRole(previous) < rankOfRole(role)) return false;
  return !raises || rankOfRole(previous) === rankOfRole(role);
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
  const member = known.findMember(user);
  const level = becomes === "guest" ? null : becomes;
  if (member && member.role === level) {
    return becomes === "guest"
      ? "is a guest now: declare the role guest"
      : `has the role ${becomes} now: declare that role`;
  }
  const released = becomes === "previous" || becomes === "remove";
  if (!released || known.isManaged(user)) return `now ${describeConsequence(ending, known)}`;
  // The role was released by an earlier run, or it was never managed.
  if (!member) return "is no longer a member: remove the line";
  return `keeps the role ${member.role ?? "guest"}, which this stack does not manage: remove the line, or declare the right role`;
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
  if (previous === undefined) return "gets back the previous role";
  const before = previous ?? "guest";
  if (hasNoEffect(ending, known) && rankOfRole(previous) > rankOfRole(role)) {
    return `keeps the role ${role}, because the previous role (${before}) is higher: add allowRaise: true to the grant, or declare the role that follows instead of previous`;
  }
  if (hasNoEffect(ending, known)) {
    return `keeps the role ${before}, which is the previous role: declare the role that follows instead of previous`;
  }
  return `gets back the previous role (${before})`;
}
