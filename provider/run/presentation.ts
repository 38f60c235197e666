import { DocsError } from "../api/http/errors";
import { masked } from "../text/masking";
import { escaped, inert } from "../text/visible";

const mark = "docs-org: shown by the engine";

/** A `DocsError` is meant for the user: the engine shows its message without a stack. Any other error is a bug and keeps its stack. */
export async function presentErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocsError) {
      const message = presentable(error.message);
      Object.assign(error, { message, stack: message, toString: () => mark });
      // The engine shows `reasons` if the work was done in part.
      const { reasons } = error as { reasons?: string[] };
      if (reasons) Object.assign(error, { reasons: reasons.map(presentable) });
    } else if (error instanceof Error) {
      const { message, stack = message } = error;
      Object.assign(error, { message: masked(message), stack: masked(stack) });
    }
    throw error;
  }
}

/**
 * Pulumi's host of dynamic providers also prints the error of every call on stderr, as `<error>: <stack>`, so the terminal
 * would show each message twice. Only errors that `presentErrors` has marked by their `toString()` are dropped: others come from any code.
 */
export function quietenHost(): void {
  // biome-ignore lint/suspicious/noConsole: Pulumi's host calls it
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    if (String(parts[0]).startsWith(mark)) return;
    print(...parts.map((part) => (typeof part === "string" ? masked(part) : part)));
  };
}

/** Shows a line to the user while the engine runs. A handler can only write to stderr, which the engine prints. */
export function tellOnStderr(line: string): void {
  process.stderr.write(noticeOf(line));
}

export const noticeOf = (line: string): string => `docs-org: ${presentable(line.replace(/\n/g, "\\n"))}\n`;

/**
 * Makes a message safe to print. Titles and names were written by other people: they must not move the cursor or imitate a
 * line of this package or a command of a CI job. Tokens are masked.
 */
export function presentable(text: string): string {
  return masked(text)
    .split("\n")
    .map((line) => inert(escaped(line)))
    .join("\n");
}
