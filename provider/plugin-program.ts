// pulumi-docs-org/plugin: what programs import that use the provider plugin.
import "./start/sdk";

export * from "./hosts/plugin-classes/classes";
export * from "./hosts/plugin-classes/enums";
// With `export *` alone, these names would be ambiguous: types of the service have them too, with other values.
export { Role, SiteType } from "./hosts/plugin-classes/enums";
export type { OrganizationArgs, OrganizationFromFile } from "./organization/arguments";
export type { OrganizationFile } from "./organization/file/types";
export { Organization } from "./organization/remote-component";
export type { LookupOptions, ProviderOption } from "./program/after-resources";
export type * from "./program/arguments";
export type { InOrganization } from "./program/ask";
export { type ClientArgs, client, type StackClient } from "./program/client";
export * from "./program/functions";
export { Provider, type ProviderArgs } from "./program/provider";
export type * from "./program/service-types";
