import { z } from "zod";

/**
 * Derives the schema with which the client reads an answer. Required properties must exist and have their type. Unknown
 * properties, unknown enum values, new alternatives, other formats and exceeded limits are accepted. The rows themselves state the answer exactly, for the emulator.
 */
export function tolerant(schema: z.ZodType): z.ZodType {
  const cached = cache.get(schema);
  if (cached) return cached;
  // Schemas may be recursive: until this one is complete, a nested use gets a lazy reference to it.
  let derived: z.ZodType = z.unknown();
  const reference = z.lazy(() => derived);
  cache.set(schema, reference);
  derived = derive(schema);
  cache.set(schema, derived);
  return derived;
}

/** Derives the schema of a whole answer. Of a row's alternatives, a known one must match: callers cannot use another. */
export function tolerantReply(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodUnion
    ? z.union(schema.options.map((option) => tolerant(option as z.ZodType)))
    : tolerant(schema);
}

const cache = new WeakMap<z.ZodType, z.ZodType>();

function derive(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return tolerant(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodNullable) return tolerant(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodArray) return z.array(tolerant(schema.element as z.ZodType));
  if (schema instanceof z.ZodRecord) return z.record(z.string(), tolerant(schema.valueType as z.ZodType));
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat || schema instanceof z.ZodString)
    return z.string();
  if (schema instanceof z.ZodNumber) return z.number();
  if (schema instanceof z.ZodBoolean) return schema;
  // A newer service may add alternatives to a union or a literal.
  return z.unknown();
}

function objectOf(schema: z.ZodObject): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, property] of Object.entries(schema.shape)) {
    // Optional properties are nullable as well, because a service may send null for "absent".
    const inner = tolerant(property as z.ZodType);
    shape[name] = inner instanceof z.ZodOptional ? inner.nullable() : inner;
  }
  return z.looseObject(shape);
}
