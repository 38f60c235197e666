export {
  type ExistingComponent,
  type ExistingResource,
  type ImportFile,
  type ImportOptions,
  importFile,
} from "./import-file";
export * from "./lookups";
export * from "./resources";
export type * from "./resources/arguments";
