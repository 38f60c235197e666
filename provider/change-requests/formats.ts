import { contentsOf, symbolOf } from "../review/render/html/heading";
import { sectionOf } from "../review/render/html/html";
import { pageOf } from "../review/render/html/page";
import { marked as markedHtml } from "../review/render/html/text";
import { joinToLimit, listOf, marked } from "../review/render/markdown";
import type { Section } from "../review/render/sections";
import { jsonOf } from "../text/json";
import { masked } from "../text/masking";
import { counted, joined, rendered, type SafeText, safeText, trusted } from "../text/safe-text";
import { inert, visible } from "../text/visible";
import { brokenCount, type Report } from "./report";
import { sectionsOf } from "./sections";

function textOf(report: Report): string {
  const head = [verdictOf(report).words, ...notesOf(report)].map(line);
  return `${[...head, ...sectionsOf(report).flatMap(linesOf)].map(inert).join("\n")}\n`;
}

function linesOf({ title, entries }: Section): string[] {
  return ["", `${title} (${entries.length})`, ...entries.map(({ text }) => `- ${line(text)}`)];
}

const longest = 10_000;
const line = (text: SafeText): string =>
  rendered(text, "whole", String, (value) => visible(value, longest) || "(empty)");

function markdownOf(report: Report): string {
  const { kind, words } = verdictOf(report);
  const symbol = { none: "✅", risky: "⚠️" }[kind];
  const head = [
    `<!-- docs-org change-requests of ${report.organization.replace(/[^\w.]+/g, "_").slice(0, 100)} -->`,
    `## ${symbol} ${marked(words)}`,
    "",
    notesOf(report).map(marked).join(" "),
    "",
  ];
  return joinToLimit(head.join("\n"), sectionsOf(report).map(listOf));
}

function htmlOf(report: Report): string {
  const sections = sectionsOf(report);
  const { kind, words } = verdictOf(report);
  const head = [
    `<header class="${kind}">`,
    '<p class="about">Open change requests</p>',
    `<h1>${symbolOf({ none: "✓", risky: "⚠" }[kind])} ${markedHtml(words)}</h1>`,
    ...notesOf(report).map((note) => `<p class="soft">${markedHtml(note)}</p>`),
    contentsOf(sections),
    "</header>",
  ];
  const title = `Open change requests of ${report.space ?? report.organization}`;
  return pageOf({ title, head: head.join("\n"), main: sections.map(sectionOf) });
}

/** Without tokens. */
const maskedJsonOf = (report: Report): string =>
  jsonOf(report, (_, value) => (typeof value === "string" ? masked(value) : value));

/** Each format escapes what the service answered: subjects, names, titles and addresses are texts of other people. */
export const formats = { text: textOf, markdown: markdownOf, html: htmlOf, json: maskedJsonOf } as const;

/** The first line: how many change requests are open, and what is wrong with them. */
function verdictOf({ changeRequests }: Report): { readonly kind: "none" | "risky"; readonly words: SafeText } {
  const outdated = changeRequests.filter((one) => one.outdated).length;
  const breaking = changeRequests.filter((one) => brokenCount(one) > 0).length;
  const [oldest] = changeRequests;
  if (!oldest) return { kind: "none", words: ["No change request is open."] };
  const facts = [
    ...(outdated > 0 ? [[`${counted(outdated, "is", "are")} outdated`]] : []),
    ...(breaking > 0 ? [[`${counted(breaking, "breaks", "break")} links`]] : []),
    [`the oldest is open for ${counted(oldest.ageDays, "day")}`],
  ];
  const open = counted(changeRequests.length, "open change request");
  return { kind: outdated + breaking > 0 ? "risky" : "none", words: safeText`${trusted(open)}: ${joined(facts)}.` };
}

/** What the report covers, and what a reader must know of its limits. */
function notesOf({ organization, space, links }: Report): SafeText[] {
  return [
    space === undefined
      ? safeText`Organization ${organization}.`
      : safeText`Organization ${organization}, space ${space}.`,
    ...(links === "unavailable"
      ? [["This version of the service has no links of pages, so broken links are not known."]]
      : []),
  ];
}
