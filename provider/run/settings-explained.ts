import { type ApiError, isUnauthorized, ownError } from "../api/http/errors";
import { SettingsError } from "./settings";

/** Why a setting of the stack may not be the one that was set last. */
export const storedConfiguration =
  "refresh and destroy do not run the program, and neither does the refresh that preview and up begin with: they use the " +
  "configuration that the last up stored in the state.";

/** A destroy that refreshes has the stored configuration in the refresh even with `--run-program` (seen with 3.259). */
export const orRunProgram = "add --run-program (before a destroy, run pulumi refresh --run-program)";

const explained = new Set<string>();

/**
 * Every resource has the same settings, so the first one that fails explains what to do, and the others only say what is wrong.
 * While no program runs, what is missing may be in configuration that the engine does not hand out.
 */
export async function explainedOnce<T>(runsProgram: () => boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUnauthorized(error)) throw shortenedAfterFirst(error);
    if (!(error instanceof SettingsError)) throw error;
    const { message, problem, variables } = error;
    if (wasExplained(problem)) throw new SettingsError(`${problem} ${saidElsewhere}`);
    throw runsProgram() || variables.length === 0
      ? error
      : new SettingsError(`${message}\n${afterConfigSet(variables)}`);
  }
}

const saidElsewhere = "(the error of another resource says what to do)";

function wasExplained(problem: string): boolean {
  if (explained.has(problem)) return true;
  explained.add(problem);
  return false;
}

/** A token is wrong for every resource that uses it: later errors say only what was attempted, and with which answer. */
function shortenedAfterFirst(error: ApiError): ApiError {
  const attempt = `could not ${error.attempted}: the service answered ${error.status}`;
  const explanation = error.message.replace(attempt, "").replace(error.serviceMessage, "");
  if (!wasExplained(explanation)) return error;
  const message = `${attempt} ${saidElsewhere}`;
  // Of a creation that failed in the middle, the reasons are what the engine shows.
  const reasons = "reasons" in error && { reasons: [message] };
  // Several resources may share the error of one read.
  return Object.assign(ownError(error), { message, ...reasons });
}

const afterConfigSet = (variables: readonly string[]): string =>
  `If it was set with pulumi config set since the last up: ${storedConfiguration} Set ${variables.join(" and ")} ` +
  `in the environment for this run, or ${orRunProgram}.`;
