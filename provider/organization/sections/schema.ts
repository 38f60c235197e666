import { z } from "zod";
import { identifier, roles, team, teamRoles } from "../../api/groups/shared";
import { memberRole } from "../../resources/member-role";
import { samlProvider } from "../../resources/saml-provider/saml-provider";
import { teamId, userName } from "../../resources/shared/common";
import { site } from "../../resources/site/site";
import { siteAdaptiveSchema } from "../../resources/site-adaptive-schema/site-adaptive-schema";
import { siteStructureOrder } from "../../resources/site-structure-order/site-structure-order";
import { teamMembers } from "../../resources/team-members/team-members";
import { translation } from "../../resources/translation";

/** The organization as one reviewed file, or as the same object in a program. What resources have, they describe. */

declare module "zod" {
  interface GlobalMeta {
    /** The schema that the keys of a map have to fit. A type of zod here would have the compiler compare all schemas in circles. */
    keys?: object;
    /** In a file, `!include` may stand in its place. */
    includable?: true;
  }
}

/** Keys of sites, SAML providers and translations: names of resources, and so the ends of their URNs. */
export const resourceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    "use a name of letters, digits, dots, hyphens and underscores, with a letter or a digit first, at most 100 characters",
  )
  .describe("Name of a resource. It is a part of the URN, so a new name is a new resource.");

const day = z.iso
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

const memberGrant = z.strictObject({
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
      on: day,
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
export type MemberGrant = z.output<typeof memberGrant>;

const teamRole = z.enum(teamRoles).describe("Role in the team: `owner` (manages its members) or `member`.");

const teamGrant = z.strictObject({
  role: teamRole,
  reason: reason.optional(),
  expires: z
    .strictObject({
      on: day,
      then: z
        .enum([...teamRoles, "remove"])
        .describe("What follows: a role in the team, or `remove` from it (the default).")
        .optional(),
    })
    .describe("Until when the membership is granted, and what follows.")
    .optional(),
});
export type TeamGrant = z.output<typeof teamGrant>;

/** A role alone, or a grant. What is no text at all is held against the grant, whose mistakes say more. */
function roleOr<Roles extends Record<string, string>, Grant extends z.ZodObject>(role: z.ZodEnum<Roles>, grant: Grant) {
  const names = role.options.map((option) => JSON.stringify(option)).join(", ");
  return z.union([z.string(`use one of ${names}, or an object with a role`).pipe(role), grant]);
}

function mapOf<Value extends z.ZodType>(keys: z.ZodString, value: Value, description: string) {
  return z.record(z.string(), value).describe(description).meta({ keys, includable: true });
}

const guards = z.strictObject({
  minAdmins: z
    .number()
    .int()
    .min(1)
    .describe(
      "Fewest administrators that the organization may have. Counted are live administrators who can sign in, with what this change gives and takes; not those whose role another resource of the stack has managed, unless `members` declares it.",
    )
    .optional(),
  requiredAdmins: z
    .array(userName)
    .max(100)
    .describe("People who have to be administrators, named as in `members`.")
    .optional(),
  maxRemovals: z
    .union([
      z.number(removals()).int(removals()).min(0, removals()),
      z.string(removals()).regex(/^(?:100|[1-9][0-9]?)%$/, removals()),
    ])
    .describe(
      'Most people who may lose a role or a membership in one run, a lowered role included: a number, or a share of all who have one, such as "25%" (rounded down, at least 1).',
    )
    .optional(),
});

function removals(): string {
  return 'use a whole number such as 5, or a share from "1%" to "100%"';
}

const { ignore, removeExisting, allowNoOwner, onDestroy } = teamMembers.inputs.shape;

const declaredTeam = z.strictObject({
  title: team.shape.title
    .describe("Title of the team, for readers: compared with the live one, shown in the review, never written.")
    .optional(),
  members: mapOf(
    userName,
    roleOr(teamRole, teamGrant),
    "Everybody who is in the team, by user id or e-mail, with the role or a grant. Left out, its members are not managed.",
  ).optional(),
  memberships: mapOf(
    userName,
    roleOr(teamRole, teamGrant),
    "Single people in a team that others manage, by user id or e-mail, with the role or a grant. Other people in the team are left alone. A team has either this or `members`.",
  ).optional(),
  ignore,
  removeExisting,
  allowNoOwner,
  onDestroy,
});
export type DeclaredTeam = z.output<typeof declaredTeam>;

const protect = z
  .boolean()
  .describe("Whether the engine refuses to delete it (the default for sites); false allows the deletion.")
  .optional();

const declaredProvider = samlProvider.inputs.omit({ organizationId: true }).extend({
  certificateFile: z
    .string()
    .min(1)
    .max(500)
    .describe(
      "File with the certificate, relative to the file that names it and below the folder of the organization's file; in place of `certificate`.",
    )
    .optional(),
  protect,
});

const {
  jsonSchema,
  claims,
  unsignedClaims,
  allowBreaking,
  onDestroy: onSchemaDestroy,
} = siteAdaptiveSchema.inputs.shape;

const { organizationId: _, ...siteProperties } = site.inputs.shape;

const declaredSite = z.strictObject({
  ...siteProperties,
  adaptiveSchema: z
    .strictObject({ jsonSchema, claims, unsignedClaims, allowBreaking, onDestroy: onSchemaDestroy })
    .describe("What the site knows about its visitors: `claims` and `unsignedClaims`, or the whole `jsonSchema`.")
    .optional(),
  order: siteStructureOrder.inputs.shape.order.optional(),
  protect,
  allowPublic: z.boolean().describe("Allows that the site becomes public although it was not.").optional(),
});

export const organizationFile = z.strictObject({
  organization: identifier.describe("Id of the organization."),
  guards: guards.describe("What no change may do; checked at preview and again at up.").optional(),
  onRemoval: z
    .enum(["leave", "previous", "guest", "remove"])
    .describe(
      "What leaving this file means for a person's role: `leave` it, give back the `previous` one, make a `guest` (the default), or `remove` the person from the organization.",
    )
    .optional(),
  members: mapOf(
    userName,
    roleOr(organizationRole, memberGrant),
    "People with their role in the organization, by user id or e-mail: the role, or a grant. Only who is listed is managed.",
  ).optional(),
  teams: mapOf(teamId, declaredTeam, "Teams by id.").optional(),
  saml: mapOf(resourceName, declaredProvider, "SAML identity providers by name.").optional(),
  sites: mapOf(resourceName, declaredSite, "Docs sites by name.").optional(),
  translations: mapOf(
    resourceName,
    translation.inputs.omit({ organizationId: true }),
    "Translations of spaces by name.",
  ).optional(),
});
export type OrganizationFile = z.output<typeof organizationFile>;

export const sections = ["members", "teams", "saml", "sites", "translations"] as const;

/** Where `!include` may stand: for a whole section, and for the people of a team. */
export function isIncludable(path: readonly PropertyKey[]): boolean {
  if (path.length === 1) return (sections as readonly PropertyKey[]).includes(path[0] ?? "");
  return path.length === 3 && path[0] === "teams" && ["members", "memberships"].includes(String(path[2]));
}
