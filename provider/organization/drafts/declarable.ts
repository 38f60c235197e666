import type { z } from "zod";
import { isNothing } from "../../lifecycle/live-state";
import type { Properties } from "../../run/properties";
import { mistakesIn } from "../../text/mistakes";
import { visible } from "../../text/visible";
import type { Notes } from "./drafting";

export const describeObject = (kind: string, title: string, id: string): string =>
  `${kind} "${visible(title, 60)}" (${visible(id, 60)})`;

/** The live properties that a file can declare. Notes the others, and leaves out empty ones. */
export function declarable(what: string, { shape }: z.ZodObject, live: Properties, notes: Notes): Properties {
  const set = Object.entries(live).filter(([, value]) => !isNothing(value));
  return Object.fromEntries(
    set.filter(([name, value]) => {
      const reason = unwritable(value) ?? mistakesIn(shape[name] as z.ZodType, value)[0]?.text;
      if (reason !== undefined) notes.push(`${what}: ${name} is left out, because a file cannot declare it: ${reason}`);
      return reason === undefined;
    }),
  );
}

/** The depth that the loader reads, minus the levels above a property. */
const deepest = 50;

/** The reason why a file cannot contain a value, even if its schema allows it. */
function unwritable(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string")
    return /\p{Surrogate}/u.test(value) ? "it contains half of a character (a lone surrogate)" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > deepest) return "it is nested too deeply";
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__" || key === "") return `"${key}" cannot be used as a name`;
    const reason = unwritable(key) ?? unwritable(inner, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
