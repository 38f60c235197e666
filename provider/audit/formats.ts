import { type ListedSection, sectionList } from "../organization/sections";
import { withName } from "../organization/sections/parts";
import type { UnmanagedList } from "../organization/sections/section";
import { describeTeam } from "../organization/sections/teams";
import { isEmail } from "../people/user";
import { formatsOf } from "../report/formats";
import type { Report, ReportSection } from "../report/report";
import { endsSections } from "../review/model/ends";
import { counted, listFirst, type SafeText, safeText, trusted } from "../text/safe-text";
import type { Declarer } from "./access";
import { kindNames, kinds, percentText } from "./coverage";
import { isAccessDeclaration } from "./declarations";
import type { Audit, Gone } from "./report";
import type { Shared } from "./shared";

export const auditFormats = formatsOf(reportOf);

function reportOf(audit: Audit): Report {
  const { verdict, organization, stacks } = audit;
  return {
    marker: ["audit", organization],
    title: `Audit of organization ${organization}`,
    kind: verdict.kind === "complete" ? "none" : "risky",
    verdict: [verdict.text],
    about: safeText`Organization ${organization}, compared with the state of ${listFirst(stacks)}.`,
    notes: notesOf(audit),
    sections: [coverageSection(audit), ...sectionsOf(audit)],
    leftOut: ["teams without members that no --team names, and what people may do in single spaces"],
  };
}

function coverageSection({ coverage }: Audit): ReportSection {
  const all = [
    ...kindNames.map((kind) => [kinds[kind][1], coverage[kind]] as const),
    ["in total", coverage.total],
  ] as const;
  const entries = all
    .filter(([, { there }]) => there > 0)
    .map(([name, one]) => {
      const numbers = [one.declared, one.there].map((count) => count.toLocaleString("en-US")).join(" of ");
      return { text: trusted(`${name}: ${numbers} declared, ${percentText(one)}`) };
    });
  return { id: "coverage", symbol: "▦", title: "Coverage", entries };
}

function notesOf(audit: Audit): SafeText[] {
  const { guests, ignored, waiting, hidden, hiddenEmails, emptyStacks, foreignResources, gone } = audit;
  const unresolved = waiting > 0 || gone.some((one) => isAccessDeclaration(one) && isEmail(one.id));
  const notes: [count: number, text: string][] = [
    [guests, `Not counted: ${counted(guests, "guest")} without a role.`],
    [ignored, `Counted as declared: ${counted(ignored, "membership")} that a team ignores (ignore).`],
    [
      waiting,
      `Waiting for people who have not joined: ${counted(waiting, "declared role or membership", "declared roles and memberships")}.`,
    ],
    [
      unresolved ? hiddenEmails : 0,
      `With a hidden e-mail, which may be one that no member seems to have: ${counted(hiddenEmails, "member")}.`,
    ],
    [hidden, `Not compared: ${counted(hidden, "declaration")}, secret in the state.`],
    [foreignResources, `Left out: ${counted(foreignResources, "resource")} of other organizations.`],
  ];
  const empty = safeText`Nothing of this organization is in the state of ${listFirst(emptyStacks)}.`;
  return [
    ...notes.filter(([count]) => count > 0).map(([, text]) => trusted(text)),
    ...(emptyStacks.length > 0 ? [empty] : []),
  ];
}

/** Sections of unmanaged objects by kind, then sections of wrong declarations. */
function sectionsOf({ unmanaged, shared, gone, ends }: Audit): ReportSection[] {
  return [
    ...sectionList.flatMap(({ audit }) => unmanagedSections(audit, unmanaged[audit.kind])),
    {
      id: "shared",
      symbol: "⚠",
      title: "Declared by several stacks: each undoes the changes of the other",
      entries: shared.map((one) => ({ text: sharedWords(one), severity: "medium" })),
    },
    {
      id: "gone",
      symbol: "○",
      title: "Declared, but not live",
      entries: gone.map((one) => ({ text: goneWords(one) })),
    },
    ...endsSections(ends),
  ];
}

function unmanagedSections(audit: ListedSection["audit"], unmanaged: readonly unknown[]): ReportSection[] {
  const { kind, symbol, lists } = audit;
  const entries = unmanaged.map((one) => ({ text: audit.describe(one), severity: audit.severityOf?.(one) }));
  const sectionFor = ({ id, many }: UnmanagedList, listed: ReportSection["entries"]): ReportSection => {
    return { id, symbol, title: `${many[0]?.toUpperCase()}${many.slice(1)} that no stack manages`, entries: listed };
  };
  if (!lists) return [sectionFor({ id: kind, many: audit.many }, entries)];
  const severe = entries.filter(({ severity }) => severity !== undefined);
  const others = entries.filter(({ severity }) => severity === undefined);
  return [sectionFor(lists.severe, severe), sectionFor(lists.others, others)];
}

const subjects: Readonly<Record<string, { readonly prefix: string; readonly absence: string }>> = Object.assign(
  {},
  ...sectionList.map(({ audit }) => audit.subjects),
);

function thingWords({ kind, id, name, team }: Pick<Shared, "kind" | "id" | "name" | "team">): SafeText {
  if (kind === "team") return describeTeam(team ?? { id });
  const place = team ? safeText`${describeTeam(team)}: ` : safeText``;
  return safeText`${trusted(subjects[kind]?.prefix ?? "")}${place}${withName(name, id)}`;
}

function goneWords(one: Gone): SafeText {
  return safeText`${thingWords(one)}: ${trusted(subjects[one.kind]?.absence ?? "does not exist")}; declared by ${declarerWords([one.by])}`;
}

function sharedWords(one: Shared): SafeText {
  const whole = one.kind === "team" ? "; TeamMembers removes the people that another stack adds" : "";
  return safeText`${thingWords(one)}: ${declarerWords(one.by)}${trusted(whole)}`;
}

const declarerWords = (by: readonly Declarer[]): SafeText =>
  listFirst(by.map(({ stack, resource }) => safeText`${resource} of stack ${stack}`));
