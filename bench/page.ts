import { cases, titleOf } from "./cases";
import { grouped } from "./numbers";
import { markdown, measuredTable, verdictTable } from "./report";
import type { CaseResult, Part, PartResult } from "./results";
import type { Line } from "./summary";
import { verdictsOf } from "./verdicts";

/** The text of RESULTS.md. */
export function pageOf(stored: readonly CaseResult[], partOf: (part: Part) => PartResult | undefined): string {
  const lines = stored.flatMap((result) => result.lines);
  const measured = cases.filter(({ name }) => stored.some((result) => result.case === name));
  const counts = new Map(cases.map(({ name, count }) => [name, count]));
  const verdicts = [...(partOf("startup")?.verdicts ?? []), ...verdictsOf(measured, lines)];
  const held = verdicts.filter(({ holds }) => holds).length;
  return `# Benchmark

\`npm run bench\` writes this page from what it found last in each case (\`bench/results\`). \`npm run bench -- --only CASE\` measures one case again.

${measuredWhen(stored)}

Four providers are compared. Within each case, they take turns at each command:

- **dynamic**: this package through the host for dynamic providers.
- **plugin**: this package through the provider plugin, with the same declarations.
- **floor**: the same number of dynamic resources that do nothing, with the same types, inputs, outputs and text in the state. Its time is the cost of the engine itself.
- **naive**: a provider as in the documentation of dynamic providers, with a request for each read and write, and its code in the state.

How they are measured:

- The service is the emulator in a separate process, with 0 or 50 ms added to each answer.
- The engine has its state in a file and runs with \`--parallel 8\`, unless a case says otherwise.
- Seconds are wall time of the whole command. The bounds compare both hosts at 50 ms with the floor, and with each other, as medians of the runs in the first table; everything else ran once.
- Requests, bytes of state per resource (the engine's own part included) and memory of the provider process are the maximum of all runs.

## Bounds

Requests take 50 ms, unless a bound says otherwise. ${held} of ${verdicts.length} bounds hold.

${markdown(verdictTable(verdicts))}

## Long runs

\`npm run bench:long\` previews the same organization for five minutes, in one process, and runs each command once with a very large organization. The engine keeps its state in a file; without its checkpoints (\`PULUMI_SKIP_CHECKPOINTS\`) only for the take-over, which is not in the table.

${longRuns([partOf("nights"), partOf("large")])}

## Everything measured

${markdown(measuredTable(measured, lines, counts))}

## Where the engine is the limit

${engineLimit(lines)}

What helps:

- aggregates: \`TeamMembers\` and \`MemberRoles\` are one resource for many people, so the engine has few checkpoints to write;
- a stack for each team with \`StackReference\` (\`examples/team-stacks\`), since only the resources of one stack are in one checkpoint;
- another backend, as long as it does not write the whole checkpoint at each step as well: PostgreSQL does, and \`npm run bench:postgres\` shows what it costs.
`;
}

function longRuns(results: readonly (PartResult | undefined)[]): string {
  const found = results.flatMap((result) => result ?? []);
  if (found.length === 0) return "Not measured yet.";
  const dates = [...new Set(found.map(({ date }) => date))].join(" and ");
  return `Measured on ${dates}.\n\n${markdown(verdictTable(found.flatMap(({ verdicts }) => verdicts)))}`;
}

/** When each case was measured, how often, and on which machine. */
function measuredWhen(stored: readonly CaseResult[]): string {
  const rows = cases.map((one) => {
    const result = stored.find((each) => each.case === one.name);
    const providers = new Set(result?.lines.map(({ side }) => side.provider));
    const cells = result ? [result.date, String(result.runs), [...providers].join(", ")] : ["not measured yet", "", ""];
    return [one.name, titleOf(one, one.count), ...cells];
  });
  const machines = new Set(stored.map(({ machine }) => JSON.stringify(machine)));
  const tables = [...machines].map((text) => {
    const names = stored.filter(({ machine }) => JSON.stringify(machine) === text).map((result) => result.case);
    const machine = Object.entries<string>(JSON.parse(text));
    return `On this machine: ${names.join(", ")}.\n\n${markdown([["part", "what"], ...machine])}`;
  });
  return [markdown([["case", "what", "measured on", "runs", "providers"], ...rows]), ...tables].join("\n\n");
}

/** The floor of the first case: the cost of its resources with a provider that does nothing. */
function engineLimit(lines: readonly Line[]): string {
  const floors = lines.filter(({ case: name, side }) => name === "team-membership" && side.provider === "floor");
  const times = floors.map(({ command, seconds }) => `${command} ${grouped(seconds, 1)} s`);
  return `After each resource that it creates, changes or deletes, the engine writes its whole checkpoint to the file backend, so the time grows with the square of the number of resources. The floor of the first case took: ${times.join(", ")}.`;
}
