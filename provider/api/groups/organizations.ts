import { z } from "zod";
import { dateTime, identifier, openEnum, roleOrGuest, url } from "./shared";

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

const plans = [
  "free_2024",
  "plus_2024",
  "pro_2024",
  "enterprise_2024",
  "community_2024",
  "free",
  "plus",
  "pro",
  "internal",
] as const;

const useCases = [
  "internalDocs",
  "docsSite",
  "audienceControlledSite",
  "productDocs",
  "teamKnowledgeBase",
  "designSystem",
  "openSourceDocs",
  "notes",
  "other",
] as const;

const defaultContent = z.strictObject({ type: z.literal("site"), site: identifier });

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
  useCase: openEnum(useCases).optional(),
  communityType: openEnum(["nonProfit", "openSource", "education"]).optional(),
  defaultRole: roleOrGuest.optional(),
  defaultContent: defaultContent.optional(),
  sso: z.boolean().optional(),
  ai: z.boolean().optional(),
  inviteLinks: z.boolean(),
  plan: openEnum(plans),
  billing: z.looseObject({}).optional(),
  mergeRules: z.strictObject({ type: z.string(), rules: z.array(z.looseObject({ rule: z.string() })).optional() }),
  urls: z.strictObject({ location: url, app: url, logo: url.optional() }),
  trial,
  blocked: z.strictObject({ source: openEnum(["backoffice", "external", "internal"]), reason: z.string() }).optional(),
  internal_billingMigration: z.looseObject({}).optional(),
  permissions: z.strictObject(
    Object.fromEntries(organizationPermissions.map((name) => [name, z.boolean()])) as Record<
      (typeof organizationPermissions)[number],
      z.ZodBoolean
    >,
  ),
});
export type OrganizationAnswer = z.output<typeof organization>;
