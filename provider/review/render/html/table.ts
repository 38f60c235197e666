import { plain, type SafeText } from "../../../text/safe-text";
import type { Review } from "../../model/review";
import { type Heading, headingOf } from "./heading";
import { describeHidden, mostRows, roomForRows, takeFitting } from "./limits";
import { type Cell, type Matrix, matrixOf, type Row } from "./matrix";
import { marked, safe } from "./text";

export const tableHead: Heading = { id: "access", title: "Who has what, before and after", symbol: "▦" };

export function tableOf(review: Review): string {
  const matrix = matrixOf(review);
  if (matrix.count === 0) return "";
  const limits = { most: mostRows, room: roomForRows };
  const rows = takeFitting(matrix.rows, (row) => rowOf(row, matrix.columns, matrix.hasOthers), limits);
  const only = rows.some((row) => row.startsWith('<tr data-changed="1"')) ? " checked" : "";
  const left = describeHidden(matrix.count - rows.length, "row", "rows", matrix.kindsAfter(rows.length));
  return [
    `<section id="${tableHead.id}"><h2>${headingOf(tableHead)}</h2>`,
    // Hidden until the script runs: the controls need it.
    '<div class="controls" hidden>',
    '<label>Filter <input id="filter" type="search" placeholder="name, id, team, role; press /" autocomplete="off"></label>',
    `<label><input id="only" type="checkbox"${only}> only changes</label>`,
    '<label><input id="ids" type="checkbox"> ids of people and teams</label>',
    '<span id="shown" class="soft" role="status"></span>',
    "</div>",
    legend,
    ...(left.length === 0
      ? []
      : [`<p class="soft">${marked(left)}; people with a risk come first, then people with a change</p>`]),
    gridOf(matrix, rows),
    "</section>",
  ].join("\n");
}

const legend =
  '<p class="legend"><span class="key gains">▲ gains</span><span class="key loses">▼ loses</span>' +
  '<span class="key changes">◆ changes</span><span>↺ changed outside Pulumi</span><span>? not in the preview</span>' +
  "<span>– nothing, or nothing that this stack manages</span></p>";

function gridOf({ columns, hasOthers }: Matrix, rows: readonly string[]): string {
  const names = [["Person"], ...columns];
  const wide = names.length > mostOnPaper ? ' class="wide"' : "";
  const others = hasOthers ? '<th scope="col" class="others">Other teams</th>' : "";
  const head = names.map((name) => `<th scope="col">${marked(name)}</th>`).join("") + others;
  return [
    '<div class="wrap" role="region" aria-label="Access matrix" tabindex="0">',
    `<table id="matrix"${wide}>`,
    `<thead><tr>${head}</tr></thead>`,
    "<tbody>",
    ...rows,
    "</tbody></table></div>",
  ].join("\n");
}

/** Maximum number of columns on paper. A wider table is printed with a sentence for each cell. */
const mostOnPaper = 9;

/** A row. Its `data-text` is what the filter searches: the person, and the sentence of each cell. */
function rowOf({ name, more, changed, cells, others }: Row, columns: readonly SafeText[], hasOthers: boolean): string {
  const all = [...cells.filter((cell) => cell !== undefined), ...others];
  const text = [name, more, ...all.map(({ sentence }) => sentence)].map(plain).join(" ").toLowerCase();
  const titled = cells.flatMap((cell, index) => (cell ? plain(columns[index] ?? []).toLowerCase() : []));
  const note = more.length > 0 ? `<span class="soft">${marked(more)}</span>` : "";
  const rest = hasOthers ? othersOf(others) : "";
  return (
    `<tr data-changed="${changed ? 1 : 0}" data-text="${safe(`${text} ${titled.join(" ")}`, 200_000)}">` +
    `<th scope="row" tabindex="-1">${marked(name)}${note}</th>${cells.map(cellOf).join("")}${rest}</tr>`
  );
}

/** The cell for teams without a column: changes first, each on its own line. */
function othersOf(others: readonly Cell[]): string {
  const changed = others.filter(({ effect }) => effect !== "none");
  const lines = changed.map(({ effect, sentence }) => {
    return `<div class="key ${effect}">${marks[effect]}${marked(sentence)}</div>`;
  });
  const kept = others.filter(({ effect }) => effect === "none").map(({ sentence }) => marked(sentence));
  const rest = kept.length > 0 ? `<div class="soft">${kept.join("; ")}</div>` : "";
  return `<td class="others" tabindex="-1"><div class="box">${lines.join("")}${rest}</div></td>`;
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
