import { z } from "zod";

/** The schema inside an optional one; any other schema itself. */
export function unwrapped(property: z.ZodType): z.ZodType {
  return property instanceof z.ZodOptional ? (property.unwrap() as z.ZodType) : property;
}

/** Description of a property, followed by the limits that it does not mention. */
export function descriptionOf(property: z.ZodType): string {
  const description = unwrapped(property).description ?? property.description ?? "";
  const withoutSeparators = description.replace(/(\d),(?=\d{3})/g, "$1");
  const limits = limitsOf(unwrapped(property)).filter((limit) => !withoutSeparators.includes(limit));
  if (description === "" || limits.length === 0) return description;
  return `${description} ${limits.join(", ").replace(/^./, (first) => first.toUpperCase())}.`;
}

interface Limits {
  readonly anyOf?: readonly Limits[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const formats: Readonly<Record<string, string>> = { uri: "an absolute URL", "date-time": "a date and time (ISO 8601)" };

function limitsOf(schema: z.ZodType): string[] {
  const json = z.toJSONSchema(schema, { unrepresentable: "any" }) as Limits;
  const { format = "", minLength, maxLength, minItems, maxItems } = json.anyOf?.[0] ?? json;
  const counted = [between(minLength, maxLength, "characters"), between(minItems, maxItems, "items")];
  return [formats[format], ...counted].filter((limit) => limit !== undefined);
}

/** Limits of a length; a minimum of 1 without a maximum is not mentioned. */
function between(least = 0, most: number | undefined, unit: string): string | undefined {
  if (most === undefined) return least > 1 ? `at least ${least} ${unit}` : undefined;
  return least > 0 ? `${least} to ${most} ${unit}` : `at most ${most} ${unit}`;
}
