import "./start/sdk";

export * from "./hosts/dynamic/classes";
export { importFile } from "./hosts/dynamic/import-file";
export type { ExistingComponent, ExistingResource, ImportFile, ImportOptions } from "./hosts/import-list";
export type { OrganizationArgs, OrganizationFromFile } from "./organization/arguments";
export { Organization } from "./organization/component";
export type { OrganizationFile } from "./organization/file/types";
export type { LookupOptions, ProviderOption } from "./program/after-resources";
export type * from "./program/arguments";
export type { InOrganization } from "./program/ask";
export { type ClientArgs, client, type StackClient } from "./program/client";
export * from "./program/functions";
export type * from "./program/service-types";
