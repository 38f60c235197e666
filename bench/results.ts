import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { cases } from "./cases";
import { pageOf } from "./page";
import type { Line } from "./summary";
import type { Verdict } from "./verdicts";

/** What one run of the benchmark found. */
interface Found {
  /** ISO 8601 date. */
  readonly date: string;
  readonly machine: Readonly<Record<string, string>>;
}

/** One case at full size. */
export interface CaseResult extends Found {
  readonly case: string;
  /** Runs of the sides that the bounds compare. */
  readonly runs: number;
  readonly lines: readonly Line[];
}

/** What is measured beside the cases, by the name of its file. */
export type Part = "startup" | "nights" | "large";
export interface PartResult extends Found {
  readonly part: Part;
  readonly verdicts: readonly Verdict[];
}

const folder = path.join(__dirname, "results");
const fileOf = (name: string) => path.join(folder, `${name}.json`);

export const today = (): string => new Date().toISOString().slice(0, 10);

/** Replaces what was stored of the same case or part, and writes RESULTS.md. */
export async function store(result: CaseResult | PartResult): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = fileOf("case" in result ? result.case : result.part);
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
  await writeFile(path.join(__dirname, "RESULTS.md"), pageOf(storedCases(), storedPart));
}

/** The newest result of each case, in the order of the table; cases take hours together, so they are measured one by one. */
const storedCases = (): CaseResult[] => cases.flatMap(({ name }) => read<CaseResult>(name) ?? []);

const storedPart = (part: Part): PartResult | undefined => read<PartResult>(part);

function read<Result>(name: string): Result | undefined {
  const file = fileOf(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Result) : undefined;
}
