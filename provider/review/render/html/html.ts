import type { Message, Review } from "../../model/review";
import { aboutWords, type Entry, limitsOf, type Section, sectionsOf } from "../sections";
import { kindCounts } from "../severity";
import { contentsOf, headingOf, symbolOf } from "./heading";
import { describeHidden, mostEntries, mostRows, roomForEntries, takeFitting } from "./limits";
import { pageOf } from "./page";
import { script } from "./script";
import { tableHead, tableOf } from "./table";
import { code, marked, safe } from "./text";

export function htmlOf(review: Review): string {
  const { project, stack } = review;
  const sections = sectionsOf(review);
  const above = sections.filter(({ id }) => aboveTable.includes(id));
  const below = sections.filter(({ id }) => !aboveTable.includes(id));
  const table = tableOf(review);
  const contents = contentsOf([...above, ...(table === "" ? [] : [tableHead]), ...below]);
  return pageOf({
    title: `Access review of ${project}/${stack}`,
    head: headOf(review, contents),
    main: [refusalsOf(review.refusals), ...above.map(sectionOf), table, ...below.map(sectionOf)],
    script,
  });
}

/** Characters that common fonts have and do not draw as coloured pictures. */
const symbols = { refused: "✕", risky: "⚠", changes: "✎", none: "✓" } as const;

function headOf(review: Review, contents: string): string {
  const { verdict } = review;
  return [
    `<header class="${verdict.kind}">`,
    `<p class="about">${marked(aboutWords(review))}</p>`,
    `<h1>${symbolOf(symbols[verdict.kind])} ${marked(verdict.words)}</h1>`,
    ...limitsOf(review).map((text) => `<p class="soft">${safe(text)}</p>`),
    contents,
    "</header>",
  ].join("\n");
}

function refusalsOf(refusals: readonly Message[]): string {
  if (refusals.length === 0) return "";
  const reasons = takeFitting(refusals, reasonOf, { most: mostEntries, room: 2 * roomForEntries });
  const left = describeHidden(refusals.length - reasons.length, "reason", "reasons");
  if (left.length > 0) reasons.push(`<p class="soft">${marked(left)}</p>`);
  return `<section id="refused"><h2>${symbolOf(symbols.refused)} Reasons</h2>${reasons.join("\n")}</section>`;
}

function reasonOf({ text, resource }: Message): string {
  const all = text.split("\n");
  const lines = takeFitting(all, (line) => safe(line, 4000), { most: mostRows, room: roomForEntries });
  const left = describeHidden(all.length - lines.length, "line", "lines");
  const about = resource === undefined ? "" : `<p>${code(resource)}</p>`;
  return `${about}<pre>${lines.join("\n")}</pre>${left.length === 0 ? "" : `<p class="soft">${marked(left)}</p>`}`;
}

export function sectionOf(section: Section): string {
  const { id, entries, one, many } = section;
  const items = takeFitting(entries, itemOf, { most: mostEntries, room: roomForEntries });
  const left = describeHidden(entries.length - items.length, one, many, kindCounts(entries.slice(items.length)));
  if (left.length > 0) items.push(`<li class="soft">${marked(left)}</li>`);
  return `<section id="${id}" class="${id}"><h2>${headingOf(section)}</h2>\n<ul class="entries">\n${items.join("\n")}\n</ul></section>`;
}

function itemOf({ text, severity }: Entry): string {
  if (!severity) return `<li>${marked(text)}</li>`;
  return `<li class="rated"><span class="key ${severities[severity]}">${severity}</span> <span>${marked(text)}</span></li>`;
}

const severities = { high: "loses", medium: "changes" } as const;

/** Ids of the sections about people, which are placed above the table; the others are below it. */
const aboveTable = ["drift", "gains", "loses", "changes", "risks", "sign-ins"];
