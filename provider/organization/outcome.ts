import { programRun } from "../hosts/dynamic/program-run";
import { drained } from "../hosts/dynamic/sdk-internals";
import { perRun } from "../run/run";

/** What the components of a run have come to, and whether a test waits to be told. */
export interface Outcome {
  readonly works: Promise<unknown>[];
  isAwaited: boolean;
}

const outcomeIn = perRun((): Outcome => ({ works: [], isAwaited: false }));

export const outcomeOfProgram = (): Outcome => outcomeIn(programRun());

/**
 * Reports a refusal in one place: to the test that waits for the outcome, otherwise to all outputs of the component. Each output
 * would be a rejection that nobody handles.
 */
export function reportRefusal<T>(work: Promise<T>): Promise<T> {
  const outcome = outcomeOfProgram();
  outcome.works.push(work);
  return work.catch((error) => (outcome.isAwaited ? new Promise<never>(() => undefined) : Promise.reject(error)));
}

/** Waits until everything that the program declares is registered; rejects with the refusal of a component. */
export async function waitForRegistrations(outcome: Outcome): Promise<void> {
  outcome.isAwaited = true;
  const ended = await Promise.allSettled(outcome.works);
  const errors = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
  await drained();
}
