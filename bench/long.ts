// npm run bench:long: shows that nothing grows over many previews, and measures the commands with a very large organization.
import { parseArgs } from "node:util";
import { large } from "./large";
import { atLeastOne } from "./numbers";
import { endProcesses } from "./processes";
import { repeatedPreviews } from "./repeated-previews";
import { table, type Verdict, verdictTable } from "./verdicts";

const started = performance.now();
const progress = (line: string) =>
  console.error(`${((performance.now() - started) / 60_000).toFixed(1).padStart(6)} min  ${line}`);

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
  const verdicts: Verdict[] = [...(await repeatedPreviews(minutes)), ...(await large(progress, size))];
  console.log(table(verdictTable(verdicts)));
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
