import type { Outcome, Stack } from "../../scripts/stack";

export type Work = () => Promise<unknown>;
/** Milliseconds of each run, by name. */
export type Times<Name extends string = string> = Readonly<Record<Name, readonly number[]>>;

/** Runs the works as often, in turns, so that all of them meet the same load of the machine. */
export async function inTurns<Name extends string>(
  runs: number,
  works: Readonly<Record<Name, Work>>,
): Promise<Times<Name>> {
  const names = Object.keys(works) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let run = 0; run < runs; run++) {
    for (const name of names) {
      const begun = performance.now();
      await works[name]();
      times[name].push(Math.round(performance.now() - begun));
    }
  }
  return times;
}

export const preview = async (stack: Stack): Promise<void> => succeeded(await stack.preview());

export function succeeded({ status, output }: Outcome): void {
  if (status !== 0) throw new Error(output);
}
