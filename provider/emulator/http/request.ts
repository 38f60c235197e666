import { z } from "zod";
import type { Endpoint } from "../../api/schema/endpoint";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { badRequest } from "./errors";

const noParameters = z.strictObject({});

/** Parses query parameters with the types of the row: numbers, booleans and lists instead of text. */
export function queryOf(row: Endpoint, sent: Record<string, unknown>): Record<string, unknown> {
  const schema: z.ZodObject = row.query ?? noParameters;
  const values = Object.entries(sent).map(([name, text]) => [name, coerce(schema.shape[name] as z.ZodType, text)]);
  return checked(schema, Object.fromEntries(values)) as Record<string, unknown>;
}

/** Checks the body with the schema of the row. Rows without a body ignore one, because some HTTP clients always send `{}`. */
export function bodyOf(row: Endpoint, sent: unknown): unknown {
  return row.body ? checked(row.body, sent) : undefined;
}

/** Returns the value as it was sent, with the order of its properties: no schema of the table transforms values. */
function checked(schema: z.ZodType, value: unknown): unknown {
  const wrong = mistakesIn(schema, value);
  if (wrong.length > 0) throw badRequest(inOneLine(wrong));
  return value;
}

/** Converts a text to the type of the schema; a text that does not fit stays, so that the schema refuses it. */
function coerce(schema: z.ZodType | undefined, sent: unknown): unknown {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (inner instanceof z.ZodArray) return [sent].flat().map((one) => coerce(inner.element as z.ZodType, one));
  if (inner instanceof z.ZodUnion) return coerceToOne(inner.options as z.ZodType[], sent);
  if (typeof sent !== "string") return sent;
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(sent) ? Number(sent) : sent;
  if (inner instanceof z.ZodBoolean) return sent === "true" ? true : sent === "false" ? false : sent;
  if (inner instanceof z.ZodLiteral) return [...inner.values].find((value) => String(value) === sent) ?? sent;
  return sent;
}

function coerceToOne(alternatives: readonly z.ZodType[], sent: unknown): unknown {
  const values = alternatives.map((schema) => ({ schema, value: coerce(schema, sent) }));
  const fitting = values.find(({ schema, value }) => schema.safeParse(value).success);
  return fitting ? fitting.value : sent;
}
