import { type ApiError, type ConnectionError, copyError, isUnanswered, isUnauthorized } from "../api/http/errors";
import { explainedElsewhere } from "../text/shared-sentences";
import { type Run, runScoped } from "./run";
import { SettingsError } from "./settings-error";

/** Why a setting of the stack may be outdated. */
export const storedConfiguration =
  "refresh and destroy do not run the program, and neither does the refresh that preview and up begin with: they use the " +
  "configuration that the last up stored in the state.";

/** The refresh of a destroy uses the stored configuration even with `--run-program` (seen with 3.259). */
export const orRunProgram = "add --run-program (before a destroy, run pulumi refresh --run-program)";

const explainedIn = runScoped(() => new Set<string>());

/**
 * Every resource has the same settings, so the first error explains what to do, and later ones only state the problem. If no
 * program runs, a missing setting may be in configuration that the engine does not pass on.
 */
export async function explainedOnce<T>(run: Run, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainedError(run, error);
  }
}

/** The error to throw instead: the first one of a problem explains it. */
export function explainedError(run: Run, error: unknown): unknown {
  if (isUnauthorized(error)) return shortenedAfterFirst(run, error, `the service answered ${error.status}`);
  // After an unclear failure, the user must check the object of this request, so the error is not shortened.
  if (isUnanswered(error) && !error.unclear) return shortenedAfterFirst(run, error, "the service did not answer");
  if (!(error instanceof SettingsError)) return error;
  const { message, problem, variables } = error;
  if (noteExplained(run, problem)) return new SettingsError(`${problem} ${explainedElsewhere}`);
  if (run.runsProgram() || variables.length === 0 || run.settings.isRunByDocsOrg()) return error;
  return new SettingsError(`${message}\n${afterConfigSet(variables)}`);
}

/** Notes that the run explains this problem. Returns whether it has done so before. */
export function noteExplained(run: Run, problem: string): boolean {
  const explained = explainedIn(run);
  if (explained.has(problem)) return true;
  explained.add(problem);
  return false;
}

/** A wrong token or address fails every resource that uses it, so later errors name only the request and what came of it. */
function shortenedAfterFirst<E extends ApiError | ConnectionError>(run: Run, error: E, result: string): E {
  const serviceMessage = "serviceMessage" in error ? error.serviceMessage : "";
  const explanation = error.message.replace(`could not ${error.attempted}: `, "").replace(serviceMessage, "");
  if (!noteExplained(run, explanation)) return error;
  const message = `could not ${error.attempted}: ${result} ${explainedElsewhere}`;
  // The engine shows `reasons`, not `message`, of a creation that failed in the middle.
  const reasons = "reasons" in error && { reasons: [message] };
  // Several resources may share one read and its error.
  return Object.assign(copyError(error), { message, ...reasons });
}

const afterConfigSet = (variables: readonly string[]): string =>
  `If it was set with pulumi config set since the last up: ${storedConfiguration} Set ${variables.join(" and ")} ` +
  `in the environment for this run, or ${orRunProgram}.`;
