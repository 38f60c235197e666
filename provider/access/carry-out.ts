import { ConnectionError, copyError, DocsError, isUnauthorized } from "../api/http/errors";

export interface AccessStep {
  readonly name: string;
  /** Whether the step makes the person an administrator, or takes that role away. */
  readonly administrator?: "gives" | "takes";
  /** What is true of the person afterwards, in a message: `is now read`. */
  readonly result: string;
  readonly run: () => Promise<void>;
}

export interface StepResults {
  /** `Ada Abbott (ada@acme.test, user_ada) is now read`, for each step that succeeded. */
  readonly done: readonly string[];
  readonly failed: readonly Failed[];
}

export interface Failed {
  readonly name: string;
  readonly error: unknown;
}

/** As many steps as the limiter sends requests at the same time. The others wait, so a failure can still stop them. */
const atOnce = 64;
const mostNamed = 50;

/**
 * Carries out all steps and returns which ones failed. New administrators come first; steps that take the role wait for each
 * other in the quorum. An error that every step would have, such as a wrong token, stops the rest. `missing` are people who
 * are declared as administrators and are not members.
 */
export async function carryOut(steps: readonly AccessStep[], missing: readonly string[] = []): Promise<StepResults> {
  const failed: Failed[] = [];
  const done: string[] = [];
  const recordingSteps = steps.map((step): AccessStep => {
    const run = () => step.run().then(() => void done.push(`${step.name} ${step.result}`));
    return { ...step, run };
  });
  const stepsThat = (administrator: AccessStep["administrator"]) =>
    recordingSteps.filter((step) => step.administrator === administrator);
  await runInParallel(stepsThat("gives"), failed);
  const lacking = [...missing, ...failed.map(({ name }) => name)];
  const takes = stepsThat("takes").map((step) => (lacking.length > 0 ? refuseStep(step, lacking) : step));
  await Promise.all([runInParallel(stepsThat(undefined), failed), runInParallel(takes, failed)]);
  return { done, failed };
}

/** No administrator loses the role while a person who is declared as one does not have it. */
function refuseStep({ name, result }: AccessStep, lacking: readonly string[]): AccessStep {
  const run = () =>
    Promise.reject(new DocsError(`${name} stays an administrator until ${listNames(lacking)} can become one`));
  return { name, result, run };
}

async function runInParallel(steps: readonly AccessStep[], failed: Failed[]): Promise<void> {
  // All workers take their next step from this iterator.
  const waiting = steps.values();
  const worker = async () => {
    for (const { name, run } of waiting) {
      if (failed.some(({ error }) => failsForAll(error))) return;
      await run().catch((error) => void failed.push({ name, error }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, steps.length) }, worker));
}

const failsForAll = (error: unknown): boolean => isUnauthorized(error) || error instanceof ConnectionError;

/**
 * Builds one error from several failures: each reason once, after the names of the people who failed with it, or the one
 * reason that is common to all; then the people who were changed already. `rest` says what became of the other changes.
 */
export function joinFailures(
  failed: readonly Failed[],
  done: readonly string[],
  rest = "the others were made",
): unknown {
  const common = failed.find(({ error }) => failsForAll(error));
  const failures = common ? [common] : failed;
  const reasons = listReasons(failures);
  const lines = failures.length === 1 ? reasons : describeReasons(reasons, rest);
  const already = done.length > 0 ? [`changed already: ${listNames(done, "; ")}`] : [];
  const message = [...lines, ...already].join("\n");
  const firstError = failures[0]?.error;
  // If there is one reason, the error keeps its class, by which callers tell what kind of failure it is.
  if (reasons.length === 1 && firstError instanceof DocsError) return Object.assign(copyError(firstError), { message });
  // An error of another class is a bug of this package. If it is the only failure, its stack is worth more than the message.
  return failures.length === 1 ? firstError : new DocsError(message);
}

function describeReasons(reasons: readonly string[], rest: string): string[] {
  const lines = reasons.slice(0, mostNamed).map((one) => `- ${one}`);
  if (reasons.length > mostNamed) lines.push(`- and ${reasons.length - mostNamed} more`);
  return [`some changes failed; ${rest}, and the next run tries the failed ones again:`, ...lines];
}

/** Lists each reason once, after the names of the people who failed with it, unless it begins with the name. */
function listReasons(failed: readonly Failed[]): string[] {
  const namesByReason = new Map<string, string[]>();
  for (const { name, error } of failed) {
    const message = error instanceof Error ? error.message : String(error);
    namesByReason.set(message, [...(namesByReason.get(message) ?? []), name]);
  }
  return [...namesByReason].map(([message, names]) =>
    message.startsWith(listNames(names)) ? message : `${listNames(names)}: ${message}`,
  );
}

/** `a, b and 3 more`. */
export function listNames(names: readonly string[], separator = ", "): string {
  const more = names.length - mostNamed;
  const shown = names.slice(0, mostNamed).join(separator);
  return more > 0 ? `${shown} and ${more} more` : shown;
}
