import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Case } from "./cases";
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

/** How long the runtime takes to load. */
export interface StartupResult extends Found {
  readonly verdict: Verdict;
}

const folder = path.join(__dirname, "results");
const fileOf = (name: string) => path.join(folder, `${name}.json`);
const startupName = "startup";

export const today = (): string => new Date().toISOString().slice(0, 10);

export async function store(result: CaseResult | StartupResult): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = fileOf("case" in result ? result.case : startupName);
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
}

/** The newest result of each case, in the order of the table; cases take hours together, so they are measured one by one. */
export const storedCases = (cases: readonly Case[]): CaseResult[] =>
  cases.flatMap(({ name }) => read<CaseResult>(name) ?? []);

export const storedStartup = (): StartupResult | undefined => read<StartupResult>(startupName);

function read<Result>(name: string): Result | undefined {
  const file = fileOf(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Result) : undefined;
}
