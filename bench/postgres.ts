// npm run bench:postgres [-- --n N --runs N]: compares the same stack with its state in files and on a PostgreSQL server.
import { parseArgs } from "node:util";
import { cases } from "./cases";
import { Contestant } from "./contestant";
import { machine } from "./machine";
import { atLeastOne, median } from "./numbers";
import { PostgresServer } from "./postgres-server";
import { endProcesses } from "./processes";

const backends = ["files", "PostgreSQL"] as const;
type Backend = (typeof backends)[number];
const commands = ["up", "preview --refresh", "destroy"] as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { n: { type: "string" }, runs: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    console.log(
      "npm run bench:postgres -- [--n N (1000)] [--runs N (1)]: compares one stack with its state in files and on PostgreSQL",
    );
    return;
  }
  const [count, runs] = [atLeastOne("--n", values.n ?? "1000"), atLeastOne("--runs", values.runs ?? "1")];
  for (const [part, what] of Object.entries(await machine())) console.log(`${part}: ${what}`);
  console.log(`${count} TeamMembership, --parallel 8, 0 ms a request, medians of ${runs}`);
  const times = Object.fromEntries(
    commands.map((command) => [command, { files: [], PostgreSQL: [] }]),
  ) as unknown as Times;
  for (let run = 0; run < runs; run++) await compare(count, times);
  for (const command of commands) tell(command, median(times[command].files), median(times[command].PostgreSQL));
}

type Times = Record<(typeof commands)[number], Record<Backend, number[]>>;

const open: { stop(): Promise<void> }[] = [];

/** The backends take turns at each command, so that they run under the same load of the machine. */
async function compare(count: number, times: Times): Promise<void> {
  const server = await PostgresServer.start();
  open.push(server);
  const contestants = [await contestant(count, {}), await contestant(count, { PULUMI_BACKEND_URL: server.url })];
  for (const command of commands) {
    for (const [index, backend] of backends.entries()) {
      times[command][backend].push((await contestants[index]?.run(command))?.seconds ?? Number.NaN);
    }
  }
  await stopAll();
}

async function contestant(count: number, environment: NodeJS.ProcessEnv): Promise<Contestant> {
  const one = cases.find(({ name }) => name === "team-membership");
  if (!one) throw new Error("bench/cases.ts has no case team-membership");
  const made = await Contestant.create(one, { provider: "dynamic", latency: 0 }, count, environment);
  open.push({ stop: () => made.end() });
  return made;
}

function tell(command: string, files: number, server: number): void {
  const [faster, ratio] = server < files ? ["faster", files / server] : ["slower", server / files];
  console.log(
    `${command.padEnd(17)}  files ${files.toFixed(1)} s, PostgreSQL ${server.toFixed(1)} s: PostgreSQL is ${ratio.toFixed(2)} times ${faster}`,
  );
}

/** In reverse order of their start: stacks end before the server of their state. */
async function stopAll(): Promise<void> {
  for (let one = open.pop(); one; one = open.pop()) await one.stop();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endProcesses();
    void stopAll().then(() => process.exit(1));
  });
}

main()
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  })
  .finally(stopAll);
