/** The parts of a URN: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
interface UrnParts {
  readonly stack: string;
  readonly project: string;
  readonly above: readonly string[];
  readonly type: string;
  readonly name: string;
}

/** The URN that the engine will make. It leaves out the type of the stack, although resources without a parent are children of the stack. */
export function makeUrn({ stack, project, above, type, name }: UrnParts): string {
  const types = [...above.filter((one) => one !== "" && one !== "pulumi:pulumi:Stack"), type];
  return `urn:pulumi:${stack}::${project}::${types.join("$")}::${name}`;
}

/** What types begin with, by host. If a stack moves to the plugin, aliases give its resources the types of the plugin. */
export const prefixes = { dynamic: "pulumi-nodejs:dynamic/docs:", plugin: "docs:index:" } as const;
export type HostName = keyof typeof prefixes;

/** The type of a resource in URNs and states. `resource` is any text: a state may have a resource that only a later version knows. */
export const typeIn = (host: HostName, resource: string): string => prefixes[host] + resource;

export const organizationType = "docs:index:Organization";

export const stackIn = (urn: string): string => urn.split("::")[0]?.split(":")[2] ?? "";

/** The types of the components above a resource, and its own. */
export const typesIn = (urn: string): string[] => (urn.split("::")[2] ?? "").split("$");
/** The type of the resource itself. */
export const typeAt = (urn: string): string => String(typesIn(urn).at(-1));
/** The name that a program gave to a resource. It may contain "::". */
export const nameIn = (urn: string): string => urn.split("::").slice(3).join("::");
