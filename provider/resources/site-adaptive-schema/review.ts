import type { AdaptiveJsonSchema } from "../../api/groups/sites";
import type { Change, Finding, ReviewPart } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";
import { safeText, some } from "../../text/safe-text";
import { type Claims, pathsIn, schemaOf } from "./breaking";

export const review: ReviewPart = {
  noun: "adaptive schema of",
  section: "sites",
  title: ({ siteId }) => siteId,
  risks: breakingRisks,
};

/** The risk of claims that are removed or get another type: content that depends on them changes for visitors. */
function breakingRisks({ name, operation, live, declared }: Change): Finding[] {
  if (operation === "same" || operation === "create" || !live) return [];
  if (operation === "delete" && live.outputs.onRelease === "leave") return [];
  const before = claimsOf(live.inputs);
  const after = operation === "delete" ? new Map<string, string>() : claimsOf(declared ?? {}, live.inputs);
  const broken = [...before].filter(([path, kind]) => after.get(path) !== kind).map(([path]) => path);
  if (broken.length === 0) return [];
  const site = String(live.inputs.siteId ?? name);
  const text = safeText`visitors of site ${site} lose claims, and content that depends on them changes: ${some(broken)}`;
  return [{ kind: "schema-breaking", severity: "medium", text }];
}

/** The claims after the change; parts that are not declared stay as they are. */
function claimsOf(properties: Properties, live: Properties = {}): Map<string, string> {
  const { jsonSchema } = properties;
  const part = (of: Properties, name: string) => (isObject(of[name]) ? (of[name] as Claims) : undefined);
  const schema = isObject(jsonSchema)
    ? (jsonSchema as AdaptiveJsonSchema)
    : schemaOf(
        part(properties, "claims") ?? part(live, "claims") ?? {},
        part(properties, "unsignedClaims") ?? part(live, "unsignedClaims"),
      );
  return isObject(schema.properties) ? pathsIn(schema) : new Map();
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
