import type * as resources from "./hosts/dynamic/classes";
import type { AnyDefinition } from "./lifecycle/definition";
import { memberRole } from "./resources/member-role";
import { memberRoles } from "./resources/member-roles";
import { samlProvider } from "./resources/saml-provider/saml-provider";
import { site } from "./resources/site/site";
import { siteAdaptiveSchema } from "./resources/site-adaptive-schema/site-adaptive-schema";
import { siteStructureOrder } from "./resources/site-structure-order/site-structure-order";
import { teamMembers } from "./resources/team-members/team-members";
import { teamMembership } from "./resources/team-membership";
import { translation } from "./resources/translation";

export type ResourceName = keyof typeof resources;

/**
 * What every resource that a program can declare is made of.
 * @internal
 */
export const definitions: Readonly<Record<ResourceName, AnyDefinition>> = {
  MemberRole: memberRole,
  MemberRoles: memberRoles,
  SamlProvider: samlProvider,
  Site: site,
  SiteAdaptiveSchema: siteAdaptiveSchema,
  SiteStructureOrder: siteStructureOrder,
  TeamMembers: teamMembers,
  TeamMembership: teamMembership,
  Translation: translation,
};
