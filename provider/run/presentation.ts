import { DocsError } from "../api/http/errors";
import { masked } from "../text/masking";
import { escaped } from "../text/mistakes";

const mark = "docs-org: shown by the engine";

/** A user's mistake is a sentence, which the engine shows with the resource; a mistake of ours keeps its stack. */
export async function presented<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocsError) {
      const message = presentable(error.message);
      Object.assign(error, { message, stack: message, toString: () => mark });
      // What the engine shows of work that was done in part.
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
 * The host of dynamic providers prints the error of every call on stderr as well, as `<error>: <stack>`, so that each
 * sentence would stand on the terminal twice. Only what `presented` marked is left out. The rest may be anybody's error.
 */
export function quietenHost(): void {
  // biome-ignore lint/suspicious/noConsole: the host calls it
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    if (String(parts[0]).startsWith(mark)) return;
    print(...parts.map((part) => (typeof part === "string" ? masked(part) : part)));
  };
}

/** Shows a line to the user while the engine runs: a handler has only stderr, which the engine prints. */
export function tellOnStderr(line: string): void {
  process.stderr.write(noticeOf(line));
}

/** What is printed of a line for the user. */
export const noticeOf = (line: string): string => `docs-org: ${presentable(line.replace(/\n/g, "\\n"))}\n`;

/**
 * A message as it may be printed. Titles and names are other people's text: nothing of it may move the cursor, or look like a
 * line of ours. No token gets out.
 */
export function presentable(text: string): string {
  return masked(text).split("\n").map(escaped).join("\n");
}
