import type { MemberGrant, OrganizationFile, TeamGrant } from "./schema";

/** Grants that end: what they mean at a time, and who should know before. */

const day = 86_400_000;
const soon = 14;

/** A member as a grant, also where only the role is written. */
export function memberGrant(declared: MemberGrant | MemberGrant["role"]): MemberGrant {
  return typeof declared === "string" ? { role: declared } : declared;
}

/** A team's member as a grant, also where only the role is written. */
export function teamGrant(declared: TeamGrant | TeamGrant["role"]): TeamGrant {
  return typeof declared === "string" ? { role: declared } : declared;
}

/** What a member has at that time: the role, or what follows it, which may be `previous` or `remove`. */
export function memberRoleAt(declared: MemberGrant | MemberGrant["role"], now: Date) {
  const { role, expires } = memberGrant(declared);
  return expires && hasEnded(expires.on, now) ? expires.then : role;
}

/** What a team's member has at that time: a role, or `remove`. */
export function teamRoleAt(declared: TeamGrant | TeamGrant["role"], now: Date) {
  const { role, expires } = teamGrant(declared);
  return expires && hasEnded(expires.on, now) ? (expires.then ?? "remove") : role;
}

export const hasEnded = (on: string, now: Date): boolean => daysLeft(on, now) < 0;

/** Whole days of the calendar, in UTC: 0 on the last day, negative when it is over. */
function daysLeft(on: string, now: Date): number {
  return Math.round(Date.parse(on) / day) - Math.floor(now.getTime() / day);
}

/** A grant that is over, or is about to be. */
export interface Ending {
  /** Where it is declared. */
  readonly path: readonly string[];
  readonly user: string;
  /** Id of the team; without it, it is the role in the organization. */
  readonly team?: string;
  readonly role: string;
  readonly on: string;
  readonly becomes: string;
  /** Days until the last one: 0 on it, negative when the grant is over. */
  readonly days: number;
}

/** The grants that are over, and those that have at most 14 days left, with the first one to end first. */
export function endingsIn({ members = {}, teams = {} }: OrganizationFile, now: Date): Ending[] {
  const ofMembers = Object.entries(members).map(([user, declared]) => {
    const { role, expires } = memberGrant(declared);
    return expires && { path: ["members", user], user, role, on: expires.on, becomes: expires.then };
  });
  const ofTeams = Object.entries(teams).flatMap(([team, { members = {} }]) =>
    Object.entries(members).map(([user, declared]) => {
      const { role, expires } = teamGrant(declared);
      const path = ["teams", team, "members", user];
      return expires && { path, user, team, role, on: expires.on, becomes: expires.then ?? "remove" };
    }),
  );
  return [...ofMembers, ...ofTeams]
    .flatMap((one) => (one ? [{ ...one, days: daysLeft(one.on, now) }] : []))
    .filter(({ days }) => days <= soon)
    .sort((a, b) => a.days - b.days);
}

/** An ending in words. */
export function endingText({ user, team, role, on, becomes, days }: Ending): string {
  const held = team === undefined ? `has the role ${role}` : `is ${role} of team ${team}`;
  const had = team === undefined ? `had the role ${role}` : `was ${role} of team ${team}`;
  if (days < 0) return `${user} ${had} to the end of ${on} (UTC), and now ${consequence(becomes, team)}`;
  const left = days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
  return `${user} ${held} to the end of ${on} (UTC), ${left}, and then ${consequence(becomes, team)}`;
}

function consequence(becomes: string, team: string | undefined): string {
  if (becomes === "remove") return `is removed from ${team === undefined ? "the organization" : "the team"}`;
  if (becomes === "guest") return "becomes a guest";
  if (becomes === "previous") return "gets back the role from before";
  return team === undefined ? `gets the role ${becomes}` : `becomes ${becomes}`;
}
