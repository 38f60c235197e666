// npm run bench: measures the resources against an engine that does nothing and a naive provider, and checks the bounds.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Case, cases } from "./cases";
import { machine } from "./machine";
import { endAll, type Measurement, measured } from "./measurement";
import { atLeastOne } from "./numbers";
import { endProcesses } from "./processes";
import { aligned, measuredTable, verdictTable } from "./report";
import { store, today } from "./results";
import { startup } from "./startup";
import { linesOf } from "./summary";
import { verdictsOf } from "./verdicts";

interface Options {
  readonly json: string | undefined;
  readonly chosen: readonly Case[];
  /** Number of objects by name of the case. */
  readonly counts: ReadonlyMap<string, number>;
  readonly runs: number;
}

function options(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: "string" },
      only: { type: "string" },
      n: { type: "string" },
      runs: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) tellUsage();
  const chosen = values.only === undefined ? cases : cases.filter(({ name }) => name === values.only);
  const names = cases.map(({ name }) => name).join(", ");
  if (chosen.length === 0) throw new Error(`there is no case ${values.only}; use one of ${names}`);
  const most = values.n === undefined ? Number.POSITIVE_INFINITY : atLeastOne("--n", values.n);
  const counts = new Map(chosen.map(({ name, count }) => [name, Math.min(count, most)]));
  const runs = atLeastOne("--runs", values.runs ?? "3");
  return { json: values.json, chosen, counts, runs };
}

function tellUsage(): never {
  console.log(`npm run bench -- [--only CASE] [--n N] [--runs N] [--json FILE]

Measures both hosts of this package against resources that do nothing and a naive provider; takes two hours or more. What a case
finds at full size is stored in bench/results, from which bench/RESULTS.md is written after each case.

  --only CASE  only this case: ${cases.map(({ name }) => name).join(", ")}
  --n N        maximum number of objects per case
  --runs N     number of runs of each side (3)
  --json FILE  write all measurements to this file after each case

Exit status: 0 if every bound holds, otherwise 1.`);
  process.exit(0);
}

async function main(): Promise<number> {
  const { json, chosen, counts, runs } = options();
  const found = { machine: await machine(), date: today() };
  const verdict = await startup();
  await store({ ...found, part: "startup", verdicts: [verdict] });
  const measurements: Measurement[] = [];
  for (const one of chosen) {
    const count = counts.get(one.name) ?? one.count;
    const ofCase = await measured(one, { runs, count, log: progress });
    measurements.push(...ofCase);
    // After each case, because all cases together take hours.
    if (json)
      await writeFile(json, JSON.stringify({ ...found, counts: Object.fromEntries(counts), measurements }, null, 2));
    if (count === one.count) await store({ ...found, case: one.name, runs, lines: linesOf(ofCase) });
  }
  const lines = linesOf(measurements);
  const full = chosen.filter(({ name, count }) => counts.get(name) === count);
  const verdicts = [verdict, ...verdictsOf(full, lines)];
  console.log(aligned(measuredTable(chosen, lines, counts)));
  console.log(`\n${aligned(verdictTable(verdicts))}`);
  return verdicts.every(({ holds }) => holds) ? 0 : 1;
}

const started = performance.now();

function progress(line: string): void {
  const minutes = (performance.now() - started) / 60_000;
  process.stderr.write(`${minutes.toFixed(1).padStart(6)} min  ${line}\n`);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endProcesses();
    void endAll().then(() => process.exit(1));
  });
}

main()
  .catch((error: Error) => {
    console.error(error.message);
    return 1;
  })
  .then(async (status) => {
    await endAll();
    process.exitCode = status;
  });
