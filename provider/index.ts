import "./start/sdk";

export type * from "./hosts/dynamic/arguments";
export * from "./hosts/dynamic/classes";
export { client, type StackClient } from "./hosts/dynamic/client";
export { type ImportFile, type ImportOptions, importFile } from "./hosts/dynamic/import-file";
export * from "./hosts/dynamic/lookups";
export type * from "./hosts/dynamic/service-types";
export type { ExistingComponent, ExistingResource } from "./hosts/import-list";
export type { OrganizationArgs, OrganizationFromFile } from "./organization/arguments";
export { Organization } from "./organization/component";
export type { OrganizationFile } from "./organization/file/types";
