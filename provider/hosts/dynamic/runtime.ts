import type { dynamic } from "@pulumi/pulumi";
import { DocsError } from "../../api/http/errors";
import type { AnyDefinition } from "../../lifecycle/definition";
import { handlerOf } from "../../lifecycle/handler";
import { quietenHost } from "../../run/presentation";
import { endWithEngine } from "./engine-watch";

quietenHost();
// The host is started with the address of the engine.
endWithEngine(process.argv[2]);

/** How each resource is loaded: only when its first call comes. */
const definitions: Readonly<Record<string, () => AnyDefinition>> = {
  MemberRole: () => require("../../resources/member-role").memberRole,
  MemberRoles: () => require("../../resources/member-roles").memberRoles,
  SamlProvider: () => require("../../resources/saml-provider/saml-provider").samlProvider,
  Site: () => require("../../resources/site/site").site,
  SiteAdaptiveSchema: () => require("../../resources/site-adaptive-schema/site-adaptive-schema").siteAdaptiveSchema,
  SiteStructureOrder: () => require("../../resources/site-structure-order/site-structure-order").siteStructureOrder,
  TeamMembers: () => require("../../resources/team-members/team-members").teamMembers,
  TeamMembership: () => require("../../resources/team-membership").teamMembership,
  Translation: () => require("../../resources/translation").translation,
};

const handlers = new Map<string, dynamic.ResourceProvider>();

/** The handlers of a resource, for the text that the engine has stored (see stub.ts). */
export function handler(resource: string): dynamic.ResourceProvider {
  const load = definitions[resource];
  if (!load) {
    throw new DocsError(
      `this version of pulumi-docs-org has no resource "${resource}"; install the version that the stack was last changed with, or a newer one`,
    );
  }
  const made = handlers.get(resource) ?? handlerOf(load());
  handlers.set(resource, made);
  return made;
}
