import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { entriesIn, resourceOf } from "./support";

interface YamlResource {
  readonly type: string;
  readonly name?: string;
  readonly properties: Record<string, unknown>;
  readonly options?: { readonly protect?: boolean };
}

/** The resources of a program in Pulumi YAML, by key. They are the same in every version of YAML. */
export function resourcesIn(folder: string): Record<string, YamlResource> {
  const text = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  const { resources } = parse(text, { version: "1.1", maxAliasCount: 0 });
  expect(parse(text, { version: "1.2", maxAliasCount: 0 }).resources).toEqual(resources);
  return resources;
}

/** What a program in Pulumi YAML declares: resource, name and inputs of each resource. */
export function declaredInYaml(folder: string): unknown[] {
  const resources = resourcesIn(folder);
  return Object.entries(resources).map(([key, { type, name = key, properties }]) => {
    const resource = type.replace("docs:", "");
    return [resource, name, evaluate(properties, folder, resources)];
  });
}

/** The value that Pulumi YAML makes of an expression (read in its version 1.38, `ParseExpr`). */
function evaluate(value: unknown, folder: string, resources: Record<string, YamlResource>): unknown {
  const inner = (one: unknown) => evaluate(one, folder, resources);
  if (typeof value === "string") return interpolated(value, folder, resources);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inner);
  expect(Object.keys(value).filter((key) => /^fn::/i.test(key))).toEqual([]);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [inner(key), inner(one)]));
}

/** Reads `$$` as `$`, and `${key.id}` as the id of the imported object. */
function interpolated(text: string, folder: string, resources: Record<string, YamlResource>): string {
  return text.replace(/\$\$|\$\{(?:\["([^"]+)"\]|([\w-]+))\.id\}|\$\{/g, (found, quoted, plain) => {
    if (found === "$$") return "$";
    const key = quoted ?? plain;
    const { type = "", name = key } = resources[key] ?? {};
    const [entry] = entriesIn(folder).filter((one) => one.name === name && resourceOf(one) === resourceOf({ type }));
    expect([found, entry]).toEqual([found, expect.anything()]);
    return entry?.id ?? "";
  });
}
