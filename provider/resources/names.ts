// Made by `npm run reference` from provider/definitions.ts.

/** Name of a resource: the name of its class. */
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
