import { createHash } from "node:crypto";
import { type Entry, type Message, type Report, type ReportSection, restWords, takeFitting } from "../report";
import { style } from "./style";
import { code, marked, safe } from "./text";

/** Maximum number of entries in one section, and of lines of one reason. */
const most = { entries: 500, lines: 1000 };
/** Bytes of all entries of one section. With long names, fewer fit. */
const room = 150_000;
export const sizeOf = (text: string): number => Buffer.byteLength(text);

/** What only the page has: a table, with the script that it needs. */
export interface Table {
  readonly heading: Heading;
  readonly html: string;
  readonly script: string;
  /** Ids of the sections above it. */
  readonly sectionsAbove: readonly string[];
}

export function htmlOf(report: Report, table?: Table): string {
  const { title, reasons = [] } = report;
  const sections = report.sections.filter(({ isInTable }) => !(table && isInTable));
  const isAbove = ({ id }: ReportSection) => table?.sectionsAbove.includes(id);
  const [above, below] = [sections.filter(isAbove), sections.filter((one) => !isAbove(one))];
  const head = headOf(report, contentsOf([...above, ...(table ? [table.heading] : []), ...below]));
  const main = [reasonsOf(reasons), ...above.map(listOf), table?.html ?? "", ...below.map(listOf)];
  return pageOf(title, head, main, table?.script);
}

/** The parts of the body are HTML with escaped values. */
function pageOf(title: string, head: string, main: readonly string[], script: string | undefined): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyWith(script)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${safe(title)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    head,
    "<main>",
    ...main,
    "</main>",
    ...(script === undefined ? [] : [`<script>${script}</script>`]),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only our own style and script run, and nothing is fetched. */
const policyWith = (script: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/** Characters that common fonts have and do not draw as coloured pictures. */
const symbols = { refused: "✕", risky: "⚠", changes: "✎", none: "✓" } as const;

function headOf({ kind, verdict, about, notes, foot }: Report, contents: string): string {
  return [
    `<header class="${kind}">`,
    `<p class="about">${marked(about)}</p>`,
    `<h1>${symbolOf(symbols[kind])} ${marked(verdict)}</h1>`,
    ...notes.map((note) => `<p class="soft">${marked(note)}</p>`),
    ...(foot ? [`<p class="evidence">${marked(foot)}</p>`] : []),
    contents,
    "</header>",
  ].join("\n");
}

/** U+FE0E selects the form of the symbol as text: it keeps phones from drawing `⚠`, `↔` and `◼` as pictures. */
const symbolOf = (symbol: string) => `<span class="symbol" aria-hidden="true">${symbol}\ufe0e</span>`;

/** The heading of a part of the page: anchor, title, and number of entries. */
type Heading = Pick<ReportSection, "id" | "title" | "symbol"> & Partial<Pick<ReportSection, "entries">>;

/** Links to the parts of the page; empty for fewer than three parts. */
function contentsOf(parts: readonly Heading[]): string {
  if (parts.length < 3) return "";
  const links = parts.map((part) => `<a class="${part.id}" href="#${part.id}">${headingOf(part)}</a>`);
  return `<nav aria-label="On this page">${links.join("\n")}</nav>`;
}

export function headingOf({ title, symbol, entries }: Heading): string {
  const count = entries ? ` <span class="count">(${entries.length.toLocaleString("en-US")})</span>` : "";
  return `${symbolOf(symbol)} ${title}${count}`;
}

function reasonsOf(reasons: readonly Message[]): string {
  if (reasons.length === 0) return "";
  // One reason alone may take up the room of a section.
  const shown = takeFitting(reasons, reasonOf, { most: most.entries, room: 2 * room, sizeOf });
  const rest = restWords(reasons.length - shown.length);
  if (rest.length > 0) shown.push(`<p class="soft">${marked(rest)}</p>`);
  return `<section id="refused"><h2>${symbolOf(symbols.refused)} Reasons</h2>${shown.join("\n")}</section>`;
}

function reasonOf({ text, resource }: Message): string {
  const all = text.split("\n");
  const lines = takeFitting(all, (line) => safe(line, 4000), { most: most.lines, room, sizeOf });
  const rest = restWords(all.length - lines.length);
  const about = resource === undefined ? "" : `<p>${code(resource)}</p>`;
  return `${about}<pre>${lines.join("\n")}</pre>${rest.length === 0 ? "" : `<p class="soft">${marked(rest)}</p>`}`;
}

function listOf(section: ReportSection): string {
  const { id, entries } = section;
  const items = takeFitting(entries, itemOf, { most: most.entries, room, sizeOf });
  const rest = restWords(entries.length - items.length);
  if (rest.length > 0) items.push(`<li class="soft">${marked(rest)}</li>`);
  return `<section id="${id}" class="${id}"><h2>${headingOf(section)}</h2>\n<ul class="entries">\n${items.join("\n")}\n</ul></section>`;
}

function itemOf({ text, severity }: Entry): string {
  if (!severity) return `<li>${marked(text)}</li>`;
  return `<li class="rated"><span class="key ${colors[severity]}">${severity}</span> <span>${marked(text)}</span></li>`;
}

const colors = { high: "loses", medium: "changes" } as const;
