import type { Resource } from "./resources";

/** Source of the names of the resources, for code and type declarations that do not load the definitions and their schemas. */
export function namesFile(resources: readonly Resource[]): string {
  const names = resources.map(({ name }) => JSON.stringify(name));
  return [
    "// Made by `npm run reference` from provider/definitions.ts.\n",
    `export const resourceNames = [${names.join(", ")}] as const;\n`,
    "/** Name of a resource: the name of its class. */",
    "export type ResourceName = (typeof resourceNames)[number];\n",
  ].join("\n");
}
