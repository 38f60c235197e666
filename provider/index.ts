export {
  type ExistingComponent,
  type ExistingResource,
  type ImportFile,
  type ImportOptions,
  importFile,
} from "./import-file";
export * from "./lookups";
export { Organization, type OrganizationArgs, type OrganizationFromFile } from "./organization/component";
export type { OrganizationFile } from "./organization/file";
export * from "./resources";
export type * from "./resources/arguments";
export type * from "./service-types";
