// npm run bench:long: shows that nothing grows in a night of previews, and measures the commands with a very large organization.
import { parseArgs } from "node:util";
import { large } from "./large";
import { machine } from "./machine";
import { nights } from "./nights";
import { atLeastOne } from "./numbers";
import { endProcesses } from "./processes";
import { aligned, verdictTable } from "./report";
import { store, today } from "./results";
import type { Verdict } from "./verdicts";

const started = performance.now();
const progress = (line: string) =>
  console.error(`${((performance.now() - started) / 60_000).toFixed(1).padStart(6)} min  ${line}`);

/** Minutes of previews. */
const fullMinutes = 5;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: "string" }, members: { type: "string" }, teams: { type: "string" } },
  });
  const minutes = Number(values.minutes ?? fullMinutes);
  const isFull = Object.keys(values).length === 0;
  const size = isFull
    ? undefined
    : { members: atLeastOne("--members", values.members ?? "500"), teams: atLeastOne("--teams", values.teams ?? "50") };
  const verdicts: Verdict[] = [];
  for (const [part, measured] of [
    ["nights", () => nights(minutes)],
    ["large", () => large(progress, size)],
  ] as const) {
    const found = await measured();
    verdicts.push(...found);
    if (isFull) await store({ machine: await machine(), date: today(), part, verdicts: found });
  }
  console.log(aligned(verdictTable(verdicts)));
  if (!isFull) progress("nothing was stored: only a run at full size is");
  return verdicts.every(({ holds }) => holds) ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    endProcesses();
    process.exit(1);
  });

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error: Error) => {
    console.error(error.message);
    endProcesses();
    process.exitCode = 1;
  },
);
