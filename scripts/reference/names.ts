import type { Resource } from "./resources";

/** The names of the resources, for declarations that need not know the definitions with all their schemas. */
export function namesFile(resources: readonly Resource[]): string {
  const names = resources.map(({ name }) => JSON.stringify(name));
  return [
    "// Made by `npm run reference` from provider/definitions.ts.\n",
    "/** The name of a resource, which is that of its class. */",
    `export type ResourceName = ${names.join(" | ")};\n`,
  ].join("\n");
}
