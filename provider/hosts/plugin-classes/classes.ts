// Made by `npm run reference` from provider/definitions.ts and the doc comments of the definitions.
import type {
  MemberRoleInputs,
  MemberRoleOutputs,
  MemberRolesInputs,
  MemberRolesOutputs,
  SamlProviderInputs,
  SamlProviderOutputs,
  SiteAdaptiveSchemaInputs,
  SiteAdaptiveSchemaOutputs,
  SiteInputs,
  SiteOutputs,
  SiteStructureOrderInputs,
  SiteStructureOrderOutputs,
  TeamMembershipInputs,
  TeamMembershipOutputs,
  TeamMembersInputs,
  TeamMembersOutputs,
  TranslationInputs,
  TranslationOutputs,
} from "../../program/arguments";
import { pluginResourceClass } from "./resource-class";

/**
 * The role of one member of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the user, or the e-mail that no member had at the creation.
 *
 * `onRelease` decides what a deletion does. By default, it restores the previous role, unless that would raise the role.
 *
 * @example
 * ```ts
 * new docs.MemberRole("ada", { user: "ada@acme.test", role: "review", onRelease: "leave" });
 * ```
 */
export class MemberRole extends pluginResourceClass<MemberRoleInputs, MemberRoleOutputs>({
  name: "MemberRole",
  inputs: ["organizationId", "user", "role", "sso", "onRelease", "allowRaise"],
  outputs: ["userId", "previousRole", "email", "displayName", "pending", "absent", "releasing"],
}) {}

/**
 * The roles of many members of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the organization, followed by `/roles`.
 *
 * `onRelease` decides what a deletion does for each person. By default, it restores the previous role, unless that would raise the role.
 *
 * @example
 * ```ts
 * new docs.MemberRoles("editors", {
 *   roles: { "ada@acme.test": "review", "grace@acme.test": "edit", user_linus: "guest" },
 * });
 * ```
 */
export class MemberRoles extends pluginResourceClass<MemberRolesInputs, MemberRolesOutputs>({
  name: "MemberRoles",
  inputs: ["organizationId", "roles", "sso", "ignore", "others", "onRelease", "allowRaise", "allowRaiseOf"],
  outputs: ["userIds", "previousRoles", "pending", "absent", "found"],
}) {}

/**
 * A SAML identity provider that members of the organization sign in with.
 *
 * @remarks
 * Its id is the id of the provider.
 *
 * A destroy deletes the provider: people can no longer sign in with it.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 *
 * new docs.SamlProvider("sign-in", {
 *   label: "Acme sign-in",
 *   entityID: "https://id.acme.test/saml",
 *   ssoURL: "https://id.acme.test/saml/sign-in",
 *   certificate: readFileSync("sign-in.pem", "utf8"),
 *   defaultRole: "read",
 * });
 * ```
 */
export class SamlProvider extends pluginResourceClass<SamlProviderInputs, SamlProviderOutputs>({
  name: "SamlProvider",
  inputs: [
    "organizationId",
    "label",
    "entityID",
    "certificate",
    "ssoURL",
    "defaultTeam",
    "defaultRole",
    "allowDuplicate",
  ],
  outputs: ["samlProviderId", "status", "fingerprint", "expiresAt", "certificates", "service", "createdAt"],
}) {}

/**
 * A docs site: its title, who can open it, where it is served, and whether it is published.
 *
 * @remarks
 * Its id is the id of the site.
 *
 * A destroy deletes the site, with its sections, links, customization and everything else that was set up in it.
 *
 * @example
 * ```ts
 * new docs.Site("handbook", {
 *   title: "Handbook",
 *   visibility: "visitor-auth",
 *   spaces: ["guides"],
 *   adaptiveContent: { enabled: true },
 *   published: true,
 * });
 * ```
 */
export class Site extends pluginResourceClass<SiteInputs, SiteOutputs>({
  name: "Site",
  inputs: [
    "organizationId",
    "title",
    "type",
    "visibility",
    "spaces",
    "basename",
    "proxy",
    "agentsContext",
    "adaptiveContent",
    "defaultSiteSpace",
    "defaultSpace",
    "defaultSiteSection",
    "published",
    "allowReplace",
    "allowDuplicate",
  ],
  outputs: [
    "siteId",
    "liveType",
    "liveSpaces",
    "siteSpaces",
    "siteSpaceIds",
    "features",
    "proxyTarget",
    "hostname",
    "urls",
    "createdAt",
  ],
}) {}

