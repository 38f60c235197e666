// Made by `npm run reference` from the package schema.

export const AgentsContext = {
  Excluded: "excluded",
  Included: "included",
} as const;
export type AgentsContext = (typeof AgentsContext)[keyof typeof AgentsContext];

export const ClaimType = {
  Boolean: "boolean",
  String: "string",
  Number: "number",
  Array: "array",
  Object: "object",
} as const;
export type ClaimType = (typeof ClaimType)[keyof typeof ClaimType];

export const MemberRolesOthersMembers = {
  Keep: "keep",
  Refuse: "refuse",
  Guest: "guest",
  Remove: "remove",
} as const;
export type MemberRolesOthersMembers = (typeof MemberRolesOthersMembers)[keyof typeof MemberRolesOthersMembers];

export const Release = {
  Restore: "restore",
  Leave: "leave",
  Guest: "guest",
  Remove: "remove",
} as const;
export type Release = (typeof Release)[keyof typeof Release];

export const Role = {
  Admin: "admin",
  Create: "create",
  Review: "review",
  Edit: "edit",
  Comment: "comment",
  Read: "read",
  Guest: "guest",
} as const;
export type Role = (typeof Role)[keyof typeof Role];

export const SiteAdaptiveSchemaOnRelease = {
  Leave: "leave",
  Remove: "remove",
} as const;
export type SiteAdaptiveSchemaOnRelease =
  (typeof SiteAdaptiveSchemaOnRelease)[keyof typeof SiteAdaptiveSchemaOnRelease];

export const SiteType = {
  Basic: "basic",
  Premium: "premium",
  Ultimate: "ultimate",
  Sponsored: "sponsored",
  LegacyBasic: "legacy-basic",
  LegacyPremium: "legacy-premium",
} as const;
export type SiteType = (typeof SiteType)[keyof typeof SiteType];

export const SiteVisibility = {
  Public: "public",
  Unlisted: "unlisted",
  ShareLink: "share-link",
  VisitorAuth: "visitor-auth",
} as const;
export type SiteVisibility = (typeof SiteVisibility)[keyof typeof SiteVisibility];

export const TeamMembersOnRelease = {
  Leave: "leave",
  Remove: "remove",
} as const;
export type TeamMembersOnRelease = (typeof TeamMembersOnRelease)[keyof typeof TeamMembersOnRelease];

export const TeamRole = {
  Owner: "owner",
  Member: "member",
} as const;
export type TeamRole = (typeof TeamRole)[keyof typeof TeamRole];
