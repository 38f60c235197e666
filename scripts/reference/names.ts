import type { Resource } from "./resources";

/** Source of the names of the resources, for type declarations that do not load the definitions and their schemas. */
export function namesFile(resources: readonly Resource[]): string {
  const names = resources.map(({ name }) => JSON.stringify(name));
  return [
    "// Made by `npm run reference` from provider/definitions.ts.\n",
    "/** Name of a resource: the name of its class. */",
    `export type ResourceName = ${names.join(" | ")};\n`,
  ].join("\n");
}
