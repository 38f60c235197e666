import type { LiveOrganization } from "../organization/live/live";
import { type Kind, sectionList } from "../organization/sections";
import { membersWithRole } from "../organization/sections/members";
import { teamNames } from "../organization/sections/teams";
import { isGivenIn, listEnds, usualPeriod, type Within } from "../review/model/ends";
import { counted } from "../text/safe-text";
import { type Coverage, countedOf, coverageOf, kindNames, percentText, totalOf } from "./coverage";
import { type Declarations, declarationsIn, keyOfAudited, managedBy, type OwnStates } from "./declarations";
import type { Audit, AuditVerdict, Gone, Unmanaged } from "./report";
import { findShared } from "./shared";

/** Compares the live organization with the states of stacks, as far as they belong to the organization. */
export function auditOf(
  live: LiveOrganization,
  { states, empty, foreign }: OwnStates,
  within: Within & { readonly token?: string } = { now: new Date(), period: usualPeriod },
): Audit {
  const declarations = declarationsIn(states, live);
  const managed = managedBy(declarations, live.organizationId);
  const { unmanaged, coverage, ignored } = countObjects(live, managed);
  const facts = {
    version: 1,
    organization: live.organizationId,
    stacks: states.map(({ name }) => name),
    coverage,
    guests: live.members.length - membersWithRole(live.members).length,
    ignored,
    unmanaged,
    shared: findShared(declarations, live),
    gone: findGone(live, declarations),
    ends: listEnds(
      {
        grants: notedGrants(states, live),
        isGiven: isGivenIn(declarations.access.plan),
        providers: live.saml,
        token: within.token,
      },
      within,
    ),
    waiting: declarations.all.filter(({ waiting }) => waiting).length,
    hidden: declarations.hidden,
    hiddenEmails: live.members.filter(({ user }) => !user.email).length,
    emptyStacks: empty,
    foreignResources: foreign,
  } as const;
  return { ...facts, verdict: verdictOf(facts) };
}

function countObjects(live: LiveOrganization, managed: ReturnType<typeof managedBy>) {
  const sections = sectionList.map(({ name, audit }) => {
    const objects = audit.listObjects(live[name]);
    const undeclared = objects.filter(({ subject }) => !managed.has(subject));
    const unmanaged = undeclared.filter(({ subject: { team }, person }) => !(person && managed.ignores(team, person)));
    const shown = unmanaged.map((one) => one.shown).sort(audit.order);
    const coverage = coverageOf(objects.length - unmanaged.length, objects.length);
    return { kind: audit.kind, shown, coverage, ignored: undeclared.length - unmanaged.length };
  });
  const kinds = Object.fromEntries(sections.map(({ kind, coverage }) => [kind, coverage])) as Record<Kind, Coverage>;
  return {
    // Each section says the type of what it finds, which a loop over all of them loses.
    unmanaged: Object.fromEntries(sections.map(({ kind, shown }) => [kind, shown])) as unknown as Unmanaged,
    coverage: { ...kinds, total: totalOf(Object.values(kinds)) },
    ignored: sections.reduce((sum, { ignored }) => sum + ignored, 0),
  };
}

const notedGrants = (states: OwnStates["states"], { organizationId }: LiveOrganization) =>
  states.flatMap(({ notes }) =>
    notes.flatMap(({ organization, grants = [] }) => (organization === organizationId ? grants : [])),
  );

function findGone(live: LiveOrganization, { all }: Declarations): Gone[] {
  const subjects = sectionList.flatMap(({ name, audit }) => [
    ...audit.listObjects(live[name]).map(({ subject }) => subject),
    ...(audit.listOthers?.(live[name]) ?? []),
  ]);
  const keys = new Set(subjects.map(keyOfAudited));
  const nameOfTeam = teamNames(live.teams);
  return all
    .filter((one) => !one.waiting && !one.leaving && !keys.has(keyOfAudited(one)))
    .map(({ kind, id, name, by, team }) => {
      return { kind, id, name, by, ...(team !== undefined && { team: nameOfTeam(team) }) };
    });
}

/** The first line: the unmanaged objects; if there are none, what is declared, and the conflicts. */
function verdictOf({ unmanaged, coverage, shared, gone }: Omit<Audit, "verdict">): AuditVerdict {
  const { total } = coverage;
  const conflicts = [
    ...(shared.length > 0 ? [`${counted(shared.length, "thing is", "things are")} declared by several stacks`] : []),
    ...(gone.length > 0 ? [`${counted(gone.length, "declared thing is", "declared things are")} not live`] : []),
  ];
  const verdict = conflicts.length > 0 ? "conflicting" : "complete";
  const but = conflicts.length > 0 ? ` But ${conflicts.join(", and ")}.` : "";
  if (total.there === 0) return { kind: verdict, text: `There is nothing to declare.${but}` };
  if (total.declared === total.there) {
    const counts = kindNames
      .filter((kind) => coverage[kind].there > 0)
      .map((kind) => countedOf(kind, coverage[kind].there));
    return { kind: verdict, text: `Everything is declared: ${counts.join(", ")}.${but}` };
  }
  const counts = sectionList.flatMap(({ audit }) => {
    const objects: readonly unknown[] = unmanaged[audit.kind];
    const note = audit.noteUnmanaged?.(objects) ?? "";
    return objects.length > 0 ? [`${countedOf(audit.kind, objects.length)}${note}`] : [];
  });
  const text = `No stack manages ${counts.join(", ")}; ${percentText(total)} is declared.`;
  return { kind: "unmanaged", text };
}
