import type { LiveOrganization } from "../organization/live/live";
import { type Kind, sectionList } from "../organization/sections";
import { withRole } from "../organization/sections/members";
import type { ManagedSubjects } from "../organization/sections/section";
import { teamNames } from "../organization/sections/teams/audit";
import { counted } from "../text/safe-text";
import { type Coverage, countedOf, coverageOf, kindNames, percentText, totalOf } from "./coverage";
import { type Declarations, declarationsIn, keyOf, managedBy, type Own } from "./declarations";
import type { Audit, Gone, Unmanaged, Verdict } from "./report";
import { findShared } from "./shared";

/** Compares the live organization with the states of stacks, as far as they belong to the organization. */
export function auditOf(live: LiveOrganization, { states, empty, foreign }: Own): Audit {
  const declarations = declarationsIn(states, live);
  const managed = managedBy(declarations, live.organizationId);
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

function findUnmanaged(live: LiveOrganization, managed: ManagedSubjects): Unmanaged {
  const found = sectionList.map(({ name, audit }) => [audit.kind, audit.findUnmanaged(live[name], managed)]);
  // The type says what each section finds.
  return Object.fromEntries(found) as Unmanaged;
}

/** The number of undeclared memberships that a team ignores. */
const countIgnored = (live: LiveOrganization, managed: ManagedSubjects): number =>
  sectionList.reduce((sum, { name, audit }) => sum + (audit.countIgnored?.(live[name], managed) ?? 0), 0);

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

/** The first line: the unmanaged objects in one sentence. */
function verdictOf({ unmanaged, coverage, hidden, shared, gone }: Omit<Audit, "verdict">): Verdict {
  const { total } = coverage;
  const conflicts = [
    ...(shared.length > 0 ? [`${counted(shared.length, "thing is", "things are")} declared by several stacks`] : []),
    ...(gone.length > 0 ? [`${counted(gone.length, "declared thing is", "declared things are")} not live`] : []),
  ];
  const kind = conflicts.length > 0 ? "conflicting" : "complete";
  const but = conflicts.length > 0 ? ` But ${conflicts.join(", and ")}.` : "";
  if (total.there === 0) return { kind, text: `There is nothing to declare.${but}` };
  if (total.declared === total.there) {
    const there = kindNames
      .filter((kind) => coverage[kind].there > 0)
      .map((kind) => countedOf(kind, coverage[kind].there));
    return { kind, text: `Everything is declared: ${there.join(", ")}.${but}` };
  }
  const left = sectionList.flatMap(({ audit }) => {
    const found: readonly unknown[] = unmanaged[audit.kind];
    return found.length > 0 ? [`${countedOf(audit.kind, found.length)}${audit.noteUnmanaged?.(found) ?? ""}`] : [];
  });
  // Secret declarations may declare some of the unmanaged objects.
  const secret =
    hidden === 0
      ? ""
      : ` ${counted(hidden, "declaration is", "declarations are")} secret in the state, and not compared.`;
  const text = `No stack manages ${left.join(", ")}; ${percentText(total)} is declared.${secret}`;
  return { kind: "unmanaged", text };
}
