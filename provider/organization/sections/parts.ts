import { z } from "zod";
import { identifier } from "../../api/groups/shared";
import { type SafeText, safeText } from "../../text/safe-text";

/** Maximum number of objects in one request. */
export const mostListed = 1000;

export const { compare } = new Intl.Collator("en");

/** A name with its id: an e-mail or title may pass to another object, an id cannot. */
export const withName = (name: string, id: string): SafeText =>
  name === id ? safeText`${id}` : safeText`${name} (${id})`;

declare module "zod" {
  interface GlobalMeta {
    /** Whether a file may use `!include` for it. */
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
  .describe("Name of a resource. It is a part of the URN, so a changed name means a new resource.");

export function mapOf<Value extends z.ZodType>(keys: z.ZodString, value: Value, description: string) {
  return z.record(keys, value).describe(description).meta({ includable: true });
}

/** The id of the object of an entry, which take-over writes. Nothing is sent for it. */
export const objectId = identifier
  .describe(
    "Id of the live object. `docs-org take-over` writes it, and finds the object by it if the state of the stack is lost.",
  )
  .optional();

export const protect = z
  .boolean()
  .describe(
    "Whether the engine refuses to delete the resource. By default, sites are protected, and other resources if the component is.",
  )
  .optional();

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Joins the properties of one object that several files define. */
export const joinedShape = <Shape extends object>(shapes: readonly (Shape | undefined)[]): Intersection<Shape> =>
  Object.assign({}, ...shapes);
