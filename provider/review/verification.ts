import { DocsError } from "../api/errors";
import type { Entry, Plan } from "./plan";
import { visible } from "./visible";

/** How a fresh plan compares with the one that was reviewed. */
export interface Verification {
  /** What the fresh preview would do and nobody has reviewed. */
  readonly unreviewed: readonly Entry[];
  /** What was reviewed and is not to be done any more: less than reviewed is safe, since each part was. */
  readonly missing: readonly Entry[];
  /** Why nothing may be applied, whatever it is. */
  readonly obstacles: readonly string[];
  /** What could not be compared. */
  readonly doubts: readonly string[];
}

/** Compares; a plan of another stack or organization is a mistake of the caller. */
export function verify(reviewed: Plan, fresh: Plan): Verification {
  refuseOther(reviewed, fresh);
  const known = new Index(reviewed.entries);
  const now = new Index(fresh.entries);
  return {
    unreviewed: fresh.entries.filter((entry) => !known.has(entry)),
    missing: reviewed.entries.filter((entry) => !now.has(entry)),
    obstacles: [
      ...(reviewed.refused ? ["the preview that was reviewed had failed: nothing of it may be applied"] : []),
      ...(fresh.refused ? ["the fresh preview failed; docs-org review says why"] : []),
    ],
    doubts: doubtsOf(reviewed, fresh),
  };
}

function refuseOther(reviewed: Plan, fresh: Plan): void {
  const [before, now] = [reviewed, fresh].map(({ project, stack }) => `${project}/${stack}`);
  if (fresh.project !== "" && before !== now) {
    throw new DocsError(
      `the plan is of stack ${before}, and the preview of stack ${now}; use the plan of the same stack`,
    );
  }
  const strangers = fresh.organizations.filter((id) => !reviewed.organizations.includes(id));
  if (reviewed.organizations.length === 0 || strangers.length === 0) return;
  throw new DocsError(
    `the plan is of organization ${reviewed.organizations.join(", ")}, and the preview of ${strangers.join(", ")}; use a preview ` +
      "of the same organization",
  );
}

function doubtsOf(reviewed: Plan, fresh: Plan): string[] {
  const hidden = fresh.entries.filter((entry) => entry.hidden).length;
  return [
    ...(reviewed.refreshed && !fresh.refreshed
      ? ["the fresh preview did not look for drift, and the reviewed one did: an up with --refresh may do more"]
      : []),
    ...(fresh.partial && !reviewed.partial
      ? ["the fresh preview looked at a part of the stack only: an up without the same --target does more"]
      : []),
    ...(hidden > 0 ? [`${hidden} of the changes have secret values, which can not be compared`] : []),
  ];
}

/** Entries by what they say; people are the same if one of their names is. */
class Index {
  private readonly entries = new Set<string>();
  private readonly outcomes = new Set<string>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      for (const key of keysOf(entry)) this.entries.add(key);
      for (const key of outcomesOf(entry)) this.outcomes.add(key);
    }
  }

  /** What was reviewed and is done already, by an up that was killed for example, was reviewed all the same. */
  has(entry: Entry): boolean {
    if (keysOf(entry).some((key) => this.entries.has(key))) return true;
    return entry.done === true && outcomesOf(entry).some((key) => this.outcomes.has(key));
  }
}

const outcomesOf = ({ outcome, subject, keys = [subject] }: Entry): string[] =>
  outcome === undefined ? [] : keys.map((key) => JSON.stringify([outcome, key]));

function keysOf({ kind, what, subject, keys = [subject] }: Entry): string[] {
  return keys.map((key) => JSON.stringify([kind, what, key]));
}

const titles: Readonly<Record<Entry["kind"], string>> = {
  grant: "grant   ",
  removal: "removal ",
  change: "change  ",
  risk: "risk    ",
  resource: "resource",
};

/** Without the mark of somebody whom the preview does not name. */
const nameOf = (subject: string): string => subject.replace(/^\?/, "");

/** One line for a list on a terminal. */
export function lineOf({ kind, what, subject, keys = [] }: Entry): string {
  const others = keys.filter((key) => key !== subject);
  const who = others.length > 0 ? `${subject} (${others.join(", ")})` : nameOf(subject);
  return visible(`${titles[kind]}  ${who}: ${what}`, 500);
}
