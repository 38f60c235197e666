import type { LiveOrganization } from "../organization/live/live";
import { type Kind, sectionList } from "../organization/sections";
import { withRole } from "../organization/sections/members";
import { teamNames } from "../organization/sections/teams/audit";
import { type Coverage, coverageOf, totalOf } from "./coverage";
import { type Declarations, Directory, declarationsIn, keyOf, type Own } from "./declarations";
import type { Audit, Gone } from "./report";
import { findShared } from "./shared";
import { countIgnored, findUnmanaged, managedBy, type Unmanaged } from "./unmanaged";
import { verdictOf } from "./verdict";

/** Compares the live organization with the states of stacks, as far as they belong to the organization. */
export function auditOf(live: LiveOrganization, { states, empty, foreign }: Own): Audit {
  const declarations = declarationsIn(states, new Directory(live.members));
  const managed = managedBy(declarations);
  const unmanaged = findUnmanaged(live, managed);
  const coverage = coverageIn(live, unmanaged);
  const found = {
    version: 1,
    organization: live.organizationId,
    stacks: states.map(({ name }) => name),
    coverage,
    guests: live.members.length - withRole(live.members).length,
    ignored: countIgnored(live, managed),
    unmanaged,
    shared: findShared(declarations, live),
    gone: findGone(live, declarations),
    waiting: declarations.all.filter(({ waiting }) => waiting).length,
    hidden: declarations.hidden,
    hiddenEmails: live.members.filter(({ user }) => !user.email).length,
    emptyStacks: empty,
    foreignResources: foreign,
  } as const;
  return { ...found, verdict: verdictOf(found) };
}

function coverageIn(live: LiveOrganization, unmanaged: Unmanaged): Audit["coverage"] {
  const found = sectionList.map(({ name, audit }): [Kind, Coverage] => {
    const there = audit.count(live[name]);
    return [audit.kind, coverageOf(there - unmanaged[audit.kind].length, there)];
  });
  const kinds = Object.fromEntries(found) as Record<Kind, Coverage>;
  return { ...kinds, total: totalOf(Object.values(kinds)) };
}

function findGone(live: LiveOrganization, { all }: Declarations): Gone[] {
  const keys = new Set(sectionList.flatMap(({ name, audit }) => audit.listSubjects(live[name]).map(keyOf)));
  const named = teamNames(live.teams);
  return all
    .filter((one) => !one.waiting && !one.leaving && !keys.has(keyOf(one)))
    .map(({ kind, id, name, by, team }) => {
      return { kind, id, name, by, ...(team !== undefined && { team: named(team) }) };
    });
}
