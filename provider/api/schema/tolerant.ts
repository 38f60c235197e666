import { z } from "zod";

/**
 * The schema of an answer as a client should read it: required properties must be there and have their type, while
 * unknown properties, unknown enum values, alternatives that came later, formats and limits pass, and so does the absence
 * of what is only promised. Rows state the answer exactly, which is what the emulator is held to; the client derives this
 * from them.
 */
export function tolerant(schema: z.ZodType): z.ZodType {
  const known = cache.get(schema);
  if (known) return known;
  // Schemas may contain themselves: until this one is made, whoever asks for it gets a reference.
  let made: z.ZodType = z.unknown();
  cache.set(
    schema,
    z.lazy(() => made),
  );
  made = derive(schema);
  cache.set(schema, made);
  return made;
}

/**
 * The schema of a whole answer. Where it is one of several things, one of those known must fit: nobody could use another.
 */
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
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat || schema instanceof z.ZodString) {
    return z.string();
  }
  if (schema instanceof z.ZodNumber) return z.number();
  if (schema instanceof z.ZodBoolean) return schema;
  // A union or a literal may get a further alternative tomorrow.
  return z.unknown();
}

function requiredOrNot(property: z.ZodType): z.ZodType {
  const inner = tolerant(property);
  return property.meta()?.promised ? inner.optional() : inner;
}

function objectOf(schema: z.ZodObject): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, property] of Object.entries(schema.shape)) {
    // Nullable beside optional: a service that sends null for "absent" is read all the same.
    const inner = requiredOrNot(property as z.ZodType);
    shape[name] = inner instanceof z.ZodOptional ? inner.nullable() : inner;
  }
  return z.looseObject(shape);
}
