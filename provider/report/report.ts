import type { Severity } from "../lifecycle/review";
import { type SafeText, safeText, trusted } from "../text/safe-text";

/** What a command tells people: a review, an audit, a list of change requests. Each format shows all of it. */
export interface Report {
  /** Identifies the report, so that a bot finds its earlier comment: `review` of the project `docs` and the stack `prod`. */
  readonly marker: readonly [what: string, ...names: string[]];
  readonly title: string;
  /** `refused`: it failed; `risky`: look at it; `changes`: nothing risky; `none`: nothing to do. */
  readonly kind: "refused" | "risky" | "changes" | "none";
  readonly verdict: SafeText;
  readonly about: SafeText;
  readonly notes: readonly SafeText[];
  readonly reasons?: readonly Message[];
  /** Empty ones are left out. */
  readonly sections: readonly ReportSection[];
  /** What the report never has, beside its evidence: a reader must not take it for the whole. */
  readonly leftOut?: SafeText;
  readonly foot?: SafeText | undefined;
}

/** A reason for a refused preview, or a warning. */
export interface Message {
  readonly text: string;
  /** `Site handbook`, if the message is about one resource. */
  readonly resource?: string;
}

export interface ReportSection {
  /** The anchor in the page, which stays the same in later versions. */
  readonly id: string;
  readonly title: string;
  readonly symbol: string;
  readonly entries: readonly Entry[];
  /** A page leaves it out if it has a table: the table shows the same. */
  readonly isInTable?: true;
}

export interface Entry {
  readonly text: SafeText;
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

/** Says how many entries are not shown; empty if all are shown. */
export const restWords = (count: number): SafeText =>
  count === 0 ? [] : safeText`… and ${trusted(count.toLocaleString("en-US"))} more; --format json shows everything`;
