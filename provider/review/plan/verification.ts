import { enumerated } from "../../access/bulk";
import { type Entry, type Plan, usersIn } from "../../access/plan-file";
import { idAmong } from "../../access/user";
import { DocsError } from "../../api/http/errors";
import { visible } from "../../text/visible";
import { counted } from "../../text/words";
import { reviewPartOf } from "../model/definitions";
import { meaningOf } from "./declared-text";
import { begunIn, ofUnknownOrganization, type Redeclared, redeclaredIn, unseenIn } from "./redeclared";

/** How a fresh plan compares with the one that was reviewed. */
export interface Verification {
  /** What the fresh preview would do and nobody has reviewed. */
  readonly unreviewed: readonly Entry[];
  /** What was reviewed and is not to be done any more: less than reviewed is safe, since each part was. */
  readonly missing: readonly Entry[];
  /** Why nothing may be applied, whatever it is. */
  readonly obstacles: readonly string[];
  /** What cannot be compared, and why: it may be what was reviewed, or anything else. */
  readonly incomparable: readonly string[];
}

/** Compares; a plan of another stack or organization is a mistake of the caller. */
export function verify(reviewed: Plan, fresh: Plan): Verification {
  refuseOther(reviewed, fresh);
  const named = reviewed.version > 1 && fresh.version > 1;
  const known = new Index(reviewed.entries, named);
  const now = new Index(fresh.entries, named);
  const begun = named ? begunIn(reviewed, fresh) : new Set<string>();
  const isKnown = (entry: Entry) => known.has(entry) || wasBegun(begun, entry, known);
  const unreviewed = fresh.entries.filter((entry) => !isKnown(entry));
  const redeclared = named ? redeclaredIn(reviewed, fresh) : [];
  const told = (one: Redeclared) => unreviewed.some((entry) => isAbout(entry, one));
  return {
    unreviewed: [
      ...unreviewed,
      ...redeclared.filter((one) => !told(one)).map(({ entry }) => entry),
      ...releasesIn(reviewed, fresh, unreviewed),
    ],
    missing: reviewed.entries.filter((entry) => !now.has(entry) && !redeclared.some((one) => isAbout(entry, one))),
    obstacles: [
      ...(reviewed.refused ? ["the preview that was reviewed had failed: nothing of it may be applied"] : []),
      ...(fresh.refused ? ["the fresh preview failed; docs-org review says why"] : []),
      ...othersOf(reviewed, fresh),
    ],
    incomparable: incomparableIn(reviewed, fresh),
  };
}

/** The same entry as the creation had it. That the rest of it is an update now is no change of its own. */
function wasBegun(begun: ReadonlySet<string>, { id: _, ...entry }: Entry, known: Index): boolean {
  const { kind, what, subject, urn } = entry;
  if (kind === "risk") return [...begun].some((one) => isOfCompletion(what, subject, one));
  return urn !== undefined && begun.has(urn) && ((kind === "resource" && what === "update") || known.has(entry));
}

/** The creation of the resource declares already what the risk comes from. */
function isOfCompletion(risk: string, subject: string, urn: string): boolean {
  const [, type = "", name] = /docs:(\w+)::(.*)$/s.exec(urn) ?? [];
  return name === subject && reviewPartOf(type).risksOfCompletion?.includes(risk) === true;
}

/** People for whose release other options decide than those that were reviewed, unless they have an entry already. */
function releasesIn(reviewed: Plan, { releases = [] }: Plan, unreviewed: readonly Entry[]): Entry[] {
  if (!reviewed.releases) return [];
  const known = new Index(reviewed.releases, true);
  const subjects = new Set(unreviewed.filter(({ kind }) => kind !== "resource").map(({ subject }) => subject));
  return releases.filter((entry) => !known.has(entry) && !subjects.has(entry.subject));
}

const isAbout = (entry: Entry, { urn, name }: Redeclared): boolean =>
  entry.urn === urn && entry.what.startsWith(`${name}: `);

/** E-mails that stand for other people than they did when they were reviewed. */
function othersOf(reviewed: Plan, fresh: Plan): string[] {
  const [before, now] = [usersIn(reviewed), usersIn(fresh)];
  const others = Object.keys(now).filter((email) => before[email] !== undefined && before[email] !== now[email]);
  return others.map((email) => visible(`${email} was reviewed as ${before[email]} and belongs to ${now[email]} now`));
}

