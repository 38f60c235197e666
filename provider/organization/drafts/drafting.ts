import type { z } from "zod";
import { isNothing } from "../../lifecycle/live-state";
import type { Properties } from "../../run/properties";
import { mistakesIn } from "../../text/mistakes";
import { visible } from "../../text/visible";
import type { PeopleNames } from "./people";

/** What could not be exported, each with its reason. */
export type Notes = string[];

/** The input of a section's draft, and the collections that a draft adds to. */
export interface Drafting<Live, Details> {
  readonly live: Live;
  readonly details: Details;
  readonly people: PeopleNames;
  /** Names in the file by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly before: Readonly<Record<string, Properties>>;
  readonly notes: Notes;
  /** Contents of the files that the section refers to, such as certificates. */
  readonly texts: Map<string, string>;
}

/** Objects by their names in the file, sorted by name. Objects that a file cannot declare are left out. */
export function draftEntries<Thing extends { readonly id: string }>(
  { names }: Pick<Drafting<unknown, unknown>, "names">,
  things: readonly Thing[],
  declare: (thing: Thing, name: string) => Properties | undefined,
): Record<string, Properties> {
  const named = things.map((thing) => [names.get(thing.id) as string, thing] as const).sort(compareNames);
  return Object.fromEntries(
    named.flatMap(([name, thing]) => {
      const declared = declare(thing, name);
      return declared && Object.keys(declared).length > 0 ? [[name, declared]] : [];
    }),
  );
}

/** Compares code units, so that the order does not depend on the locale of the machine. */
export function compareNames([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : 1;
}

export const describeObject = (kind: string, title: string, id: string): string =>
  `${kind} "${visible(title, 60)}" (${visible(id, 60)})`;

/** The live properties that a file can declare. Notes the others, and leaves out empty ones. */
export function declarable(what: string, { shape }: z.ZodObject, live: Properties, notes: Notes): Properties {
  const declared: Properties = {};
  for (const [name, value] of Object.entries(live)) {
    if (isNothing(value)) continue;
    const reason = whyUnwritable(value) ?? mistakesIn(shape[name] as z.ZodType, value)[0]?.text;
    if (reason === undefined) declared[name] = value;
    else notes.push(`${what}: ${name} is left out, because a file cannot declare it: ${reason}`);
  }
  return declared;
}

/** The loader reads 64 levels (`limits` in `reader.ts`), and a property has a few levels above it. */
const deepest = 50;

/** The reason why a file cannot contain a value, even if its schema allows it. */
function whyUnwritable(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string")
    return /\p{Surrogate}/u.test(value) ? "it contains half of a character (a lone surrogate)" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > deepest) return "it is nested too deeply";
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__" || key === "") return `"${key}" cannot be used as a name`;
    const reason = whyUnwritable(key) ?? whyUnwritable(inner, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
