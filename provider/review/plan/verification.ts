import { enumerated } from "../../access/bulk";
import type { Entry, Plan } from "../../access/plan-file";
import { DocsError } from "../../api/http/errors";
import { idAmong } from "../../people/user";
import { inert, visible } from "../../text/visible";
import { counted } from "../../text/words";
import { reviewPartOf } from "../model/definitions";
import { meaningOf } from "./declared-text";
import { findBegun, findRedeclared, listOfUnknownOrganization, listUnseen, type Redeclared } from "./redeclared";

/** How a fresh plan compares with the one that was reviewed. */
export interface Verification {
  /** Changes of the fresh preview that were not reviewed. */
  readonly unreviewed: readonly Entry[];
  /** Reviewed changes that are no longer needed. Doing less than reviewed is safe. */
  readonly missing: readonly Entry[];
  /** Reasons to apply nothing at all. */
  readonly obstacles: readonly string[];
  /** Changes that cannot be compared, with the reason. They may differ from the review. */
  readonly incomparable: readonly string[];
}

/** Compares a fresh plan with the reviewed one. A plan of another stack or organization is an error. */
export function verify(reviewed: Plan, fresh: Plan): Verification {
  refuseOther(reviewed, fresh);
  const known = new Index(reviewed.entries);
  const now = new Index(fresh.entries);
  const begun = findBegun(reviewed, fresh);
  const isKnown = (entry: Entry) => known.has(entry) || completesCreation(begun, entry, known);
  const unreviewed = fresh.entries.filter((entry) => !isKnown(entry));
  const redeclared = findRedeclared(reviewed, fresh);
  const told = (one: Redeclared) => unreviewed.some((entry) => isAbout(entry, one));
  return {
    unreviewed: [
      ...unreviewed,
      ...redeclared.filter((one) => !told(one)).map(({ entry }) => entry),
      ...releasesIn(reviewed, fresh, unreviewed),
    ],
    missing: reviewed.entries.filter((entry) => !now.has(entry) && !redeclared.some((one) => isAbout(entry, one))),
    obstacles: [
      ...(reviewed.refused ? ["the reviewed preview had failed, so it must not be applied"] : []),
      ...(fresh.refused ? ["the fresh preview failed; docs-org review says why"] : []),
      ...listPassedOn(reviewed, fresh),
    ],
    incomparable: incomparableIn(reviewed, fresh),
  };
}

/** Whether the entry completes a reviewed creation that was interrupted: the creation has become an update. */
function completesCreation(begun: ReadonlySet<string>, { id: _, ...entry }: Entry, known: Index): boolean {
  const { kind, what, subject, urn } = entry;
  if (kind === "risk") return [...begun].some((one) => isOfCompletion(what, subject, one));
  return urn !== undefined && begun.has(urn) && ((kind === "resource" && what === "update") || known.has(entry));
}

/** Whether the risk is one that only completing the reviewed creation causes. */
function isOfCompletion(risk: string, subject: string, urn: string): boolean {
  const [, type = "", name] = /docs:(\w+)::(.*)$/s.exec(urn) ?? [];
  return name === subject && reviewPartOf(type).risksOfCompletion?.includes(risk) === true;
}

/** People whose release options differ from the reviewed ones. People with another unreviewed entry are left out. */
function releasesIn(reviewed: Plan, { releases }: Plan, unreviewed: readonly Entry[]): Entry[] {
  const known = new Index(reviewed.releases);
  const subjects = new Set(unreviewed.filter(({ kind }) => kind !== "resource").map(({ subject }) => subject));
  return releases.filter((entry) => !known.has(entry) && !subjects.has(entry.subject));
}

const isAbout = (entry: Entry, { urn, name }: Redeclared): boolean =>
  entry.urn === urn && entry.what.startsWith(`${name}: `);

/** E-mails that belong to another person than at the review. */
function listPassedOn(reviewed: Plan, fresh: Plan): string[] {
  const [before, now] = [reviewed.users, fresh.users];
  return Object.entries(now).flatMap(([email, ids]) => {
    const known = before[email] ?? ids;
    const others = ids.filter((id) => !known.includes(id)).join(" and ");
    return others ? [visible(`${email} was reviewed as ${known.join(" and ")} and belongs to ${others} now`)] : [];
  });
}

