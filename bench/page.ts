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

- ours: this package; floor: as many dynamic resources that do nothing, with the same types, inputs, outputs and text in the state, which is what the engine itself costs; naive: a provider as the
  documentation of dynamic providers shows it, with a request for each read and write and its code in the state.
- The service is the emulator, in a process of its own, with 0 or 50 ms added to each answer. The engine runs with \`--parallel 8\` where nothing else is said, and with its state in a file.
- Seconds are wall time of the whole command, medians of ${runs} for ours at 50 ms and for the floor, which the bounds compare; the other sides, and cases without a bound of time, ran once. Requests, bytes of state per resource (the engine's own part included) and memory of the provider process are the most of all runs. The sides
  take turns at each command.

## Bounds

At 50 ms a request, where it says nothing else. ${held} of ${verdicts.length} hold.

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
  return `After each resource that it creates, changes or deletes, the engine writes its whole checkpoint to the file backend, so the time grows with the square of their number. Resources that do nothing, as many as
memberships in the first case, took: ${times.join(", ")}.`;
}
