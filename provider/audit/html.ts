import { contentsOf, symbolOf } from "../review/render/html/heading";
import { sectionOf } from "../review/render/html/html";
import { pageOf } from "../review/render/html/page";
import { code, marked, safe } from "../review/render/html/text";
import { some } from "../text/safe-text";
import { type Coverage, kindNames, kinds, percentText } from "./coverage";
import { notesOf } from "./limits";
import type { Audit } from "./report";
import { sectionsOf } from "./sections";

export function htmlOf(audit: Audit): string {
  const sections = sectionsOf(audit);
  return pageOf({
    title: `Audit of organization ${audit.organization}`,
    head: headOf(audit, contentsOf(sections)),
    main: [tableOf(audit), ...sections.map(sectionOf)],
  });
}

/** The CSS class and the symbol for each kind of verdict. */
const looks = { complete: ["none", "✓"], conflicting: ["risky", "⚠"], unmanaged: ["risky", "⚠"] } as const;

function headOf(audit: Audit, contents: string): string {
  const { verdict, organization, stacks } = audit;
  const [look, symbol] = looks[verdict.kind];
  return [
    `<header class="${look}">`,
    `<p class="about">Audit of organization ${code(organization)}, compared with the state of ${marked(some(stacks))}</p>`,
    `<h1>${symbolOf(symbol)} ${safe(verdict.text)}</h1>`,
    ...notesOf(audit).map((note) => `<p class="soft">${marked(note)}</p>`),
    contents,
    "</header>",
  ].join("\n");
}

function tableOf({ coverage }: Audit): string {
  return [
    `<section id="coverage"><h2>${symbolOf("▦")} Coverage</h2>`,
    '<div class="wrap" role="region" aria-label="Coverage" tabindex="0"><table>',
    '<thead><tr><th scope="col">What</th><th scope="col">Declared</th><th scope="col">Live</th><th scope="col">Coverage</th></tr></thead>',
    "<tbody>",
    ...kindNames.map((kind) => rowOf(kinds[kind][1], coverage[kind])),
    rowOf("in total", coverage.total),
    "</tbody></table></div></section>",
  ].join("\n");
}

function rowOf(name: string, coverage: Coverage): string {
  const { declared, there } = coverage;
  const look = there === 0 ? "none" : declared === there ? "gains" : declared === 0 ? "loses" : "changes";
  const numbers = [declared, there].map((count) => `<td>${count.toLocaleString("en-US")}</td>`).join("");
  return `<tr><th scope="row">${name}</th>${numbers}<td class="${look}">${percentText(coverage)}</td></tr>`;
}
