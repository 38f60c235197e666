import type { AdaptiveJsonSchema, Claim } from "../../api/groups/sites";

export type Claims = Readonly<Record<string, Claim>>;

const unsignedDescription = "Unsigned claims of the site visitor.";

export function schemaOf(claims: Claims, unsigned: Claims | undefined): AdaptiveJsonSchema {
  const apart = unsigned && {
    unsigned: {
      type: "object" as const,
      description: unsignedDescription as "Unsigned claims of the site visitor.",
      properties: { ...unsigned },
      additionalProperties: false as const,
    },
  };
  return {
    type: "object",
    properties: { ...claims, ...apart } as AdaptiveJsonSchema["properties"],
    additionalProperties: false,
  };
}

export const noClaims = schemaOf({}, undefined);

export function claimsIn({ properties }: AdaptiveJsonSchema): Claims {
  const { unsigned: _, ...claims } = properties;
  return claims as Claims;
}

export function unsignedClaimsIn({ properties }: AdaptiveJsonSchema): Claims {
  return properties.unsigned?.properties ?? {};
}

/** Whether two schemas are equivalent, regardless of order and of implied values. */
export function sameSchema(a: unknown, b: unknown): boolean {
  return canonical(essential(a)) === canonical(essential(b));
}

export function sameClaims(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** Removes implied values: `$schema` has only one possible value, and an empty set of unsigned claims equals none. */
function essential(schema: unknown): unknown {
  const { $schema: _, ...rest } = schema as AdaptiveJsonSchema;
  const { unsigned, ...claims } = rest.properties;
  const kept = unsigned && Object.keys(unsigned.properties).length > 0 ? { ...claims, unsigned } : claims;
  return { ...rest, properties: kept };
}

/** JSON with sorted keys, and with a sorted `enum`, which is a set. */
function canonical(value: unknown, name?: string): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    return `[${(name === "enum" ? items.sort() : items).join()}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner, key)}`)
    .sort()
    .join()}}`;
}

/** The claims of a schema with their types, by the path that conditions use. */
export function pathsIn(schema: AdaptiveJsonSchema): Map<string, string> {
  return new Map(pathsOf("", schema.properties as Claims));
}

function pathsOf(above: string, claims: Claims): [path: string, type: string][] {
  return Object.entries(claims).flatMap(([name, claim]) => {
    const path = above ? `${above}.${name}` : name;
    return [[path, claim.type] as [string, string], ...pathsOf(path, claim.properties ?? {})];
  });
}

/** Whether a condition uses the claim: `visitor.claims.beta`, `visitor.claims["beta"]`, also nested ones. */
export function conditionUses(condition: string, path: string): boolean {
  const step = (name: string) => {
    const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return `(?:\\s*\\??\\.\\s*${quoted}(?![\\w$])|\\s*\\[\\s*["']${quoted}["']\\s*\\])`;
  };
  return new RegExp(`\\bclaims${path.split(".").map(step).join("")}`).test(condition);
}
