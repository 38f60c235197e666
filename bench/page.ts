import type { Case } from "./cases";
import { grouped } from "./numbers";
import { markdown, measuredTable, verdictTable } from "./report";
import type { Line } from "./summary";
import type { Verdict } from "./verdicts";

export interface Results {
  readonly machine: Readonly<Record<string, string>>;
  readonly command: string;
  readonly runs: number;
  readonly cases: readonly Case[];
  /** Number of objects by case. */
  readonly counts: ReadonlyMap<string, number>;
  readonly lines: readonly Line[];
  readonly verdicts: readonly Verdict[];
}

/** The text of RESULTS.md. */
export function pageOf({ machine, command, runs, cases, counts, lines, verdicts }: Results): string {
  const held = verdicts.filter(({ holds }) => holds).length;
  return `# Benchmark

\`${command}\` wrote this page, on ${new Date().toISOString().slice(0, 10)}, on this machine:

${markdown([["part", "what"], ...Object.entries(machine)])}

Four providers are compared. Within each case, they take turns at each command:

- **dynamic**: this package through the host for dynamic providers.
- **plugin**: this package through the provider plugin, with the same declarations.
- **floor**: the same number of dynamic resources that do nothing, with the same types, inputs, outputs and text in the state. Its time is the cost of the engine itself.
- **naive**: a provider as in the documentation of dynamic providers, with a request for each read and write, and its code in the state.

How they are measured:

- The service is the emulator in a separate process, with 0 or 50 ms added to each answer.
- The engine has its state in a file and runs with \`--parallel 8\`, unless a case says otherwise.
- Seconds are wall time of the whole command. The bounds compare both hosts at 50 ms with the floor, and with each other, as medians of ${runs} runs; everything else ran once.
- Requests, bytes of state per resource (the engine's own part included) and memory of the provider process are the maximum of all runs.

## Bounds

Requests take 50 ms, unless a bound says otherwise. ${held} of ${verdicts.length} bounds hold.

${markdown(verdictTable(verdicts))}

## Everything measured

${markdown(measuredTable(cases, lines, counts))}

## Where the engine is the limit

${engineLimit(lines)}

What helps:

- aggregates: \`TeamMembers\` and \`MemberRoles\` are one resource for many people, so the engine has few checkpoints to write;
- a stack for each team with \`StackReference\` (\`examples/team-stacks\`), since only the resources of one stack are in one checkpoint;
- another backend, as long as it does not write the whole checkpoint at each step as well: PostgreSQL does, and \`npm run bench:postgres\` shows what it costs.
`;
}

/** The floor of the first case: the cost of its resources with a provider that does nothing. */
function engineLimit(lines: readonly Line[]): string {
  const floors = lines.filter(({ case: name, side }) => name === "team-membership" && side.provider === "floor");
  const times = floors.map(({ command, seconds }) => `${command} ${grouped(seconds, 1)} s`);
  return `After each resource that it creates, changes or deletes, the engine writes its whole checkpoint to the file backend, so the time grows with the square of the number of resources. The floor of the first case took: ${times.join(", ")}.`;
}
