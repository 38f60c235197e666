import { joinToLimit, listOf, marked } from "../review/render/markdown";
import { safeText, some } from "../text/safe-text";
import { type Coverage, kindNames, kinds, percentText } from "./coverage";
import { notesOf } from "./limits";
import type { Audit } from "./report";
import { sectionsOf } from "./sections";

/** The first line, by which a bot finds its earlier comment or issue. */
export function markerOf({ organization }: Pick<Audit, "organization">): string {
  return `<!-- docs-org audit of ${organization.replace(/[^\w.]+/g, "_").slice(0, 100)} -->`;
}

/** The audit for an issue or a chat, always under 60,000 characters. */
export function markdownOf(audit: Audit): string {
  return joinToLimit(headOf(audit), sectionsOf(audit).map(listOf));
}

const symbols = { complete: "✅", conflicting: "⚠️", unmanaged: "⚠️" } as const;

function headOf(audit: Audit): string {
  const { verdict, organization, stacks } = audit;
  const about = safeText`Organization ${organization}, compared with the state of ${some(stacks)}.`;
  return [
    markerOf(audit),
    `## ${symbols[verdict.kind]} ${marked([verdict.text])}`,
    "",
    [about, ...notesOf(audit)].map(marked).join(" "),
    "",
    ...tableOf(audit),
    "",
  ].join("\n");
}

function tableOf({ coverage }: Audit): string[] {
  return [
    "| | declared | live | coverage |",
    "| --- | ---: | ---: | ---: |",
    ...kindNames.map((kind) => rowOf(kinds[kind][1], coverage[kind])),
    rowOf("in total", coverage.total),
  ];
}

function rowOf(name: string, coverage: Coverage): string {
  const numbers = [coverage.declared, coverage.there].map((count) => count.toLocaleString("en-US"));
  return `| ${[name, ...numbers, percentText(coverage)].join(" | ")} |`;
}
