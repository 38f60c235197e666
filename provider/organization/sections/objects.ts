import { type SafeText, safeText } from "../../text/safe-text";
import type { Audited, UnmanagedList } from "./section";

/** Helpers that several sections use for the audit. */

/** Maximum number of objects in one request. */
export const mostListed = 1000;

interface Identified {
  readonly id: string;
}

export const { compare } = new Intl.Collator("en");

/** A name with its id: an e-mail or title may pass to another object, an id cannot. */
export const withName = (name: string, id: string): SafeText =>
  name === id ? safeText`${id}` : safeText`${name} (${id})`;

type Naming<Unmanaged> = Pick<UnmanagedList<Unmanaged>, "id" | "one" | "many">;

/** Two lists of unmanaged objects: the important ones, and all others. */
export function splitLists<Unmanaged>(
  common: Pick<UnmanagedList<Unmanaged>, "symbol" | "describe">,
  isImportant: (unmanaged: Unmanaged) => boolean,
  important: Naming<Unmanaged> & Required<Pick<UnmanagedList<Unmanaged>, "severity">>,
  others: Naming<Unmanaged>,
): UnmanagedList<Unmanaged>[] {
  return [
    { ...common, ...important, includes: isImportant },
    { ...common, ...others, includes: (one) => !isImportant(one) },
  ];
}

interface AuditedObjects<Kind, Live, Unmanaged>
  extends Pick<UnmanagedList<Unmanaged>, "one" | "many" | "symbol" | "severity" | "describe"> {
  /** The kind in the audit, and the anchor of the list. */
  readonly kind: Kind;
  /** The kind of subject in the states of stacks. */
  readonly subject: string;
  /** The part of a live object that the audit prints. */
  pick(live: Live): Unmanaged;
  /** Sorts the most important object first. */
  order(a: Unmanaged, b: Unmanaged): number;
}

/** The audit of a section in which each object has a resource, with one list of unmanaged objects. */
export function auditObjects<const Kind extends string, Live extends Identified, Unmanaged>({
  kind,
  subject,
  one,
  many,
  pick,
  order,
  ...list
}: AuditedObjects<Kind, Live, Unmanaged>) {
  return {
    kind,
    one,
    many,
    subjects: { [subject]: { prefix: `${one} `, absence: "does not exist" } },
    listObjects: (live) => live.map((one) => ({ subject: { kind: subject, id: one.id }, shown: pick(one) })),
    order,
    lists: [{ id: kind, one, many, ...list }],
  } satisfies Audited<readonly Live[], Unmanaged>;
}
