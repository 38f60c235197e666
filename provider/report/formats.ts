import type { Evidence } from "../run/evidence";
import { masked } from "../text/masking";
import { plain, rendered, type SafeText } from "../text/safe-text";
import { escapedLines, inert, visible } from "../text/visible";
import { evidenceWords } from "./evidence";
import { htmlOf, type Table } from "./html/html";
import { markdownOf } from "./markdown";
import { type Entry, type Message, type Report, type ReportSection, restWords } from "./report";

/**
 * How a command prints what it reports, with its evidence. The JSON has the whole source, not only what the report shows.
 */
export function formatsOf<Source>(
  reportOf: (source: Source) => Report,
  tableOf: (source: Source) => Table | undefined = () => undefined,
) {
  const filledReport = (source: Source, evidence: Evidence | undefined): Report => {
    const { sections, ...report } = reportOf(source);
    const foot = evidence && evidenceWords(evidence, report.leftOut);
    return { ...report, foot, sections: sections.filter(({ entries }) => entries.length > 0) };
  };
  return {
    text: (source: Source, evidence?: Evidence): string => textOf(filledReport(source, evidence)),
    markdown: (source: Source, evidence?: Evidence): string => markdownOf(filledReport(source, evidence)),
    html: (source: Source, evidence?: Evidence): string => htmlOf(filledReport(source, evidence), tableOf(source)),
    json: (source: Source, evidence?: Evidence): string => {
      const leftOut = plain(reportOf(source).leftOut ?? []) || undefined;
      return jsonOf(evidence ? { evidence: { ...evidence, leftOut }, ...source } : source);
    },
  };
}

/**
 * The value as indented JSON, without tokens. JSON itself leaves characters as they are that a terminal interprets or does not
 * show; as escapes, they mean the same to a program. `##[` would begin a command in the log of a GitHub job.
 */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, (_, one) => (typeof one === "string" ? masked(one) : one), 2);
  return `${escapedLines(text).replace(/##(?=\[)/g, "#\\u0023")}\n`;
}

/** A table for spreadsheets, with the columns of these names. */
export function csvTable<Name extends string>(
  names: readonly Name[],
  rows: readonly { readonly [Each in Name]?: string | boolean | undefined }[],
): string {
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((cells) => `${cells.map((cell) => cellOf(String(cell ?? ""))).join(",")}\r\n`)
    .join("");
}

/** A spreadsheet would compute what begins like a formula: an apostrophe makes it a text. */
function cellOf(value: string): string {
  const shown = visible(value, 10_000);
  return `"${(/^[=+\-@]/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}

function textOf({ verdict, about, notes, reasons = [], sections, foot }: Report): string {
  const head = `${marked(verdict)}\n${[about, ...notes].map(marked).filter(Boolean).join(" ")}\n`;
  return [head, reasons.map(reasonText).join(""), ...sections.map(sectionText), foot ? `${marked(foot)}\n` : ""]
    .filter(Boolean)
    .join("\n")
    .split("\n")
    .map(inert)
    .join("\n");
}

function reasonText({ text, resource }: Message): string {
  const lines = text.trimEnd().split("\n");
  const about = resource === undefined ? [] : [`${visible(resource)}:`];
  return [...about, ...lines.map((line) => visible(line, 1000))].map((line) => `  ${line}\n`).join("");
}

/** Entries of one section in the text. `--format json` has the rest. */
const mostEntries = 1_000;

function sectionText({ title, symbol, entries }: ReportSection): string {
  const shown = entries.slice(0, mostEntries);
  const rest = marked(restWords(entries.length - shown.length));
  const lines = [...shown.map(entryText), ...(rest === "" ? [] : [`  ${rest}\n`])];
  return `${symbol} ${title} (${entries.length.toLocaleString("en-US")})\n${lines.join("")}`;
}

const entryText = ({ text, severity }: Entry): string => `  ${severity ? `${severity}: ` : ""}${marked(text)}\n`;

/** Words and values without characters that move the cursor or hide the text around them. */
const marked = (text: SafeText): string =>
  rendered(text, {
    form: "whole",
    word: (word) => visible(word, 1000),
    value: (value) => visible(value, 10_000) || "(empty)",
    special: ({ value, link }) => (link ? visible(value, 2000) : undefined),
  });
