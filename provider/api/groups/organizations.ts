import { z } from "zod";
import { dateTime, identifier, openEnum, permissionsOf, roleOrGuest, url } from "./shared";

/** Organizations. The API document has no operation for them; references in other answers contain them. */

export const organizationPermissions = [
  "view",
  "admin",
  "ownTeam",
  "createContent",
  "createOpenAPISpec",
  "ingestConversations",
  "viewBilling",
  "listMembers",
  "listTeams",
  "listIntegrations",
  "listInstallations",
  "installIntegration",
] as const;

const trial = z.strictObject({
  status: openEnum(["notapplicable", "none", "active", "ended", "expired"]).optional(),
  count: z.number().int().optional(),
  endDate: dateTime.optional(),
  decision: openEnum(["downgrade"]).optional(),
});

/** The API document does not show which properties of `trial` and `mergeRules` are required. */
export const organization = z.strictObject({
  object: z.literal("organization"),
  id: identifier,
  title: z.string().min(2).max(255),
  createdAt: dateTime,
  hostname: z.string().min(3).max(32).optional(),
  customHostname: z.string().optional(),
  emailDomains: z.array(z.string()),
  type: openEnum(["business", "community"]),
  useCase: z.string().optional(),
  communityType: openEnum(["nonProfit", "openSource", "education"]).optional(),
  defaultRole: roleOrGuest.optional(),
  defaultContent: z.strictObject({ type: z.literal("site"), site: identifier }).optional(),
  sso: z.boolean().optional(),
  ai: z.boolean().optional(),
  inviteLinks: z.boolean(),
  plan: z.string(),
  billing: z.looseObject({}).optional(),
  mergeRules: z.strictObject({ type: z.string(), rules: z.array(z.looseObject({ rule: z.string() })).optional() }),
  urls: z.strictObject({ location: url, app: url, logo: url.optional() }),
  trial,
  blocked: z.strictObject({ source: openEnum(["backoffice", "external", "internal"]), reason: z.string() }).optional(),
  internal_billingMigration: z.looseObject({}).optional(),
  permissions: permissionsOf(...organizationPermissions),
});
export type OrganizationAnswer = z.output<typeof organization>;
