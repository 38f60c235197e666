import type { ExistingEntry, ImportFile, ImportOptions } from "../import-list";

/**
 * Imports existing objects: returns the content of the file for
 * `pulumi import --file import.json --protect=false --generate-code=false`. That command sends no request. The inputs in the
 * file are the live values, so the next preview shows where the program declares other ones. The address and the token come from the
 * environment (DOCS_BASE_URL, DOCS_TOKEN).
 */
export function importFile(existing: readonly ExistingEntry[], options: ImportOptions = {}): Promise<ImportFile> {
  // Few programs import, so what reads the objects is loaded late.
  const { importResources } = require("./import-resources") as typeof import("./import-resources");
  return importResources(existing, options);
}
