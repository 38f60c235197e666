import type { dynamic } from "@pulumi/pulumi";
import { DocsError } from "./api/errors";
import { endWithEngine } from "./engine-watch";
import { handlerOf } from "./handler";
import { quietenHost } from "./presentation";
import type { AnyDefinition } from "./resource";

quietenHost();
// The host is started with the address of the engine.
endWithEngine(process.argv[2]);

/** How each resource is loaded: only when its first call comes. */
const definitions: Readonly<Record<string, () => AnyDefinition>> = {
  MemberRole: () => require("./resources/member-role").memberRole,
  MemberRoles: () => require("./resources/member-roles").memberRoles,
  SamlProvider: () => require("./resources/saml-provider").samlProvider,
  Site: () => require("./resources/site").site,
  SiteAdaptiveSchema: () => require("./resources/site-adaptive-schema").siteAdaptiveSchema,
  SiteStructureOrder: () => require("./resources/site-structure-order").siteStructureOrder,
  TeamMembers: () => require("./resources/team-members").teamMembers,
  TeamMembership: () => require("./resources/team-membership").teamMembership,
  Translation: () => require("./resources/translation").translation,
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
