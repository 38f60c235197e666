import { rank } from "../../access/holding";
import { type Words, words } from "../../text/words";
import type { ManagedSubjects, Subject } from "./section";

/** What sections have in common for the audit. */

/** Objects that one request asks for. */
export const mostListed = 1000;

interface Identified {
  readonly id: string;
}

export const subjectsOfKind = (kind: string, live: readonly Identified[]): Subject[] =>
  live.map(({ id }) => ({ kind, id }));

export const findWithoutManager = <Thing extends Identified>(
  kind: string,
  live: readonly Thing[],
  managed: ManagedSubjects,
): Thing[] => live.filter(({ id }) => !managed.has({ kind, id }));

export const { compare } = new Intl.Collator("en");

/** A role that came later than this version may be a powerful one. */
export const weight = (role: string): number => (rank(role) < 0 ? rank("admin") - 0.5 : rank(role));

/** A name may change its owner, an id cannot. */
export const withName = (name: string, id: string): Words => (name === id ? words`${id}` : words`${name} (${id})`);
