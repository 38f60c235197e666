// npm run bench: times both hosts against resources that do nothing, and start-up, and checks the bounds.
import { type Case, type Command, mostRequests, type Phase, timedCases } from "./cases";
import { Contestant, type Cost, type Side, sides } from "./contestant";
import { grouped, median } from "./numbers";
import { endProcesses } from "./processes";
import { startUp } from "./start-up";
import { table, type Verdict, verdictTable } from "./verdicts";

const runs = 3;

type Costs = Readonly<Record<Side, readonly Cost[]>>;

/** The sides take turns at each command, so that they run under the same load of the machine. */
async function measure(one: Case): Promise<Map<Command, Costs>> {
  const costsOf = new Map<Command, Record<Side, Cost[]>>();
  for (let run = 1; run <= runs; run++) {
    const contestants = await Promise.all(sides.map((side) => Contestant.create(one, side)));
    const [dynamic, , floor] = contestants;
    for (const { command } of one.phases) {
      const costs = costsOf.get(command) ?? { dynamic: [], plugin: [], floor: [] };
      costsOf.set(command, costs);
      for (const contestant of contestants) {
        costs[contestant.side].push(await contestant.run(command));
        if (command === "up" && contestant === dynamic) await floor?.learn(await dynamic.answers());
      }
      console.error(`${one.name}, run ${run} of ${runs}: ${command}`);
    }
    for (const contestant of contestants) await contestant.end();
  }
  return costsOf;
}

const secondsOf = (costs: readonly Cost[]) => median(costs.map(({ seconds }) => seconds));

function verdictsOf(one: Case, phase: Phase, costs: Costs): Verdict[] {
  const { command, seconds } = phase;
  const { timesFloor = 0, more = Number.POSITIVE_INFINITY } = seconds ?? {};
  const most = timesFloor * secondsOf(costs.floor) + more;
  return (["dynamic", "plugin"] as const).flatMap((side) => {
    const what = `${one.name}: ${side}: ${command}`;
    const bounds = [
      ["requests", Math.max(...costs[side].map((cost) => cost.requests)), mostRequests(one, phase), 0],
      ["seconds", secondsOf(costs[side]), most, 1],
      ["bytes of state per resource", Math.max(...costs[side].map(({ state = 0 }) => state)), one.state, 0],
    ] as const;
    return bounds.flatMap(([unit, found, bound, digits]) => {
      if (bound === undefined) return [];
      return [
        {
          what: `${what}: ${unit}`,
          found: grouped(found, digits),
          bound: grouped(bound, digits),
          holds: found <= bound,
        },
      ];
    });
  });
}

async function main(): Promise<void> {
  const verdicts: Verdict[] = [];
  for (const one of timedCases) {
    const found = await measure(one);
    for (const phase of one.phases) {
      const costs = found.get(phase.command);
      if (costs) verdicts.push(...verdictsOf(one, phase, costs));
    }
    const rows = [...found].map(([command, costs]) => [
      command,
      ...sides.map((side) => `${secondsOf(costs[side]).toFixed(1)} s`),
    ]);
    console.log(`${one.name}\n${table([["command", ...sides], ...rows])}\n`);
  }
  verdicts.push(...(await startUp()));
  console.log(table(verdictTable(verdicts)));
  process.exitCode = verdicts.every(({ holds }) => holds) ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endProcesses();
    process.exit(1);
  });
}

main().catch((error: Error) => {
  console.error(error.message);
  endProcesses();
  process.exitCode = 1;
});
