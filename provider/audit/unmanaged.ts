import type { LiveOrganization } from "../organization/live/live";
import { type SectionName, type Sections, sectionList, type UnmanagedOf } from "../organization/sections";
import type { ManagedSubjects } from "../organization/sections/section";
import { type Declarations, keyOf } from "./declarations";

/** What is live and no code declares, the most important first in each list. */
export type Unmanaged = {
  readonly [Name in SectionName as Sections[Name]["audit"]["kind"]]: readonly UnmanagedOf<Sections[Name]>[];
};

export function unmanagedIn(live: LiveOrganization, managed: ManagedSubjects): Unmanaged {
  const found = sectionList.map(({ name, audit }) => [audit.kind, audit.findUnmanaged(live[name], managed)]);
  // What each section finds is what its type says.
  return Object.fromEntries(found) as Unmanaged;
}

/** How many memberships no code names and a whole team leaves alone all the same. */
export function countIgnored(live: LiveOrganization, managed: ManagedSubjects): number {
  return sectionList.reduce((sum, { name, audit }) => sum + (audit.countIgnored?.(live[name], managed) ?? 0), 0);
}

/** What the states declare, as the sections ask for it. */
export function managedBy({ all, wholeTeams }: Declarations): ManagedSubjects {
  const keys = new Set(all.map(keyOf));
  return {
    has: (subject) => keys.has(keyOf(subject)),
    ignores: (teamId, person) => wholeTeams.some(({ team, ignores }) => team === teamId && ignores(person)),
  };
}
