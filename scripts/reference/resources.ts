import { z } from "zod";
import * as definitions from "../../provider/definitions";
import type { AnyDefinition } from "../../provider/lifecycle/definition";
import { type Declaration, declarations } from "./declarations";
import { required } from "./description";
import { namedOf } from "./type-text";

/** A resource with what is known of it: the doc comment of its definition, and its schemas. */
export interface Resource extends Declaration {
  readonly definition: AnyDefinition;
}

/** What the package exports: its resources, and beside them functions. */
export function reference(): { resources: Resource[]; functions: Declaration[]; component: Declaration } {
  const exported = declarations("provider/index.ts");
  const defined = declarations("provider/definitions.ts");
  return {
    resources: Object.values(definitions).map((definition) => resourceOf(definition, defined)),
    functions: exported.filter(({ kind }) => kind === "function"),
    component: declared("Organization", exported),
  };
}

function resourceOf(definition: AnyDefinition, exported: readonly Declaration[]): Resource {
  return { ...declared(definition.name, exported), definition };
}

function declared(name: string, exported: readonly Declaration[]): Declaration {
  const declaration = exported.find((one) => one.name === name);
  if (!declaration) throw new Error(`provider/index.ts or provider/definitions.ts exports no ${name}`);
  return declaration;
}

/** The properties of an object by name. */
export function propertiesOf({ shape }: z.ZodObject): [name: string, property: z.ZodType][] {
  return Object.entries(shape) as [string, z.ZodType][];
}

/** All properties by path: those of an object that are described follow it, as `source.space` does `source`. */
export function pathsOf(object: z.ZodObject, above = ""): [path: string, property: z.ZodType][] {
  return propertiesOf(object).flatMap(([name, property]) => {
    const path = `${above}${name}`;
    const inner = required(property);
    const inside = inner instanceof z.ZodObject && !namedOf(inner) ? pathsOf(inner, `${path}.`) : [];
    const described = inside.filter(([, one]) => required(one).description !== undefined);
    return [[path, property] as [string, z.ZodType], ...described];
  });
}
