import { z } from "zod";
import { roles, teamRoles } from "../../api/groups/shared";
import { memberRole } from "../../resources/member-role";

/** Roles that are granted, some of them until a day, and what they mean at a time. */

const lastDay = z.iso
  .date("use a day that exists, written as 2027-01-31")
  .describe("Last day, as 2027-01-31: the grant is valid to its end, in UTC.");

const reason = z
  .string()
  .min(1)
  .max(500)
  .describe("Why the person has this, for those who review it; 1 to 500 characters. It is not sent to the service.");

export const organizationRoles = [...roles, "guest"] as const;
const organizationRole = z
  .enum(organizationRoles)
  .describe("Role in the organization: admin, create, review, edit, comment or read; `guest` makes a guest.");

const memberGrantObject = z.strictObject({
  role: organizationRole,
  sso: memberRole.inputs.shape.sso,
  allowRaise: z
    .literal(true, "use true, or leave it out")
    .describe(
      "Allows a destroy, and `previous` at the end of the grant, to bring back a role that is more powerful than the one that the person has by then.",
    )
    .optional(),
  reason: reason.optional(),
  expires: z
    .strictObject({
      on: lastDay,
      // An old role may be more than the present one: what comes after is written down by whoever grants.
      then: z
        .enum([...organizationRoles, "previous", "remove"])
        .describe(
          "What follows: a role, `guest`, `previous` (the role found when it was taken under management), or `remove` from the organization.",
        ),
    })
    .describe("Until when the role is granted, and what follows.")
    .optional(),
});
export type MemberGrant = z.output<typeof memberGrantObject>;

const teamRole = z.enum(teamRoles).describe("Role in the team: `owner` (manages its members) or `member`.");

const teamGrantObject = z.strictObject({
  role: teamRole,
  reason: reason.optional(),
  expires: z
    .strictObject({
      on: lastDay,
      then: z
        .enum([...teamRoles, "remove"])
        .describe("What follows: a role in the team, or `remove` from it (the default).")
        .optional(),
    })
    .describe("Until when the membership is granted, and what follows.")
    .optional(),
});
export type TeamGrant = z.output<typeof teamGrantObject>;

/** A role alone, or a grant. What is no text at all is held against the grant, whose mistakes say more. */
function roleOr<Roles extends Record<string, string>, Grant extends z.ZodObject>(role: z.ZodEnum<Roles>, grant: Grant) {
  const names = role.options.map((option) => JSON.stringify(option)).join(", ");
  return z.union([z.string(`use one of ${names}, or an object with a role`).pipe(role), grant]);
}

export const declaredMember = roleOr(organizationRole, memberGrantObject);
export const declaredTeammate = roleOr(teamRole, teamGrantObject);

const day = 86_400_000;

/** A member as a grant, also where only the role is written. */
export function memberGrant(declared: MemberGrant | MemberGrant["role"]): MemberGrant {
  return typeof declared === "string" ? { role: declared } : declared;
}

/** A team's member as a grant, also where only the role is written. */
export function teamGrant(declared: TeamGrant | TeamGrant["role"]): TeamGrant {
  return typeof declared === "string" ? { role: declared } : declared;
}

type People = Record<string, TeamGrant | TeamGrant["role"]>;

interface TeamPeople {
  readonly members?: People | undefined;
  readonly memberships?: People | undefined;
}

/** The people whom a team declares, and the property that does: everybody in it, or single people in it. */
export function declaredIn({ members, memberships }: TeamPeople) {
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
