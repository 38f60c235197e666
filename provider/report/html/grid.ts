import { markForeign } from "../../text/foreign";
import { plain, type SafeText } from "../../text/safe-text";
import { marked, safe } from "./text";

/** A table of people on a page: with a filter, and a box that hides the rows that most readers do not look for. */

/** Maximum number of columns on paper. A wider table is printed with a sentence for each cell. */
const mostOnPaper = 9;

interface Grid {
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly SafeText[];
  readonly rows: readonly string[];
}

export function gridOf({ label, columns, rows }: Grid): string {
  const names = [["Person"], ...columns];
  const wide = names.length > mostOnPaper ? ' class="wide"' : "";
  const head = names.map((name) => `<th scope="col">${marked(name)}</th>`).join("");
  return [
    `<div class="wrap" role="region" aria-label="${label}" tabindex="0">`,
    `<table id="matrix"${wide}>`,
    `<thead><tr>${head}</tr></thead>`,
    "<tbody>",
    ...rows,
    "</tbody></table></div>",
  ].join("\n");
}

interface Row {
  readonly name: SafeText;
  /** HTML with escaped values. */
  readonly cells: readonly string[];
  /** What the filter searches beside the name. */
  readonly texts: readonly SafeText[];
  /** Whether the row stays if the box is checked. */
  readonly isMarked: boolean;
}

export function rowOf({ name, cells, texts, isMarked }: Row): string {
  const whole = markForeign(name);
  const text = [whole, ...texts].map(plain).join(" ").toLowerCase();
  return (
    `<tr data-marked="${isMarked ? 1 : 0}" data-text="${safe(text, 200_000)}">` +
    // A narrow screen breaks an e-mail before its domain.
    `<th scope="row">${marked(whole).replaceAll("@", "<wbr>@")}</th>${cells.join("")}</tr>`
  );
}

interface Controls {
  /** What the filter finds. */
  readonly hint: string;
  /** The words of the box, and those for the rows that it hides. */
  readonly only?: readonly [label: string, others: string];
  readonly isOnly: boolean;
}

/** The controls need the script, so they are hidden until it runs. */
export const controlsOf = ({ hint, only, isOnly }: Controls): string =>
  [
    '<div class="controls" hidden>',
    `<label>Filter <input id="filter" type="search" placeholder="${hint}" autocomplete="off"></label>`,
    ...(only ? [onlyOf(only, isOnly)] : []),
    '<label><input id="ids" type="checkbox"> ids of people and teams</label>',
    '<span id="shown" class="soft" role="status"></span>',
    "</div>",
  ].join("\n");

const onlyOf = ([label, others]: readonly [string, string], isOnly: boolean): string =>
  `<label><input id="only" type="checkbox" data-others="${others}"${isOnly ? " checked" : ""}> ${label}</label>`;

/** The script of the page: filters people, and hides those without a mark. */
export const gridScript = `
const filter = document.getElementById("filter");
const only = document.getElementById("only");
const shown = document.getElementById("shown");
const rows = [...document.querySelectorAll("tbody tr")];
const number = (count) => count.toLocaleString("en-US");
function update() {
  const terms = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  let left = 0;
  for (const row of rows) {
    const fits = terms.every((term) => row.dataset.text.includes(term));
    const visible = fits && (!only?.checked || row.dataset.marked === "1");
    row.hidden = !visible;
    if (visible) count++;
    else if (fits) left++;
  }
  const fit = terms.length > 0 ? " fit the filter" : "";
  const more = left > 0 ? " (" + number(left) + " " + only.dataset.others + " " + (left === 1 ? "is" : "are") + " hidden)" : "";
  shown.textContent = number(count) + " of " + number(rows.length) + " rows" + fit + more;
}
if (filter) {
  document.querySelector(".controls").hidden = false;
  filter.addEventListener("input", update);
  only?.addEventListener("change", update);
  update();
}
`;
