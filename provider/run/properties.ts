import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { dotted, mistakesIn, valueAt } from "../text/mistakes";

/** Properties by name, as the engine passes them: plain values, with secrets revealed. */
export type Properties = Record<string, unknown>;

/** The properties of a value; none if it is not an object. */
export const propertiesIn = (value: unknown): Properties =>
  typeof value === "object" && value !== null ? (value as Properties) : {};

/** The engine's placeholder for a value that is unknown until another resource is created. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's placeholder for a secret value. */
export const secretValue = "[secret]";

export const containsUnknown = (value: unknown): boolean => contains(value, unknownValue);
export const containsSecret = (value: unknown): boolean => contains(value, secretValue);

function contains(value: unknown, wanted: string): boolean {
  if (value === wanted) return true;
  return Object.values(propertiesIn(value)).some((inner) => contains(inner, wanted));
}

export const isUnseen = (value: unknown): boolean => containsSecret(value) || containsUnknown(value);

export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/**
 * Lists the invalid declared properties, each with its reason. A value that is not known yet is not checked. The engine shows the
 * value of the property that a failure names, so a failure of a concealed property names it in the reason only. No failure shows
 * what is in a secret property, names included.
 * @internal
 */
export function failuresOf(schema: z.ZodObject, declared: Properties, secrets?: ReadonlySet<string>): Failure[] {
  const mistakes = mistakesIn(schema, declared, { ...(secrets && { secrets }) });
  const wrong = mistakes.filter((one) => one.isAboutName || !containsUnknown(valueAt(declared, one.path)));
  return wrong.map(({ path, text }) => {
    const name = String(path[0]);
    const isSecret = secrets?.has(name) ?? false;
    const property = dotted(isSecret ? path.slice(0, 1) : path);
    const isHidden = isSecret || isConcealed(schema.shape[name]);
    return isHidden ? { property: "", reason: `${property}: ${text}` } : { property, reason: text };
  });
}

function isConcealed(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional) return isConcealed(schema.unwrap());
  return schema instanceof z.ZodType && schema.meta()?.concealed === true;
}

/** The named properties, absent ones as `undefined`. */
export function pickAll(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, properties[name]]));
}

/** The named properties, without absent ones. */
export function pick(properties: Properties, names: readonly string[]): Properties {
  const present = names.filter((name) => properties[name] !== undefined);
  return pickAll(properties, present);
}

/** A copy without `undefined`, which the engine's protocol cannot represent. */
export function defined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(defined) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, defined(inner)])) as T;
}

export type Equal = (a: unknown, b: unknown) => boolean;
type Equals = Readonly<Record<string, Equal>> | undefined;

/**
 * Whether two values of a property mean the same. A value that is absent or not known yet, even in part, equals no known value.
 * Only this function calls an `equal` of a definition, so an `equal` gets known values only.
 */
export function sameValue(equal: Equals, name: string, a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (containsUnknown(a) || containsUnknown(b)) return false;
  return (equal?.[name] ?? isDeepStrictEqual)(a, b);
}

/** Names of the properties that differ, or that only one of the two has. */
export function differingProperties(a: Properties, b: Properties, equal?: Equals): string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.filter((name) => !sameValue(equal, name, a[name], b[name]));
}

/** The named properties whose declared value differs from the live one. */
export function outOfDate<Name extends string>(
  live: { readonly [Key in Name]?: unknown },
  declared: { readonly [Key in Name]?: unknown },
  names: readonly Name[],
  equal?: Equals,
): Name[] {
  return names.filter((name) => declared[name] !== undefined && !sameValue(equal, name, live[name], declared[name]));
}
