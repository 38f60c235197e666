import { z } from "zod";
import { descriptionOf, unwrapped } from "./description";
import { table, typeIn } from "./page";
import { propertiesOf } from "./resources";
import { namedOf } from "./type-text";

/** A property with its path, such as `teams.<id>.members` or `sites[].title`. */
export type PathRow = readonly [path: string, property: z.ZodType];

/** The names of keys of maps by path; `name` for others. */
export type KeyNames = Readonly<Record<string, string>>;

/**
 * All properties by path, including those of objects in maps and lists. An object that contains itself is listed once. `above` is
 * the path to the object with its dot, and `outer` are the objects around it.
 */
export function pathRowsOf(object: z.ZodObject, keys: KeyNames = {}, above = "", outer: z.ZodType[] = []): PathRow[] {
  const around = [...outer, object];
  return propertiesOf(object).flatMap(([name, property]) => {
    const path = `${above}${name}`;
    const inner = unwrapped(property);
    const inside = objectIn(valueIn(inner) ?? inner);
    const below = inside && !around.includes(inside) ? inside : undefined;
    const step = `${path}${stepInto(inner, path, keys)}.`;
    return [[path, property], ...(below ? pathRowsOf(below, keys, step, around) : [])];
  });
}

function stepInto(schema: z.ZodType, path: string, keys: KeyNames): string {
  if (schema instanceof z.ZodArray) return "[]";
  return schema instanceof z.ZodRecord ? `.<${keys[path] ?? "name"}>` : "";
}

function valueIn(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}

/** The object whose properties are listed separately, also if it is one of several alternatives. */
function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (namedOf(schema)) return undefined;
  if (schema instanceof z.ZodObject) return schema;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.options.map((option) => objectIn(option as z.ZodType)).find((found) => found !== undefined);
}

/** The objects of a list have rows below it, and the description of a map says what it has. */
const needsNoType = (property: z.ZodType): boolean => {
  const inner = unwrapped(property);
  if (inner instanceof z.ZodRecord) return true;
  return inner instanceof z.ZodArray && objectIn(inner.element as z.ZodType) !== undefined;
};

export function tableOfPaths(rows: readonly PathRow[], typeOf: (property: z.ZodType) => string = typeIn): string {
  const cells = rows.map(([path, property]) => [
    `\`${path}\``,
    needsNoType(property) ? "" : `\`${typeOf(property)}\``,
    property instanceof z.ZodOptional ? "" : "_required_",
    descriptionOf(property),
  ]);
  return table(["property", "type", "", "what it is"], cells);
}
