import { isDeepStrictEqual } from "node:util";
import { type AdaptiveJsonSchema, adaptiveJsonSchema, type Claim } from "../../api/groups/sites";
import type { Finding, ReviewedChange, ReviewPart } from "../../lifecycle/review";
import { type Properties, propertiesIn } from "../../run/properties";
import { listFirst, safeText, trusted } from "../../text/safe-text";

export type Claims = Readonly<Record<string, Claim>>;

export function schemaOf(claims: Claims, unsigned: Claims | undefined): AdaptiveJsonSchema {
  const unsignedProperty = unsigned && {
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { ...unsigned },
      additionalProperties: false,
    },
  };
  return {
    type: "object",
    properties: { ...claims, ...unsignedProperty } as object as AdaptiveJsonSchema["properties"],
    additionalProperties: false,
  };
}

export const noClaims = schemaOf({}, undefined);

/** The claims of a schema as a program declares them: an empty set of unsigned claims equals none. */
export function claimsIn({ properties: { unsigned, ...claims } }: AdaptiveJsonSchema) {
  return { claims: claims as Claims, unsignedClaims: unsigned?.properties ?? {} };
}

/** Whether two schemas mean the same. A value that is no schema, such as one that is not known yet, equals only itself. */
export const sameSchema = (a: unknown, b: unknown): boolean => sameClaims(meaningOf(a), meaningOf(b));

function meaningOf(value: unknown): unknown {
  const { success, data } = adaptiveJsonSchema.safeParse(value);
  return success ? claimsIn(data) : value;
}

export const sameClaims = (a: unknown, b: unknown): boolean => isDeepStrictEqual(sortedEnums(a), sortedEnums(b));

/** The order of the values in an `enum` does not count, so they are sorted for a comparison. */
function sortedEnums(claims: unknown): unknown {
  const sorted = (name: string, value: unknown) => (name === "enum" && Array.isArray(value) ? value.toSorted() : value);
  return JSON.parse(JSON.stringify(claims, sorted));
}

/** The claims of a schema with their types, by the path that conditions use. */
export function typesByPath(schema: AdaptiveJsonSchema): Map<string, string> {
  const types = new Map<string, string>();
  const addClaims = (claims: Claims, prefix: string) => {
    for (const [name, claim] of Object.entries(claims)) {
      types.set(prefix + name, claim.type);
      addClaims(claim.properties ?? {}, `${prefix}${name}.`);
    }
  };
  addClaims(schema.properties as Claims, "");
  return types;
}

/** Whether a condition uses the claim: `visitor.claims.beta`, `visitor.claims["beta"]`, also nested ones. */
export function conditionUses(condition: string, path: string): boolean {
  const step = (name: string) => {
    const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return `(?:\\s*\\??\\.\\s*${quoted}(?![\\w$])|\\s*\\[\\s*["']${quoted}["']\\s*\\])`;
  };
  return new RegExp(`\\bclaims${path.split(".").map(step).join("")}`).test(condition);
}

export const adaptiveSchemaReview: ReviewPart = {
  noun: "adaptive schema of",
  section: "sites",
  title: ({ siteId }) => siteId,
  risks: breakingRisks,
};

/** The risk of claims that are removed or get another type: content that depends on them changes for visitors. */
function breakingRisks({ name, title, operation, live, declared }: ReviewedChange): Finding[] {
  if (operation === "same" || operation === "create" || !live) return [];
  if (operation === "delete" && live.outputs.onRelease === "leave") return [];
  const before = declaredTypes(live.inputs);
  const after = operation === "delete" ? new Map<string, string>() : declaredTypes(declared ?? {}, live.inputs);
  const site = String(title ?? live.inputs.siteId ?? name);
  // The property `unsigned` is no claim: it contains claims.
  const claims = [...before.keys()].filter((path) => path !== "unsigned");
  const lost = claims.filter((path) => !after.has(path));
  const retyped = claims.filter((path) => after.has(path) && after.get(path) !== before.get(path));
  const findingsFor = (paths: readonly string[], what: string): Finding[] => {
    if (paths.length === 0) return [];
    const text = safeText`visitors of site ${site} ${trusted(what)}, and content that depends on them changes: ${listFirst(paths)}`;
    return [{ kind: "schema-breaking", severity: "medium", text }];
  };
  return [...findingsFor(lost, "lose claims"), ...findingsFor(retyped, "get claims of another type")];
}

/** The types of the claims after the change; parts that are not declared stay as they are. */
function declaredTypes(declared: Properties, live: Properties = {}): Map<string, string> {
  const after = knownParts(declared);
  const before = knownParts(live);
  return typesByPath(schemaOf(after.claims ?? before.claims ?? {}, after.unsignedClaims ?? before.unsignedClaims));
}

/** The claims that a declaration names and a preview can show; `undefined` for the others. */
function knownParts({ jsonSchema, claims, unsignedClaims }: Properties) {
  const visiblePart = (part: unknown) => (typeof part === "object" && part !== null ? part : undefined);
  const properties = visiblePart(propertiesIn(jsonSchema).properties);
  const parts = properties ? claimsIn({ properties } as AdaptiveJsonSchema) : { claims, unsignedClaims };
  return {
    claims: visiblePart(parts.claims) as Claims | undefined,
    unsignedClaims: visiblePart(parts.unsignedClaims) as Claims | undefined,
  };
}
