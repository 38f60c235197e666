import { markForeign } from "../../text/foreign";
import { plain, type SafeText } from "../../text/safe-text";
import { restWords, takeFitting } from "../report";
import { headingOf, sizeOf, type Table } from "./html";
import { marked, safe } from "./text";

/** A table of people on a page: with a filter, and a box that hides the rows that most readers do not look for. */

/** Maximum number of columns on paper. A wider table is printed with a sentence for each cell. */
const mostOnPaper = 9;

/** Nobody reads more rows and bytes, and browsers become slow. */
const limits = { most: 1000, room: 1_200_000, sizeOf };

interface Grid<Person> {
  readonly heading: Table["heading"];
  /** For screen readers. */
  readonly label: string;
  /** The most important first. */
  readonly people: readonly Person[];
  /** Which people come first, if not all are shown. */
  readonly first: string;
  readonly columns: readonly SafeText[];
  /** The box that hides rows without a mark, its words, and those for the hidden rows; `checked` if there are rows with a mark. */
  readonly only?: { readonly label: string; readonly others: string; readonly checked: boolean };
  readonly notes?: readonly string[];
  readonly sectionsAbove: readonly string[];
  readonly rowOf: (person: Person) => GridRow;
}

export function gridOf<Person>(grid: Grid<Person>): Table | undefined {
  const { heading, label, people, first, columns, notes = [], sectionsAbove } = grid;
  if (people.length === 0) return undefined;
  const rows = takeFitting(people, (person) => rowOf(grid.rowOf(person)), limits);
  const rest = restWords(people.length - rows.length);
  const names = [["Person"], ...columns];
  const html = [
    `<section id="${heading.id}"><h2>${headingOf(heading)}</h2>`,
    controlsOf(grid.only, rows),
    ...notes,
    ...(rest.length === 0 ? [] : [`<p class="soft">People: ${marked(rest)}; ${first} come first</p>`]),
    `<div class="wrap" role="region" aria-label="${label}" tabindex="0">`,
    `<table id="matrix"${names.length > mostOnPaper ? ' class="wide"' : ""}>`,
    `<thead><tr>${names.map((name) => `<th scope="col">${marked(name)}</th>`).join("")}</tr></thead>`,
    "<tbody>",
    ...rows,
    "</tbody></table></div>",
    "</section>",
  ].join("\n");
  return { heading, html, script, sectionsAbove };
}

export interface GridRow {
  readonly name: SafeText;
  /** HTML with escaped values. */
  readonly cells: readonly string[];
  /** What the filter searches beside the name. */
  readonly texts: readonly SafeText[];
  /** Whether the row stays if the box is checked. */
  readonly isMarked: boolean;
}

function rowOf({ name, cells, texts, isMarked }: GridRow): string {
  const whole = markForeign(name);
  const text = [whole, ...texts].map(plain).join(" ").toLowerCase();
  return (
    `<tr data-marked="${isMarked ? 1 : 0}" data-text="${safe(text, 200_000)}">` +
    // A narrow screen breaks an e-mail before its domain.
    `<th scope="row">${marked(whole).replaceAll("@", "<wbr>@")}</th>${cells.join("")}</tr>`
  );
}

/** The controls need the script, so they are hidden until it runs. */
function controlsOf(only: Grid<unknown>["only"], rows: readonly string[]): string {
  const hasMarkedRow = rows.some((row) => row.startsWith('<tr data-marked="1"'));
  const isChecked = only?.checked === true && hasMarkedRow;
  const box = only && `<input id="only" type="checkbox" data-others="${only.others}"${isChecked ? " checked" : ""}>`;
  return [
    '<div class="controls" hidden>',
    '<label>Filter <input id="filter" type="search" placeholder="name, id, team, role" autocomplete="off"></label>',
    ...(only ? [`<label>${box} ${only.label}</label>`] : []),
    '<label><input id="ids" type="checkbox"> ids of people and teams</label>',
    '<span id="shown" class="soft" role="status"></span>',
    "</div>",
  ].join("\n");
}

/** The script of the page: filters people, and hides those without a mark. */
const script = `
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
