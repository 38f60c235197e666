/** A bound, the measured value, and whether the bound holds. */
export interface Verdict {
  readonly what: string;
  readonly found: string;
  readonly bound: string;
  readonly holds: boolean;
}

type Rows = readonly (readonly string[])[];

export const verdictTable = (verdicts: readonly Verdict[]): Rows => [
  ["bound", "found", "at most", "holds"],
  ...verdicts.map(({ what, found, bound, holds }) => [what, found, bound, holds ? "yes" : "NO"]),
];

export function table(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}
