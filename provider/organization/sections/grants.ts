import type { DeclaredTeam, MemberGrant, TeamGrant } from "./schema";

/** Grants that end: what they mean at a time. */

const day = 86_400_000;

/** A member as a grant, also where only the role is written. */
export function memberGrant(declared: MemberGrant | MemberGrant["role"]): MemberGrant {
  return typeof declared === "string" ? { role: declared } : declared;
}

/** A team's member as a grant, also where only the role is written. */
export function teamGrant(declared: TeamGrant | TeamGrant["role"]): TeamGrant {
  return typeof declared === "string" ? { role: declared } : declared;
}

/** The people whom a team declares, and the property that does: everybody in it, or single people in it. */
export function declaredIn({ members, memberships }: Pick<DeclaredTeam, "members" | "memberships">) {
  if (members === undefined && memberships !== undefined)
    return { property: "memberships", people: memberships } as const;
  return { property: "members", people: members ?? {} } as const;
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
export function daysLeft(on: string, now: Date): number {
  return Math.round(Date.parse(on) / day) - Math.floor(now.getTime() / day);
}
