import { enumerated } from "../../access/bulk";
import { rankOf } from "../../access/roles";
import { userKey } from "../../access/user";
import type { OrganizationFile } from "../file/types";
import { daysLeft, declaredIn, memberGrant, teamGrant } from "../sections/grants";
import type { RoleProjection } from "./roles";

/** Who should know before a grant ends, and what will really happen. */

const soon = 14;

/** A grant that ends. */
export interface EndingGrant {
  readonly user: string;
  /** Id of the team; without it, it is the role in the organization. */
  readonly team?: string;
  readonly role: string;
  readonly on: string;
  readonly becomes: string;
  /** The role from before may be a more powerful one (`allowRaise`). */
  readonly raises?: true;
  /** Ids of the teams that name somebody who is removed from the organization, and would not be in them any more. */
  readonly stillIn?: readonly string[];
  /** Days until the last one: 0 on it, negative when the grant is over. */
  readonly days: number;
}

/** What is known of the person whose role ends. */
export type Known = Pick<RoleProjection, "isManaged" | "previousRole" | "member" | "teamRole">;

/** The grants that are over, those that have at most 14 days left, and those that would not end; the first one to end first. */
export function describeEndingGrants(known: Known, organization: OrganizationFile, now: Date): string[] {
  const shown = listEndingGrants(organization, now).filter((ending) => ending.days <= soon || isEndless(ending, known));
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
    Object.entries(declaredIn(declaredTeam).people).flatMap(([user, declared]): EndingGrant[] => {
      const { role, expires } = teamGrant(declared);
      if (!expires) return [];
      return [{ user, team, role, on: expires.on, becomes: expires.then ?? "remove", days: daysLeft(expires.on, now) }];
    }),
  );
  return [...ofMembers, ...ofTeams].sort((a, b) => a.days - b.days);
}

function teamsWith(teams: NonNullable<OrganizationFile["teams"]>, user: string): string[] {
  const names = (team: (typeof teams)[string]) =>
    Object.keys(declaredIn(team).people).map(userKey).includes(userKey(user));
  return Object.entries(teams).flatMap(([id, team]) => (names(team) ? [id] : []));
}

/** The role from before is no lower: somebody had it already, or a run that was ended in the middle has given it. */
function isEndless({ user, becomes, role, team, raises }: EndingGrant, known: Known): boolean {
  if (becomes !== "previous" || team !== undefined) return false;
  const previous = known.previousRole(user);
  if (previous === undefined || rankOf(previous) < rankOf(role)) return false;
  return !raises || rankOf(previous) === rankOf(role);
}

/** An ending in words. */
export function describeEndingGrant(ending: EndingGrant, known: Known): string {
  const { user, team, role, on, stillIn = [], days } = ending;
  const held = team === undefined ? `has the role ${role}` : `is ${role} of team ${team}`;
  const had = team === undefined ? `had the role ${role}` : `was ${role} of team ${team}`;
  const what = team === undefined ? `the role ${role}` : `${role} of team ${team}`;
  const more =
    stillIn.length === 0 ? "" : `; the file still has ${user} in ${enumerated(stillIn)}: take the line out as well`;
  const after = afterwards(ending, known);
  const applied = wasApplied(ending, known);
  if (days < 0 && applied) return `${user} ${had} to the end of ${on} (UTC), and ${after}${more}`;
  if (days < 0) {
    const when = applied === undefined ? "" : " before it was ever applied";
    return `${user}: the grant of ${what} had ended with ${on} (UTC)${when}, so nothing is given; ${user} ${after}${more}`;
  }
  const left = days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
  return `${user} ${held} to the end of ${on} (UTC), ${left}, and then ${consequence(ending, known)}${more}`;
}

/** Whether the stack has given it; `undefined` if it may have, and has taken it back since, which leaves nothing in the state. */
function wasApplied({ user, team, becomes }: EndingGrant, known: Known): boolean | undefined {
  const role = team === undefined ? undefined : known.teamRole(user, team);
  if (team === undefined ? known.isManaged(user) : role) return true;
  const leavesNothing = becomes === "remove" || becomes === "previous";
  return leavesNothing && (team === undefined || role === null) ? undefined : false;
}

/** What an earlier run has done already is not announced again. */
function afterwards(ending: EndingGrant, known: Known): string {
  const { user, team, becomes } = ending;
  if (team !== undefined) return afterwardsIn(team, ending, known);
  const member = known.member(user);
  const level = becomes === "guest" ? null : becomes;
  if (member && member.role === level) {
    return becomes === "guest"
      ? "is a guest now: write guest as the role"
      : `has the role ${becomes} now: write that as the role`;
  }
  const released = becomes === "previous" || becomes === "remove";
  if (!released || known.isManaged(user)) return `now ${consequence(ending, known)}`;
  // Whose role the stack does not manage, has it as it is: it was given back already, or never managed.
  if (!member) return "is no member any more: take the line out";
  return `keeps the role ${member.role ?? "guest"}, which this stack does not manage: take the line out, or declare the role that is right`;
}

function afterwardsIn(team: string, ending: EndingGrant, known: Known): string {
  const { user, becomes } = ending;
  const role = known.teamRole(user, team);
  if (becomes === "remove" && role === undefined) return "is left out of the team: take the line out";
  if (becomes === "remove" && role === null) return "is not in the team any more: take the line out";
  if (becomes === role) return `is ${becomes} now: write that as the role`;
  return `now ${consequence(ending, known)}`;
}

function consequence(ending: EndingGrant, known: Known): string {
  const { becomes, team, user } = ending;
  if (becomes === "remove") return `is removed from ${team === undefined ? "the organization" : "the team"}`;
  if (becomes === "guest") return "becomes a guest";
  if (becomes !== "previous") return team === undefined ? `gets the role ${becomes}` : `becomes ${becomes}`;
  const previous = known.previousRole(user);
  if (previous === undefined) return "gets back the role from before";
  const before = previous ?? "guest";
  if (isEndless(ending, known)) {
    return `keeps the role ${before}, which was found when it was taken under management: write the role that follows in the place of previous`;
  }
  return `gets back the role from before (${before})`;
}
