// Made by `npm run reference` from provider/definitions.ts.

export const resourceNames = [
  "MemberRole",
  "MemberRoles",
  "SamlProvider",
  "Site",
  "SiteAdaptiveSchema",
  "SiteStructureOrder",
  "TeamMembers",
  "TeamMembership",
  "Translation",
] as const;

/** Name of a resource: the name of its class. */
export type ResourceName = (typeof resourceNames)[number];
