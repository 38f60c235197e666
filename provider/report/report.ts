import type { Severity } from "../lifecycle/review";
import { counted, joined, type SafeText, safeText, trusted } from "../text/safe-text";

/** What a command tells people: a review, an audit, a list of change requests. Each format shows all of it. */
export interface Report {
  /** By what it is about, a bot finds its earlier comment: `review` of the project `docs` and the stack `prod`. */
  readonly marker: readonly [what: string, ...names: string[]];
  /** The title of the page. */
  readonly title: string;
  /** `refused`: it failed; `risky`: look at it; `changes`: nothing risky; `none`: nothing to do. */
  readonly kind: "refused" | "risky" | "changes" | "none";
  readonly verdict: SafeText;
  readonly about: SafeText;
  /** The limits that a reader must know. */
  readonly notes: readonly SafeText[];
  /** The reasons of a failure. */
  readonly reasons?: readonly Message[];
  /** Empty ones are left out. */
  readonly sections: readonly Section[];
}

/** A reason for a refused preview, or a warning. */
export interface Message {
  readonly text: string;
  /** `Site handbook`, if the message is about one resource. */
  readonly resource?: string;
}

/** Entries under a title. */
export interface Section {
  /** The anchor in the page, which stays the same in later versions. */
  readonly id: string;
  readonly title: string;
  /** The noun for one entry, for the number of entries that are not shown. */
  readonly one: string;
  readonly many: string;
  readonly symbol: string;
  readonly entries: readonly Entry[];
}

/** A section, with the nouns for one of its entries and for several. */
export const sectionOf = (
  id: string,
  symbol: string,
  title: string,
  [one, many]: readonly [string, string],
  entries: readonly Entry[],
): Section => ({ id, symbol, title, one, many, entries });

export interface Entry {
  readonly text: SafeText;
  /** Entries of one kind are counted together if they are not shown. */
  readonly kind?: SafeText;
  readonly severity?: Severity;
}

interface Room {
  readonly most?: number;
  readonly room: number;
  readonly sizeOf?: (text: string) => number;
}

/** The first texts that fit: no more than `most`, and no more than there is room for, in characters or as `sizeOf` says. */
export function takeFitting<Item>(
  items: Iterable<Item>,
  textOf: (item: Item) => string,
  { most = Number.POSITIVE_INFINITY, room, sizeOf = ({ length }) => length }: Room,
): string[] {
  const texts: string[] = [];
  let left = room;
  for (const item of items) {
    if (texts.length === most) break;
    const text = textOf(item);
    left -= sizeOf(text) + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
}

/** Says how many entries are not shown, and of which kinds; empty if all are shown. */
export function restWords(count: number, { one, many }: Pick<Section, "one" | "many">, kinds: SafeText = []): SafeText {
  if (count === 0) return [];
  return safeText`… and ${trusted(counted(count, `more ${one}`, `more ${many}`))}${kinds}; --format json shows everything`;
}

/** Counts entries by their kinds, in the order of the entries: `: all read → comment`. */
export function kindCounts(entries: readonly Pick<Entry, "kind">[]): SafeText {
  const counts = new Map<string, { readonly kind: SafeText; count: number }>();
  for (const { kind = [] } of entries) {
    const key = JSON.stringify(kind);
    const found = counts.get(key);
    if (found) found.count++;
    else counts.set(key, { kind, count: 1 });
  }
  const all = [...counts.values()].filter(({ kind }) => kind.length > 0);
  const [first, ...others] = all;
  if (first === undefined) return [];
  if (others.length === 0) return safeText`: ${trusted(first.count === 1 ? "" : "all ")}${first.kind}`;
  const named = all
    .slice(0, mostKinds)
    .map(({ kind, count }) => safeText`${trusted(count.toLocaleString("en-US"))} ${kind}`);
  const rest = all.slice(mostKinds).reduce((sum, { count }) => sum + count, 0);
  return safeText`: ${joined(named)}${trusted(rest === 0 ? "" : `, ${counted(rest, "other")}`)}`;
}

/** Maximum number of kinds that are named. */
export const mostKinds = 4;
