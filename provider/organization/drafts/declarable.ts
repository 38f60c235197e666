import type { z } from "zod";
import type { Properties } from "../../run/properties";
import { mistakesIn } from "../../text/mistakes";
import { visible } from "../../text/visible";
import type { Notes } from "./drafting";

/** A thing in a message. */
export const describeObject = (kind: string, title: string, id: string): string =>
  `${kind} "${visible(title, 60)}" (${visible(id, 60)})`;

/** Of what is live, the properties that a file can declare; what it can not is noted. What is not set is left out. */
export function declarable(what: string, { shape }: z.ZodObject, live: Properties, notes: Notes): Properties {
  const set = Object.entries(live).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return Object.fromEntries(
    set.filter(([name, value]) => {
      const reason = unwritable(value) ?? mistakesIn(shape[name] as z.ZodType, value)[0]?.text;
      if (reason !== undefined) notes.push(`${what}: ${name} is left out, since a file can not declare it: ${reason}`);
      return reason === undefined;
    }),
  );
}

/** As deep as the loader reads, less what is above it in the file. */
const deepest = 50;

/** Why no file can hold a value, whatever its schema says. */
function unwritable(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value) ? "it has half of a character" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > deepest) return "it is nested too deep";
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__" || key === "") return `"${key}" can not be used as a name`;
    const reason = unwritable(key) ?? unwritable(inner, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
