import type { Severity } from "../lifecycle/review";
import { sectionList } from "../organization/sections";
import { withName } from "../organization/sections/objects";
import type { UnmanagedList } from "../organization/sections/section";
import { describeTeam } from "../organization/sections/teams/audit";
import type { Section } from "../report/report";
import { type SafeText, safeText, some, trusted } from "../text/safe-text";
import type { Declarer } from "./access";
import type { Audit, Gone } from "./report";
import type { Shared } from "./shared";

/** Sections of unmanaged objects by kind, then sections of wrong declarations. Empty sections are left out. */
export function sectionsOf({ unmanaged, shared, gone }: Audit): Section[] {
  const lists: Readonly<Record<string, readonly unknown[]>> = unmanaged;
  // biome-ignore format: a section a line
  return [
    ...sectionList.flatMap(({ audit }) => audit.lists.map((list) => listed(list, lists[audit.kind] ?? []))),
    section({ id: "shared", symbol: "⚠", title: "Declared by several stacks: each undoes the changes of the other", one: "shared declaration", many: "shared declarations", severity: "medium" }, shared.map(sharedWords)),
    section({ id: "gone", symbol: "○", title: "Declared, but not live", one: "declaration without a live object", many: "declarations without a live object" }, gone.map(goneWords)),
  ].filter(({ entries }) => entries.length > 0);
}

function listed(list: UnmanagedList<unknown>, unmanaged: readonly unknown[]): Section {
  const included = unmanaged.filter((one) => list.includes?.(one) ?? true);
  const title = `${list.many[0]?.toUpperCase()}${list.many.slice(1)} that no stack manages`;
  return section(
    { ...list, title },
    included.map((one) => list.describe(one)),
  );
}

function section(
  { id, symbol, title, one, many, severity }: Omit<Section, "entries"> & { readonly severity?: Severity | undefined },
  texts: readonly SafeText[],
): Section {
  return { id, symbol, title, one, many, entries: texts.map((text) => ({ text, ...(severity && { severity }) })) };
}

/** The words for a subject, by its kind. */
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
  return safeText`${thingWords(one)}: ${trusted(subjects[one.kind]?.absence ?? "does not exist")}; declared by ${byWords([one.by])}`;
}

function sharedWords(one: Shared): SafeText {
  const whole = one.kind === "team" ? "; TeamMembers removes the people that another stack adds" : "";
  return safeText`${thingWords(one)}: ${byWords(one.by)}${trusted(whole)}`;
}

const byWords = (by: readonly Declarer[]): SafeText =>
  some(by.map(({ stack, resource }) => safeText`${resource} of stack ${stack}`));
