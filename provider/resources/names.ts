// Made by `npm run reference` from provider/definitions.ts.

/** The name of a resource, which is that of its class. */
export type ResourceName =
  | "MemberRole"
  | "MemberRoles"
  | "SamlProvider"
  | "Site"
  | "SiteAdaptiveSchema"
  | "SiteStructureOrder"
  | "TeamMembers"
  | "TeamMembership"
  | "Translation";
