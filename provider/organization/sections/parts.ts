import { z } from "zod";

/** Schemas that several sections are made of. */

declare module "zod" {
  interface GlobalMeta {
    /** The schema that the keys of a map have to fit. A type of zod here would have the compiler compare all schemas in circles. */
    keys?: object;
    /** In a file, `!include` may stand in its place. */
    includable?: true;
  }
}

/** Keys of sites, SAML providers and translations: names of resources, and so the ends of their URNs. */
export const resourceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    "use a name of letters, digits, dots, hyphens and underscores, with a letter or a digit first, at most 100 characters",
  )
  .describe("Name of a resource. It is a part of the URN, so a new name is a new resource.");

/** A map that a file may include. */
export function mapOf<Value extends z.ZodType>(keys: z.ZodString, value: Value, description: string) {
  return z.record(z.string(), value).describe(description).meta({ keys, includable: true });
}

export const protect = z
  .boolean()
  .describe("Whether the engine refuses to delete it (the default for sites); false allows the deletion.")
  .optional();

/** All of several types at once. */
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Properties of one object, which several files have in parts. */
export const joinedShape = <Shape extends object>(shapes: readonly (Shape | undefined)[]): Together<Shape> =>
  Object.assign({}, ...shapes);
