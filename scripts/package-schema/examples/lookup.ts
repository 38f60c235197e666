import { type EnumSpec, type ObjectSpec, type PackageSpec, type ResourceSpec, type TypeSpec, tokenOf } from "../spec";
import { isList, isObject, type Value } from "./example";

export function resourceIn(spec: PackageSpec, type: string): ResourceSpec {
  const resource = spec.resources[tokenOf(type)];
  if (!resource) throw new Error(`the package schema has no resource ${type}`);
  return resource;
}

type Resolved = TypeSpec & Partial<Omit<ObjectSpec, "type"> & Pick<EnumSpec, "enum">>;

/** The type, or the named type that it refers to. */
export function resolveType(spec: PackageSpec, type: TypeSpec | undefined): Resolved | undefined {
  const name = type?.$ref?.replace("#/types/", "");
  const named = name === undefined ? undefined : spec.types[name];
  return named ?? type;
}

/** The type of what is inside a list, a map or an object. Of alternatives, the one that fits the value. */
export function typeInside(
  spec: PackageSpec,
  type: TypeSpec | undefined,
  value: Value,
  key?: string,
): TypeSpec | undefined {
  const whole = resolveType(spec, type);
  const inner =
    whole?.items ?? whole?.additionalProperties ?? (key === undefined ? undefined : whole?.properties?.[key]);
  return inner?.oneOf?.find((one) => fits(spec, one, value)) ?? inner;
}

function fits(spec: PackageSpec, type: TypeSpec, value: Value): boolean {
  const { type: kind } = resolveType(spec, type) ?? {};
  if (isList(value)) return kind === "array";
  if (isObject(value)) return kind === "object";
  return kind === typeof value;
}
