import type { Case, Command } from "./cases";
import { Contestant, type Cost, type Side } from "./contestant";

/** Costs of a command for one side, in each run. */
export interface Measurement {
  readonly case: string;
  readonly command: Command;
  readonly side: Side;
  readonly costs: readonly Cost[];
}

/** Sides that the bounds compare. The dynamic host runs first, because the floor repeats its answers. */
const compared = ({ plugin = false }: Case): Side[] => [
  { provider: "dynamic", latency: 50 },
  { provider: "floor" },
  ...(plugin ? [{ provider: "plugin", latency: 50 } as const] : []),
];

/** Sides without a bound: one run is enough, and three of a naive provider would take hours. */
function shown({ naive = false, parallel, rate }: Case): Side[] {
  if (parallel !== undefined || rate !== undefined) return [];
  const slowly: Side[] = naive ? [{ provider: "naive", latency: 50 }] : [];
  const atOnce: Side[] = naive ? [{ provider: "naive", latency: 0 }] : [];
  return [...slowly, { provider: "dynamic", latency: 0 }, ...atOnce];
}

/** One run is enough if no time is bounded. */
const isTimed = ({ phases }: Case) => phases.some(({ wall }) => wall !== undefined);

/** Contestants that still have stacks and processes. */
const alive = new Set<Contestant>();

export async function endAll(): Promise<void> {
  const ended = [...alive].map((contestant) => contestant.end());
  alive.clear();
  await Promise.all(ended);
}

/** Measures a case. The sides take turns at each command, so that they run under the same load of the machine. */
export async function measured(
  one: Case,
  { runs, count, log }: { runs: number; count: number; log: (line: string) => void },
): Promise<Measurement[]> {
  const sides = [...compared(one), ...shown(one)];
  const found = sides.map(() => new Map<Command, Cost[]>(one.phases.map(({ command }) => [command, []])));
  const enough = isTimed(one) ? runs : 1;
  for (let run = 1; run <= enough; run++) {
    const contestants: Contestant[] = [];
    for (const side of run === 1 ? sides : compared(one))
      contestants.push(await joined(Contestant.create(one, side, count)));
    for (const { command } of one.phases) {
      for (const [index, contestant] of contestants.entries()) {
        const cost = await contestant.run(command);
        found[index]?.get(command)?.push(cost);
        log(
          `${one.name}, run ${run} of ${enough}: ${command} of ${nameOf(contestant.side)} took ${cost.seconds.toFixed(1)} s`,
        );
        if (command === "up" && index === 0) await teach(contestants);
      }
    }
    await endAll();
  }
  return sides.flatMap((side, index) =>
    one.phases.map(({ command }) => ({ case: one.name, command, side, costs: found[index]?.get(command) ?? [] })),
  );
}

async function joined(starting: Promise<Contestant>): Promise<Contestant> {
  const contestant = await starting;
  alive.add(contestant);
  return contestant;
}

async function teach([dynamic, floor]: readonly Contestant[]): Promise<void> {
  if (dynamic) await floor?.learn(await dynamic.answers());
}

export function nameOf(side: Side): string {
  return side.provider === "floor" ? "floor" : `${side.provider} at ${side.latency} ms`;
}
