import { programRun } from "../../program/program-run";
import { untilDrained } from "../../program/sdk-internals";
import { runScoped } from "../../run/run";

/** The results of the components of a run, and whether a test waits for them. */
export interface ComponentResults {
  readonly results: Promise<unknown>[];
  isAwaited: boolean;
}

const outcomeIn = runScoped((): ComponentResults => ({ results: [], isAwaited: false }));

export const programResults = (): ComponentResults => outcomeIn(programRun());

/**
 * Reports a refusal to the test that waits for it, otherwise through the outputs of the component. With a waiting test, the
 * outputs stay pending: each of them would be an unhandled rejection.
 */
export function reportRefusal<T>(work: Promise<T>): Promise<T> {
  const outcome = programResults();
  outcome.results.push(work);
  return work.catch((error) => (outcome.isAwaited ? new Promise<never>(() => undefined) : Promise.reject(error)));
}

/** Waits until all resources of the program are registered; rejects if a component is refused. */
export async function waitForRegistrations(outcome: ComponentResults): Promise<void> {
  outcome.isAwaited = true;
  const ended = await Promise.allSettled(outcome.results);
  const errors = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
  await untilDrained();
}
