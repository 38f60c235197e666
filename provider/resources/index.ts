// One line for each resource: classes, handlers, reviews and the reference derive from it.
export { memberRole as MemberRole } from "./member-role";
export { memberRoles as MemberRoles } from "./member-roles";
export { samlProvider as SamlProvider } from "./saml-provider/saml-provider";
export { site as Site } from "./site/site";
export { siteAdaptiveSchema as SiteAdaptiveSchema } from "./site-adaptive-schema/site-adaptive-schema";
export { siteStructureOrder as SiteStructureOrder } from "./site-structure-order/site-structure-order";
export { teamMembers as TeamMembers } from "./team-members/team-members";
export { teamMembership as TeamMembership } from "./team-membership";
export { translation as Translation } from "./translation";
