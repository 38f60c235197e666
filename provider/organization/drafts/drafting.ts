import type { Properties } from "../../run/properties";
import type { People } from "./people";

/** What could not be exported, each with its reason. */
export type Notes = string[];

/** What a section is drafted from, and what a draft adds to. */
export interface Drafting<Live, Details> {
  readonly live: Live;
  readonly details: Details;
  readonly people: People;
  /** Names in the file by id. */
  readonly names: ReadonlyMap<string, string>;
  /** The sections before it, as they are drafted. */
  readonly before: Readonly<Record<string, Properties>>;
  readonly notes: Notes;
  /** Texts of files that the section names. */
  readonly texts: Map<string, string>;
}

/** Things by their names in the file, in the order of the names; what cannot be declared at all is left out. */
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

/** By the code of the characters, so that no setting of a machine changes the order. */
export function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : 1;
}
