import { rankOfLevel } from "../../access/holding";
import { type Words, words } from "../../text/words";
import type { ManagedSubjects, Subject } from "./section";

/** Helpers that several sections use for the audit. */

/** Maximum number of objects in one request. */
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

/** An unknown role, of a newer version of the service, counts as nearly an administrator: it may be powerful. */
export const weight = (role: string): number =>
  rankOfLevel(role) < 0 ? rankOfLevel("admin") - 0.5 : rankOfLevel(role);

/** A name with its id: an e-mail or title may pass to another object, an id cannot. */
export const withName = (name: string, id: string): Words => (name === id ? words`${id}` : words`${name} (${id})`);
