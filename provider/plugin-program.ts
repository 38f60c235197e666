// pulumi-docs-org/plugin: what programs import that use the provider plugin.
import "./start/sdk";

export type * from "./hosts/dynamic/arguments";
export type { StackClient } from "./hosts/dynamic/client";
export * from "./hosts/dynamic/lookups";
export type * from "./hosts/dynamic/service-types";
export * from "./hosts/plugin-classes/classes";
export { type ClientArgs, client } from "./hosts/plugin-classes/client";
export * from "./hosts/plugin-classes/enums";
// These names are also those of types of the service, with other values.
export { Role, SiteType } from "./hosts/plugin-classes/enums";
export { Provider, type ProviderArgs } from "./hosts/plugin-classes/provider";
export type { OrganizationArgs, OrganizationFromFile } from "./organization/arguments";
export type { OrganizationFile } from "./organization/file/types";
export { Organization } from "./organization/remote-component";