/**
 * What a site knows about its visitors, for content that adapts to them.
 *
 * @remarks
 * Its id is the id of the site.
 *
 * The API cannot delete a schema: `onRelease` decides what a deletion does. By default, the site has no claims afterwards.
 *
 * @example
 * ```ts
 * const handbook = new docs.Site("handbook", { title: "Handbook", adaptiveContent: { enabled: true } });
 *
 * new docs.SiteAdaptiveSchema("visitors", {
 *   siteId: handbook.id,
 *   claims: { beta: { type: "boolean", description: "Whether the visitor tests what is new." } },
 * });
 * ```
 */
export class SiteAdaptiveSchema extends pluginResourceClass<SiteAdaptiveSchemaInputs, SiteAdaptiveSchemaOutputs>({
  name: "SiteAdaptiveSchema",
  inputs: ["organizationId", "siteId", "jsonSchema", "claims", "unsignedClaims", "allowBreaking", "onRelease"],
  outputs: [],
}) {}

/**
 * The order of a site's sections, groups and site spaces. Items out of order are moved, with the fewest moves, and only among
 * their siblings: the API cannot move an item to another parent. Unlisted items follow the listed ones in their live order; an
 * unlisted item is drift only if it precedes a listed one.
 *
 * @remarks
 * Its id is the id of the site: declare one for each site.
 *
 * A destroy changes nothing at the service, because there is no previous order to restore.
 *
 * @example
 * ```ts
 * const product = new docs.Site("product", { title: "Product", published: true });
 *
 * new docs.SiteStructureOrder("product", {
 *   siteId: product.id,
 *   order: ["section_guides", { id: "group_developers", order: ["section_reference", "section_sdks"] }],
 * });
 * ```
 */
export class SiteStructureOrder extends pluginResourceClass<SiteStructureOrderInputs, SiteStructureOrderOutputs>({
  name: "SiteStructureOrder",
  inputs: ["organizationId", "siteId", "order"],
  outputs: [],
}) {}

/**
 * All members of one team. Unmanaged members are removed only after a preview has shown them.
 *
 * @remarks
 * Its id is the id of the team.
 *
 * `onRelease` decides what a deletion does. By default, it removes the declared people from the team, and nobody else.
 *
 * @example
 * ```ts
 * new docs.TeamMembers("writers", {
 *   teamId: "team_writers",
 *   members: { "ada@acme.test": "owner", "grace@acme.test": "member" },
 *   ignore: ["*@contractor.test"],
 * });
 * ```
 */
export class TeamMembers extends pluginResourceClass<TeamMembersInputs, TeamMembersOutputs>({
  name: "TeamMembers",
  inputs: ["organizationId", "teamId", "members", "ignore", "exclusive", "allowNoOwner", "onRelease"],
  outputs: ["userIds", "pending", "absent", "found"],
}) {}

/**
 * One person in one team. Other members of the team are not changed; use `TeamMembers` to manage all of them.
 *
 * @remarks
 * Its id is the id of the team, a slash, and the user that was declared at creation, with an e-mail in lower case: `team_1/ada@acme.test`.
 *
 * A deletion removes the person from the team, unless another resource of the same run manages the membership.
 *
 * @example
 * ```ts
 * new docs.TeamMembership("ada", { teamId: "team_writers", user: "ada@acme.test", role: "owner" });
 * ```
 */
export class TeamMembership extends pluginResourceClass<TeamMembershipInputs, TeamMembershipOutputs>({
  name: "TeamMembership",
  inputs: ["organizationId", "teamId", "user", "role"],
  outputs: ["userId", "pending", "absent", "releasing"],
}) {}

/**
 * A translation of a space into another language, which the service keeps up to date.
 *
 * @remarks
 * Its id is the id of the translation.
 *
 * A destroy deletes the translation.
 *
 * @example
 * ```ts
 * new docs.Translation("guides-fr", {
 *   source: { space: "guides", language: "en" },
 *   language: "fr",
 *   instructions: "Keep the names of products.",
 *   rerun: 1,
 * });
 * ```
 */
export class Translation extends pluginResourceClass<TranslationInputs, TranslationOutputs>({
  name: "Translation",
  inputs: ["organizationId", "source", "language", "instructions", "rerun", "allowDuplicate"],
  outputs: ["translationId", "result", "status", "createdAt"],
}) {}
