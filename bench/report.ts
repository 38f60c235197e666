import { type Case, titleOf } from "./cases";
import { nameOf } from "./measurement";
import { grouped } from "./numbers";
import type { Line } from "./summary";
import type { Verdict } from "./verdicts";

type Cells = readonly string[];

/** All measurements: one row per command and side. */
export function measuredTable(
  cases: readonly Case[],
  lines: readonly Line[],
  counts: ReadonlyMap<string, number>,
): Cells[] {
  const heading = ["case", "command", "provider", "requests", "seconds", "x floor", "state", "memory", "by row"];
  const rows = cases.flatMap((one) =>
    one.phases.flatMap(({ command }) =>
      lines
        .filter((line) => line.case === one.name && line.command === command)
        .map((line) => [titleOf(one, counts.get(one.name) ?? one.count), command, ...cellsOf(line)]),
    ),
  );
  return [heading, ...rows];
}

function cellsOf(line: Line): Cells {
  const rows = Object.entries(line.rows).map(([row, count]) => `${row} ${grouped(count)}`);
  return [
    nameOf(line.side),
    grouped(line.requests),
    grouped(line.seconds, 1),
    grouped(line.ratio, 2),
    line.state === undefined ? "" : `${grouped(line.state)} B`,
    `${grouped(line.memory)} MiB`,
    rows.join(", "),
  ];
}

export function verdictTable(verdicts: readonly Verdict[]): Cells[] {
  const rows = verdicts.map(({ what, found, bound, holds }) => [what, found, bound, holds ? "yes" : "NO"]);
  return [["bound", "found", "at most", "holds"], ...rows];
}

/** Formats a table for a terminal. */
export function aligned(table: readonly Cells[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats a table as Markdown. */
export function markdown(table: readonly Cells[]): string {
  const [heading = [], ...rows] = table;
  const line = (cells: Cells) => `| ${cells.join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
