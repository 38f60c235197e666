import { sectionList } from "../organization/sections";
import { withName } from "../organization/sections/objects";
import type { UnmanagedList } from "../organization/sections/section";
import { describeTeam } from "../organization/sections/teams/audit";
import { type Section, sectionOf } from "../report/report";
import { type SafeText, safeText, some, trusted } from "../text/safe-text";
import type { Declarer } from "./access";
import type { Audit, Gone } from "./report";
import type { Shared } from "./shared";

/** Sections of unmanaged objects by kind, then sections of wrong declarations. */
export function sectionsOf({ unmanaged, shared, gone }: Audit): Section[] {
  const lists: Readonly<Record<string, readonly unknown[]>> = unmanaged;
  const undeclared = ["declaration without a live object", "declarations without a live object"] as const;
  return [
    ...sectionList.flatMap(({ audit }) => audit.lists.map((list) => listed(list, lists[audit.kind] ?? []))),
    sectionOf(
      "shared",
      "⚠",
      "Declared by several stacks: each undoes the changes of the other",
      ["shared declaration", "shared declarations"],
      shared.map((one) => ({ text: sharedWords(one), severity: "medium" })),
    ),
    sectionOf(
      "gone",
      "○",
      "Declared, but not live",
      undeclared,
      gone.map((one) => ({ text: goneWords(one) })),
    ),
  ];
}

function listed(list: UnmanagedList<unknown>, unmanaged: readonly unknown[]): Section {
  const { id, symbol, one, many, severity } = list;
  const included = unmanaged.filter((one) => list.includes?.(one) ?? true);
  const title = `${many[0]?.toUpperCase()}${many.slice(1)} that no stack manages`;
  const entries = included.map((one) => ({ text: list.describe(one), ...(severity && { severity }) }));
  return sectionOf(id, symbol, title, [one, many], entries);
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
