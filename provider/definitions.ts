// One line for each resource: classes, handlers, reviews and the reference derive from it.
export { memberRole as MemberRole } from "./resources/member-role";
export { memberRoles as MemberRoles } from "./resources/member-roles/member-roles";
export { samlProvider as SamlProvider } from "./resources/saml-provider/saml-provider";
export { site as Site } from "./resources/site/site";
export { siteAdaptiveSchema as SiteAdaptiveSchema } from "./resources/site-adaptive-schema/site-adaptive-schema";
export { siteStructureOrder as SiteStructureOrder } from "./resources/site-structure-order/site-structure-order";
export { teamMembers as TeamMembers } from "./resources/team-members/team-members";
export { teamMembership as TeamMembership } from "./resources/team-membership/team-membership";
export { translation as Translation } from "./resources/translation";
