import { type Properties, secretValue, unknownValue } from "../../run/properties";

/** The key that marks an object as a special value of the engine, and its value for a secret. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Properties without those of the engine and without the content of secrets, even if `--show-secrets` printed it. */
export function maskedProperties(value: unknown): Properties {
  const properties = masked(value);
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return {};
  const isOfResource = ([name]: [string, unknown]) => !name.startsWith("__");
  return Object.fromEntries(Object.entries(properties).filter(isOfResource));
}

/** Replaces the engine's special values. Does not copy a value without them: a preview may have hundreds of thousands of values. */
function masked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return value[signature] === secretSignature ? secretValue : unknownValue;
  const before = Object.values(value);
  const after = before.map(masked);
  if (after.every((one, index) => one === before[index])) return value;
  return Array.isArray(value)
    ? after
    : Object.fromEntries(Object.keys(value).map((name, index) => [name, after[index]]));
}
