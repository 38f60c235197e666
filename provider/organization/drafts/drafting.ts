import type { Properties } from "../../run/properties";
import type { People } from "./people";

/** What could not be exported, each with its reason. */
export type Notes = string[];

/** The input of a section's draft, and the collections that a draft adds to. */
export interface Drafting<Live, Details> {
  readonly live: Live;
  readonly details: Details;
  readonly people: People;
  /** Names in the file by id. */
  readonly names: ReadonlyMap<string, string>;
  /** The drafts of the sections before this one, by name. */
  readonly before: Readonly<Record<string, Properties>>;
  readonly notes: Notes;
  /** Contents of the files that the section refers to, such as certificates. */
  readonly texts: Map<string, string>;
}

/** Objects by their names in the file, sorted by name. Objects that a file cannot declare are left out. */
export function entriesOf<Thing extends { readonly id: string }>(
  { names }: Pick<Drafting<unknown, unknown>, "names">,
  things: readonly Thing[],
  declare: (thing: Thing, name: string) => Properties | undefined,
): Record<string, Properties> {
  const named = things.map((thing) => [names.get(thing.id) as string, thing] as const).sort(byName);
  return Object.fromEntries(
    named.flatMap(([name, thing]) => {
      const declared = declare(thing, name);
      return declared && Object.keys(declared).length > 0 ? [[name, declared]] : [];
    }),
  );
}

/** Compares code units, so that the order does not depend on the locale of the machine. */
export function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : 1;
}
