import { z } from "zod";
import { beginningOf, endOf, roleAt, type Term } from "../../access-plan/grants";
import { roles, teamRoles } from "../../api/groups/shared";
import { userKey } from "../../people/user";
import { memberRole } from "../../resources/member-role";
import type { Path } from "../file/places";
import type { OrganizationFile } from "../file/types";

/** Grants: roles with a reason and perhaps a beginning and an end, and the role that a grant gives at a given time. */

const howToWrite =
  "use a day that exists, such as 2027-01-31, or a time with its offset, such as 2027-01-31T18:00+01:00";
const day = z.regexes.date.source.slice("^".length, -"$".length);
const time = /T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))/.source;
const moment = z.string(howToWrite).regex(new RegExp(`^${day}(?:${time})?$`), howToWrite);

const lastDay = moment.describe(
  "Last day of the grant, such as 2027-01-31, which ends with this day in UTC; or the time of the end, such as 2027-01-31T18:00+01:00.",
);

const from = moment
  .describe(
    "First day of the grant, such as 2027-01-15, which begins with this day in UTC; or the time of the beginning. Until then, the line has no effect: the person keeps the present access, and gets none.",
  )
  .optional();

/** Refuses a grant that would end before it begins. */
function refuseEndBeforeBeginning(
  { from, expires }: { from?: string; expires?: { on: string } },
  context: z.RefinementCtx,
): void {
  if (from === undefined || !expires || beginningOf(from) < endOf(expires.on)) return;
  // A wrong moment has its own message.
  if (![from, expires.on].every((one) => moment.safeParse(one).success)) return;
  const message = `the grant would end (${expires.on}) before it begins; use an earlier time, or correct expires`;
  context.addIssue({ code: "custom", path: ["from"], message });
}

const reason = z
  .string()
  .min(1)
  .max(500)
  .describe("Reason for the grant, shown in reviews; 1 to 500 characters. It is not sent to the service.");

export const organizationRoles = [...roles, "guest"] as const;
const organizationRole = z
  .enum(organizationRoles)
  .describe(
    "Role in the organization: `admin`, `create`, `review`, `edit`, `comment` or `read`; `guest` for a guest, who has no role.",
  );

/** The end of a grant. `then` says what may follow, and `example` shows a usual one. */
const endOfGrant = <Then extends z.ZodType>(what: string, then: Then, example: string) =>
  z
    .strictObject({ on: lastDay, then }, `use an object such as ${example}`)
    .describe(`End of the ${what}, and what follows.`)
    .optional();

const memberGrantObject = z
  .strictObject({
    role: organizationRole,
    sso: memberRole.inputs.shape.sso,
    allowRaise: z
      .literal(true, "use true, or leave it out")
      .describe(
        "Allows a destroy, and `restore` at the end of the grant, to restore a previous role that is more powerful than the current role.",
      )
      .optional(),
    reason: reason.optional(),
    from,
    expires: endOfGrant(
      "role",
      // There is no default: the previous role may be more powerful than the granted one, so the file must say what follows.
      z
        .enum([...organizationRoles, "restore", "remove"])
        .describe(
          "What follows after the end: a role, `guest`, `restore` (the previous role), or `remove` from the organization.",
        ),
      "{ on: 2027-01-31, then: remove }",
    ),
  })
  .superRefine(refuseEndBeforeBeginning);
export type MemberGrant = z.output<typeof memberGrantObject>;

const teamRole = z.enum(teamRoles).describe("Role in the team: `owner` (manages its members) or `member`.");

const teamGrantObject = z
  .strictObject({
    role: teamRole,
    reason: reason.optional(),
    from,
    expires: endOfGrant(
      "membership",
      z
        .enum([...teamRoles, "remove"])
        .describe("What follows after the end: a role in the team, or `remove` from it (the default).")
        .optional(),
      "{ on: 2027-01-31 }",
    ),
  })
  .superRefine(refuseEndBeforeBeginning);
export type TeamGrant = z.output<typeof teamGrantObject>;

/** A role or a grant. A value that is not a text is checked as a grant, whose messages are more helpful. */
function roleOr<Roles extends Record<string, string>, Grant extends z.ZodObject>(role: z.ZodEnum<Roles>, grant: Grant) {
  const names = role.options.map((option) => JSON.stringify(option)).join(", ");
  return z.union([z.string(`use one of ${names}, or an object with a role`).pipe(role), grant]);
}

export const declaredMember = roleOr(organizationRole, memberGrantObject);
export const declaredTeammate = roleOr(teamRole, teamGrantObject);

export const memberGrant = (declared: MemberGrant | MemberGrant["role"]): MemberGrant =>
  typeof declared === "string" ? { role: declared } : declared;

/**
 * A declared team member as a grant, even if only the role is declared. At its end, the person is removed, unless the file says
 * what follows.
 */
export function teamGrant(declared: TeamGrant | TeamGrant["role"]) {
  const { expires, ...grant }: TeamGrant = typeof declared === "string" ? { role: declared } : declared;
  return { ...grant, expires: expires && { on: expires.on, then: expires.then ?? ("remove" as const) } };
}

export type TeamPeople = Record<string, TeamGrant | TeamGrant["role"]>;

/** The declared people of a team, with the property that declares them: `members` (everyone) or `memberships` (single people). */
export function declaredTeammates({
  members,
  memberships,
}: { readonly [Map in "members" | "memberships"]?: TeamPeople }) {
  if (members === undefined && memberships !== undefined)
    return { property: "memberships", people: memberships } as const;
  return { property: "members", people: members ?? {} } as const;
}

/** The path of the line that declares a person: in `members`, or in a team. */
export function pathOfLine(
  { teams = {} }: Pick<OrganizationFile, "teams">,
  team: string | undefined,
  user: string,
): Path {
  return team === undefined ? ["members", user] : ["teams", team, declaredTeammates(teams[team] ?? {}).property, user];
}

/** The role of a member at the given time: `leave` before the grant; after it, what follows, which may be `restore` or `remove`. */
export const memberRoleAt = (declared: MemberGrant | MemberGrant["role"], now: Date) =>
  roleAt(memberGrant(declared), now);

export interface ListedGrant extends Pick<MemberGrant, "reason" | "allowRaise" | "sso">, Term<string> {
  readonly user: string;
  /** Id of the team; omitted for the role in the organization. */
  readonly team?: string;
  readonly role: string;
}

export function listGrants({ members = {}, teams = {} }: OrganizationFile): ListedGrant[] {
  const ofMembers = Object.entries(members).map(([user, declared]) => ({ user, ...memberGrant(declared) }));
  const ofTeams = Object.entries(teams).flatMap(([team, declared]) =>
    Object.entries(declaredTeammates(declared).people).map(([user, one]) => ({ user, team, ...teamGrant(one) })),
  );
  return [...ofMembers, ...ofTeams];
}

/** People, by key, whose ended grant removes them from the organization, and so from all of its teams. */
export function peopleRemovedBy({ members = {} }: Pick<OrganizationFile, "members">, now: Date): ReadonlySet<string> {
  const removed = Object.entries(members).filter(([, declared]) => memberRoleAt(declared, now) === "remove");
  return new Set(removed.map(([user]) => userKey(user)));
}
