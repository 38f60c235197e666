import type { LiveOrganization } from "../organization/live/live";
import { type SectionName, type Sections, sectionList, type UnmanagedOf } from "../organization/sections";
import type { ManagedSubjects } from "../organization/sections/section";
import { type Declarations, keyOf } from "./declarations";

/** Live objects that no stack manages, the most important first in each list. */
export type Unmanaged = {
  readonly [Name in SectionName as Sections[Name]["audit"]["kind"]]: readonly UnmanagedOf<Sections[Name]>[];
};

export function findUnmanaged(live: LiveOrganization, managed: ManagedSubjects): Unmanaged {
  const found = sectionList.map(({ name, audit }) => [audit.kind, audit.findUnmanaged(live[name], managed)]);
  // The type says what each section finds.
  return Object.fromEntries(found) as Unmanaged;
}

/** The number of undeclared memberships that a team ignores. */
export function countIgnored(live: LiveOrganization, managed: ManagedSubjects): number {
  return sectionList.reduce((sum, { name, audit }) => sum + (audit.countIgnored?.(live[name], managed) ?? 0), 0);
}

/** The subjects of all states, for the sections. */
export function managedBy({ all, access }: Declarations, organization: string): ManagedSubjects {
  const keys = new Set(all.map(keyOf));
  const wholeTeams = new Set([...access.managers.keys()].map(({ area }) => area?.team));
  return {
    has: (subject) => keys.has(keyOf(subject)),
    // The manager of a whole team is responsible for everybody in it, except the people that it ignores.
    ignores: (team, { userId: id }) =>
      wholeTeams.has(team) && access.plan.of({ kind: "team", team, organization }, { id }) === undefined,
  };
}
