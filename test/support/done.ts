import type { CommandOutcome } from "../../scripts/stack";

/** The output of a command that must succeed. */
export function done({ status, output }: CommandOutcome): string {
  if (status !== 0) throw new Error(output);
  return output;
}
