import { Document } from "yaml";
import { DocsError } from "../api/http/errors";
import type { Child } from "../organization/sections";
import type { Properties } from "../run/properties";
import { quoted } from "./yaml";

type Declared = Pick<Child, "name" | "key" | "inputs" | "protect" | "site"> & { readonly resource: string };

/** The resources of a program in Pulumi YAML. `commentAbove` is the lines above a resource. */
export function resourcesInYaml<One extends Declared>(all: readonly One[], commentAbove: (one: One) => string): string {
  const keys = keysOf(all);
  const sites = new Map(all.flatMap((one, index) => (one.resource === "Site" ? [[one.key, keys[index]]] : [])));
  const written = all.map((one, index) => {
    const { resource, name, inputs, protect, site } = one;
    const key = keys[index] as string;
    const siteId = site === undefined ? {} : { siteId: idOf(sites.get(site) as string) };
    const declaration = {
      type: `docs:${resource}`,
      ...(key !== name && { name }),
      properties: { ...literals(inputs, name), ...siteId },
      ...(protect && { options: { protect } }),
    };
    return `${commentAbove(one)}${pulumiYaml({ [key]: declaration })}`.replace(/^(?=.)/gm, "  ");
  });
  return `resources:\n${written.join("\n")}`;
}

/** A value that every version of YAML reads as it is, with certificates as blocks. Pulumi YAML has no aliases. */
export function pulumiYaml(value: object): string {
  const document = new Document(value, { version: "1.1", aliasDuplicateObjects: false });
  return quoted(document, (text) => !/^[A-Za-z$].*$|^-----BEGIN /.test(text));
}

/**
 * The keys of the resources: their names. Resources of several types may have one name, and `pulumi` is a variable of every
 * program, so these get their type as well.
 */
function keysOf(resources: readonly Declared[]): string[] {
  const names = new Set(resources.map(({ name }) => name));
  const taken = new Set(["pulumi"]);
  return resources.map(({ name, resource }) => {
    let key = name;
    if (taken.has(name)) {
      key += resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      while (taken.has(key) || names.has(key)) key += "-";
    }
    taken.add(key);
    return key;
  });
}

/** The id of another resource. A key with dots must be quoted. */
const idOf = (key: string): string => (key.includes(".") ? `\${["${key}"].id}` : `\${${key}.id}`);

/** Values that Pulumi YAML reads as they are: it interpolates the keys of maps as well. */
function literals(values: Properties, resource: string): Properties {
  const entries = Object.entries(values).map(([key, value]) => {
    if (!/^fn::/i.test(key)) return [escapeInterpolation(key), literal(value, resource)];
    throw new DocsError(
      `${resource}: Pulumi YAML takes the name ${JSON.stringify(key)} for a function; export with --language typescript`,
    );
  });
  return Object.fromEntries(entries);
}

function literal(value: unknown, resource: string): unknown {
  if (typeof value === "string") return escapeInterpolation(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map((one) => literal(one, resource)) : literals(value as Properties, resource);
}

const escapeInterpolation = (text: string): string => text.replace(/\$(?=[${])/g, "$$$$");
