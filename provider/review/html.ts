import { createHash } from "node:crypto";
import { type Cell, type Matrix, matrixOf, type Row } from "./matrix";
import { script } from "./page-script";
import { style } from "./page-style";
import type { Message, Review } from "./review";
import { limitsOf, type Section, sectionsOf } from "./sections";
import { visible } from "./visible";
import { plain, type Words } from "./words";

/** The review as one page that holds everything it needs and asks nobody for anything. */
export function htmlOf(review: Review): string {
  const { project, stack } = review;
  const sections = sectionsOf(review);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>Access review of ${safe(`${project}/${stack}`)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    headOf(review),
    "<main>",
    refusalsOf(review.refusals),
    ...sections.filter(({ id }) => aboveTable.includes(id)).map(sectionOf),
    tableOf(review),
    ...sections.filter(({ id }) => !aboveTable.includes(id)).map(sectionOf),
    "</main>",
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only our own style and script run, and nothing is fetched. */
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const symbols = { refused: "⛔", risky: "⚠", changes: "✎", none: "✓" } as const;

function headOf(review: Review): string {
  const { verdict, project, stack, organizations } = review;
  const of = organizations.length > 0 ? `, organization ${organizations.map((id) => code(id)).join(", ")}` : "";
  return [
    `<header class="${verdict.kind}">`,
    `<h1><span class="symbol" aria-hidden="true">${symbols[verdict.kind]}</span> ${marked(verdict.words)}</h1>`,
    `<p>Stack ${code(`${project}/${stack}`)}${of}.</p>`,
    ...limitsOf(review).map((text) => `<p class="soft">${safe(text)}</p>`),
    "</header>",
  ].join("\n");
}

function refusalsOf(refusals: readonly Message[]): string {
  if (refusals.length === 0) return "";
  const reasons = refusals.map(({ text, resource }) => {
    const lines = text.split("\n").map((line) => safe(line, 4000));
    return `${resource === undefined ? "" : `<p>${code(resource)}</p>`}<pre>${lines.join("\n")}</pre>`;
  });
  return `<section id="refused"><h2>Refused <span class="count">(${refusals.length})</span></h2>${reasons.join("\n")}</section>`;
}

function sectionOf({ id, title, symbol, entries }: Section): string {
  const items = entries.map(({ text, severity }) => {
    const badge = severity ? `<span class="key ${severities[severity]}">${severity}</span> ` : "";
    return `<li>${badge}${marked(text)}</li>`;
  });
  const count = `<span class="count">(${entries.length.toLocaleString("en-US")})</span>`;
  const heading = `<h2><span class="symbol" aria-hidden="true">${symbol}</span> ${title} ${count}</h2>`;
  return `<section id="${id}" class="${id}">${heading}\n<ul class="entries">\n${items.join("\n")}\n</ul></section>`;
}

const severities = { high: "loses", medium: "changes" } as const;

/** What is about people stands before the table of people, everything else below it. */
const aboveTable = ["risks", "gains", "loses", "changes", "sign-ins"];

function tableOf(review: Review): string {
  const matrix = matrixOf(review);
  if (matrix.rows.length === 0) return "";
  const only = matrix.rows.some(({ changed }) => changed) ? " checked" : "";
  return [
    '<section id="access"><h2><span class="symbol" aria-hidden="true">▦</span> Who has what, before and after</h2>',
    '<div class="controls">',
    '<label>Filter <input id="filter" type="search" placeholder="name, id, team, role; press /" autocomplete="off"></label>',
    `<label><input id="only" type="checkbox"${only}> only changes</label>`,
    '<span id="shown" class="soft" role="status"></span>',
    "</div>",
    legend,
    gridOf(matrix),
    "</section>",
  ].join("\n");
}

const legend =
  '<p class="legend"><span class="key gains">▲ gains</span><span class="key loses">▼ loses</span>' +
  '<span class="key changes">◆ changes</span><span>↺ changed behind Pulumi’s back</span><span>? not in the preview</span>' +
  "<span>– nothing</span><span>Only what this stack manages is shown.</span></p>";

function gridOf({ columns, rows, hasOthers }: Matrix): string {
  const names = [["Person"], ...columns, ...(hasOthers ? [["Other teams"]] : [])];
  const head = names.map((name) => `<th scope="col">${marked(name)}</th>`).join("");
  return [
    '<div class="wrap" role="region" aria-label="Access matrix" tabindex="0">',
    '<table id="matrix" role="grid">',
    `<thead><tr>${head}</tr></thead>`,
    "<tbody>",
    ...rows.map((row) => rowOf(row, columns, hasOthers)),
    "</tbody></table></div>",
  ].join("\n");
}

/** What the filter looks at: the person, and what each cell says. */
function rowOf({ name, more, changed, cells, others }: Row, columns: readonly Words[], hasOthers: boolean): string {
  const all = [...cells.filter((cell) => cell !== undefined), ...others];
  const text = [name, more, ...all.map(({ sentence }) => sentence)].map(plain).join(" ").toLowerCase();
  const titled = cells.flatMap((cell, index) => (cell ? plain(columns[index] ?? []).toLowerCase() : []));
  const note = more.length > 0 ? `<span class="soft">${marked(more)}</span>` : "";
  const rest = hasOthers ? `<td tabindex="-1">${others.map((cell) => marked(cell.sentence)).join("<br>")}</td>` : "";
  return (
    `<tr data-changed="${changed ? 1 : 0}" data-text="${safe(`${text} ${titled.join(" ")}`, 5000)}">` +
    `<th scope="row" tabindex="-1">${marked(name)}${note}</th>${cells.map(cellOf).join("")}${rest}</tr>`
  );
}

const marks = { gains: "▲ ", loses: "▼ ", changes: "◆ ", none: "" } as const;

function cellOf(cell: Cell | undefined): string {
  if (!cell || cell.empty) return '<td class="none" tabindex="-1">–</td>';
  const { effect, before, after, drift, sentence } = cell;
  const sentenceText = safe(plain(sentence), 600);
  const back = drift ? ' <span aria-hidden="true">↺</span>' : "";
  if (effect === "none") return `<td class="none" tabindex="-1" title="${sentenceText}">${marked(after)}${back}</td>`;
  const was = `<span class="was">${marked(before)}</span>`;
  return `<td class="${effect}" tabindex="-1" title="${sentenceText}" aria-label="${sentenceText}">${marks[effect]}${was} → ${marked(after)}${back}</td>`;
}

/** Words as text, values as code: neither can be more than text. */
const marked = (text: Words): string =>
  text.map((part) => (typeof part === "string" ? safe(part) : code(part.value))).join("");
const code = (value: string): string => (value === "" ? "(empty)" : `<code>${safe(value)}</code>`);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute. */
const safe = (text: string, most?: number): string =>
  visible(text, most).replace(/[&<>"']/g, (one) => entities[one] ?? one);