function refuseOther(reviewed: Plan, fresh: Plan): void {
  const [before, now] = [reviewed, fresh].map(({ project, stack }) => `${project}/${stack}`);
  if (fresh.project !== "" && before !== now) {
    throw new DocsError(
      `the plan is of stack ${before}, and the preview of stack ${now}; use the plan of the same stack`,
    );
  }
  const strangers = fresh.organizations.filter((id) => !reviewed.organizations.includes(id));
  // Which ones were reviewed, such a plan does not tell: that is incomparable.
  if (reviewed.organizations.length === 0 || strangers.length === 0) return;
  throw new DocsError(
    `the plan is of organization ${reviewed.organizations.join(", ")}, and the preview of ${strangers.join(", ")}; use a preview ` +
      "of the same organization",
  );
}

const again = "make it again with docs-org review --plan";

function incomparableIn(reviewed: Plan, fresh: Plan): string[] {
  const hidden = [...fresh.entries.filter((entry) => entry.hidden), ...unseenIn(fresh)];
  const homeless = ofUnknownOrganization(reviewed, fresh);
  return [
    ...(reviewed.version === 1
      ? [`the plan was written by an older version of docs-org, which tells resources by type and name alone; ${again}`]
      : []),
    ...(fresh.refreshed
      ? []
      : ["the fresh preview did not look for drift, so an up with --refresh may do more; make it with --refresh"]),
    ...(fresh.partial
      ? ["the fresh preview looked at a part of the stack only, so an up does more; make it without --target"]
      : []),
    ...(homeless.length > 0 ? [unknownOrganization(homeless, reviewed, fresh)] : []),
    ...hidden.slice(0, most).map((entry) => `${lineOf(entry).trim()} (secret, or known only during the up)`),
    ...(hidden.length > most
      ? [`${counted(hidden.length - most, "other change is", "other changes are")} secret, or known only during the up`]
      : []),
  ];
}

function unknownOrganization(resources: readonly string[], reviewed: Plan, fresh: Plan): string {
  const [before, now] = [reviewed, fresh].map(({ organizations }) => organizations.join(", ") || "none");
  return visible(
    `the organization of ${enumerated(resources)} cannot be compared (reviewed: ${before}, now: ${now}); set DOCS_ORGANIZATION_ID for ` +
      "docs-org review and docs-org verify, as it is set for pulumi, and make the plan again",
    1_000,
  );
}

/** Longer lists say nothing more. */
const most = 20;

/**
 * Entries by what they say. A person is known by the id if both sides have one, and a resource by its URN and id. What
 * cannot be seen is never the same as a text that reads like it.
 */
class Index {
  private readonly entries = new Set<string>();
  private readonly outcomes = new Set<string>();

  constructor(
    entries: readonly Entry[],
    /** Both plans have URNs. */
    private readonly hasUrns: boolean,
  ) {
    for (const entry of entries) {
      for (const key of this.named(entry)) this.entries.add(this.keyOf(entry, key));
      if (entry.outcome === undefined) continue;
      for (const key of this.named(entry)) this.outcomes.add(JSON.stringify([entry.outcome, key]));
    }
  }

  /** What was reviewed and is done already, by an up that was killed for example, was reviewed all the same. */
  has(entry: Entry): boolean {
    const names = this.asked(entry);
    if (names.some((name) => this.entries.has(this.keyOf(entry, name)))) return true;
    return entry.done === true && names.some((name) => this.outcomes.has(JSON.stringify([entry.outcome, name])));
  }

  private keyOf({ kind, what, urn, id, hidden }: Entry, name: string): string {
    if (!this.hasUrns) return JSON.stringify([kind, what, name]);
    return JSON.stringify(
      urn === undefined ? [kind, what, name, hidden] : [kind, textOf(what, urn), [urn, id], hidden],
    );
  }

  /** The names that an entry is found by: those of a person with an id are marked, so that only others fit the e-mails. */
  private named({ subject, keys = [subject] }: Entry): string[] {
    const id = idAmong(keys);
    return id === undefined ? [...keys] : keys.map((key) => (key === id ? key : withId + key));
  }

  /** The names that an entry asks for. */
  private asked({ subject, keys = [subject] }: Entry): string[] {
    return idAmong(keys) === undefined ? keys.flatMap((key) => [key, withId + key]) : [...keys];
  }
}

/** Of a resource, `ignore: [...]` for example. */
function textOf(what: string, urn: string): string {
  const [, name, value] = /^(\w+): (.*)$/s.exec(what) ?? [];
  return name === undefined || value === undefined ? what : `${name}: ${meaningOf(urn, name, value)}`;
}

/** No name begins with a space. */
const withId = " ";

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
