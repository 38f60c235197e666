import { z } from "zod";
import type { Endpoint } from "../../api/schema/endpoint";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { badRequest } from "./errors";

const noParameters = z.strictObject({});

/** Query parameters as the row wants them: numbers, booleans and lists instead of the text that was sent. */
export function queryOf(row: Endpoint, sent: Record<string, unknown>): Record<string, unknown> {
  const schema: z.ZodObject = row.query ?? noParameters;
  const values = Object.entries(sent).map(([name, text]) => [name, meant(schema.shape[name] as z.ZodType, text)]);
  return checked(schema, Object.fromEntries(values)) as Record<string, unknown>;
}

/** The body as the row wants it. Rows without a body ignore one, since HTTP clients like to send `{}`. */
export function bodyOf(row: Endpoint, sent: unknown): unknown {
  return row.body ? checked(row.body, sent) : undefined;
}

/** The value stays as it was sent, in the order of its properties: no schema of the table changes a value. */
function checked(schema: z.ZodType, value: unknown): unknown {
  const wrong = mistakesIn(schema, value);
  if (wrong.length > 0) throw badRequest(inOneLine(wrong));
  return value;
}

/** What a text means where the schema wants no text; anything it can not mean stays, for the schema to refuse. */
function meant(schema: z.ZodType | undefined, sent: unknown): unknown {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (inner instanceof z.ZodArray) return [sent].flat().map((one) => meant(inner.element as z.ZodType, one));
  if (inner instanceof z.ZodUnion) return meantByOne(inner.options as z.ZodType[], sent);
  if (typeof sent !== "string") return sent;
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(sent) ? Number(sent) : sent;
  if (inner instanceof z.ZodBoolean) return sent === "true" ? true : sent === "false" ? false : sent;
  if (inner instanceof z.ZodLiteral) return [...inner.values].find((value) => String(value) === sent) ?? sent;
  return sent;
}

function meantByOne(alternatives: readonly z.ZodType[], sent: unknown): unknown {
  const values = alternatives.map((schema) => ({ schema, value: meant(schema, sent) }));
  const fitting = values.find(({ schema, value }) => schema.safeParse(value).success);
  return fitting ? fitting.value : sent;
}
