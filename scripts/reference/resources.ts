import { z } from "zod";
import * as definitions from "../../provider/definitions";
import type { AnyDefinition } from "../../provider/lifecycle/definition";
import * as lookups from "../../provider/lookups";
import type { Lookup } from "../../provider/lookups/lookup";
import { type Declaration, declarations } from "./declarations";
import { unwrapped } from "./description";
import { namedOf } from "./type-text";

/** A resource: the doc comment of its definition, and its schemas. */
export interface Resource extends Declaration {
  readonly definition: AnyDefinition;
}

/** A lookup: its doc comment, and its schemas. */
export interface Reading extends Declaration {
  readonly lookup: Lookup;
}

export interface Reference {
  readonly resources: Resource[];
  readonly readings: Reading[];
  readonly functions: Declaration[];
  readonly component: Declaration;
}

/** Exports of the package: resources and functions. */
export function readReference(): Reference {
  const exported = declarations("provider/index.ts");
  const defined = declarations("provider/definitions.ts");
  const reads = declarations("provider/lookups/index.ts");
  return {
    resources: Object.values(definitions).map((definition) => ({ ...declared(definition.name, defined), definition })),
    readings: Object.values(lookups)
      .map((lookup) => ({ ...declared(lookup.name, reads), lookup }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    functions: exported.filter(({ kind }) => kind === "function"),
    component: declared("Organization", exported),
  };
}

function declared(name: string, exported: readonly Declaration[]): Declaration {
  const declaration = exported.find((one) => one.name === name);
  if (!declaration)
    throw new Error(`provider/index.ts, provider/definitions.ts and provider/lookups/index.ts do not export ${name}`);
  return declaration;
}

export function propertiesOf({ shape }: z.ZodObject): [name: string, property: z.ZodType][] {
  return Object.entries(shape) as [string, z.ZodType][];
}

/** All properties by path; described properties of an object follow it, such as `source.space` after `source`. */
export function pathsOf(object: z.ZodObject, above = ""): [path: string, property: z.ZodType][] {
  return propertiesOf(object).flatMap(([name, property]) => {
    const path = `${above}${name}`;
    const inner = unwrapped(property);
    const inside = inner instanceof z.ZodObject && !namedOf(inner) ? pathsOf(inner, `${path}.`) : [];
    const described = inside.filter(([, one]) => unwrapped(one).description !== undefined);
    return [[path, property] as [string, z.ZodType], ...described];
  });
}
