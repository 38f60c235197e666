import { grouped, median } from "../numbers";
import type { Verdict } from "../verdicts";
import type { Load } from "./modules";
import type { Times } from "./turns";

type Table = readonly (readonly string[])[];

/** The most that each may take, as a ratio to an empty JavaScript program. */
const ratios = { first: 1.45, again: 1.45, firstAlone: 1.45, againAlone: 1.45, plugin: 1.3, commands: 1.3 } as const;

/** Milliseconds that commands may take which start no engine. */
const limits = {
  review: ["`docs-org review` of a saved preview", 400],
  help: ["`docs-org --help`", 150],
} as const;

/** Milliseconds that a preview through the plugin must take less than one through the SDK's own host of dynamic providers. */
const gain = 600;

type Ratio = keyof typeof ratios;
type Bounded = Ratio | keyof typeof limits | "empty" | "before";

export function boundsOf(words: Readonly<Record<string, string>>, times: Times<Bounded>): Verdict[] {
  const empty = median(times.empty);
  const found = median(times.before) - median(times.plugin);
  return [
    ...(Object.keys(ratios) as Ratio[]).map((name) => {
      const ratio = median(times[name]) / empty;
      const bound = `${ratios[name]} x an empty JavaScript program`;
      return { what: words[name] ?? name, found: `${ratio.toFixed(2)} x`, bound, holds: ratio <= ratios[name] };
    }),
    ...(Object.keys(limits) as (keyof typeof limits)[]).map((name) => {
      const [what, most] = limits[name];
      const taken = median(times[name]);
      return { what, found: `${grouped(taken)} ms`, bound: `less than ${most} ms`, holds: taken < most };
    }),
    {
      what: "how much faster the plugin is than the dynamic host with `runtime: nodejs`",
      found: `${grouped(found)} ms`,
      bound: `at least ${gain} ms`,
      holds: found >= gain,
    },
  ];
}

/** Medians, and their ratios to an empty JavaScript program. */
export function timesTable(words: Readonly<Record<string, string>>, times: Times): Table {
  const empty = median(times.empty ?? []);
  const rows = Object.entries(words).map(([name, what]) => {
    const taken = median(times[name] ?? []);
    return [what, `${(taken / 1000).toFixed(2)} s`, `${(taken / empty).toFixed(2)} x`];
  });
  return [["what", "takes", "beside an empty JavaScript program"], ...rows];
}

export const loadsTable = (loads: readonly Load[]): Table => [
  ["what is loaded", "modules", "milliseconds"],
  ...loads.map(({ words, modules, milliseconds }) => [words, grouped(modules), grouped(milliseconds)]),
];
