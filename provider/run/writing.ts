import { DocsError } from "../api/http/errors";
import { whyNotWritten } from "../text/file-errors";

/** Runs an action that writes a file or folder; a failure names the path and the reason. */
export function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new DocsError(`could not write ${path}: ${whyNotWritten(error)}`, { cause: error });
  }
}