function refuseOther(reviewed: Plan, fresh: Plan): void {
  const [before, now] = [reviewed, fresh].map(({ project, stack }) => `${project}/${stack}`);
  if (fresh.project !== "" && before !== now) {
    throw new DocsError(
      `the plan is of stack ${before}, and the preview of stack ${now}; use the plan of the same stack`,
    );
  }
  const others = fresh.organizations.filter((id) => !reviewed.organizations.includes(id));
  // A plan without organizations cannot be compared here; `incomparable` reports it.
  if (reviewed.organizations.length === 0 || others.length === 0) return;
  throw new DocsError(
    `the plan is of organization ${reviewed.organizations.join(", ")}, and the preview of ${others.join(", ")}; use a preview ` +
      "of the same organization",
  );
}

function incomparableIn(reviewed: Plan, fresh: Plan): string[] {
  const hidden = [...fresh.entries.filter((entry) => entry.hidden), ...listUnseen(fresh)];
  const ofUnknown = listOfUnknownOrganization(reviewed, fresh);
  return [
    ...(fresh.refreshed
      ? []
      : [
          "the fresh preview did not check for drift, so an up with --refresh may do more; run the preview with --refresh",
        ]),
    ...(fresh.partial
      ? ["the fresh preview covers only a part of the stack, so an up does more; run the preview without --target"]
      : []),
    ...(ofUnknown.length > 0 ? [unknownOrganization(ofUnknown, reviewed, fresh)] : []),
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

/** Maximum number of listed points. */
const most = 20;

/**
 * Finds entries of a plan. People are compared by id if both sides have one, and resources by URN and id. A hidden value
 * never equals a text that looks like it.
 */
class Index {
  private readonly entries = new Set<string>();
  private readonly outcomes = new Set<string>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      for (const key of this.storedNames(entry)) this.entries.add(this.keyOf(entry, key));
      if (entry.outcome === undefined) continue;
      for (const key of this.storedNames(entry)) this.outcomes.add(JSON.stringify([entry.outcome, key]));
    }
  }

  /** Whether the entry was reviewed, even if it is already done, for example by an interrupted up. */
  has(entry: Entry): boolean {
    const names = this.matchingNames(entry);
    if (names.some((name) => this.entries.has(this.keyOf(entry, name)))) return true;
    return entry.done === true && names.some((name) => this.outcomes.has(JSON.stringify([entry.outcome, name])));
  }

  private keyOf({ kind, what, urn, id, hidden }: Entry, name: string): string {
    return JSON.stringify(
      urn === undefined ? [kind, what, name, hidden] : [kind, textOf(what, urn), [urn, id], hidden],
    );
  }

  /** The names under which an entry is stored. If the person has an id, the e-mails are marked: an entry with another id must not match them. */
  private storedNames({ subject, keys = [subject] }: Entry): string[] {
    const id = idAmong(keys);
    return id === undefined ? [...keys] : keys.map((key) => (key === id ? key : withId + key));
  }

  /** The names under which to look for an entry. An entry without an id matches marked e-mails as well. */
  private matchingNames({ subject, keys = [subject] }: Entry): string[] {
    return idAmong(keys) === undefined ? keys.flatMap((key) => [key, withId + key]) : [...keys];
  }
}

/** What a resource entry says, such as `ignore: [...]`, with the meaning of the value instead of its spelling. */
function textOf(what: string, urn: string): string {
  const [, name, value] = /^(\w+): (.*)$/s.exec(what) ?? [];
  return name === undefined || value === undefined ? what : `${name}: ${meaningOf(urn, name, value)}`;
}

/** The mark before an e-mail whose person has an id. No name begins with a space, so it is unique. */
const withId = " ";

const titles: Readonly<Record<Entry["kind"], string>> = {
  grant: "grant   ",
  removal: "removal ",
  change: "change  ",
  risk: "risk    ",
  resource: "resource",
};

/** The name of a subject, without the mark for a hidden person. */
const nameOf = (subject: string): string => subject.replace(/^\?/, "");

/** One line for a list on a terminal. */
export function lineOf({ kind, what, subject, keys = [] }: Entry): string {
  const others = keys.filter((key) => key !== subject);
  const who = others.length > 0 ? `${subject} (${others.join(", ")})` : nameOf(subject);
  return inert(visible(`${titles[kind]}  ${who}: ${what}`, 500));
}
