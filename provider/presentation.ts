import { DocsError } from "./api/errors";

const mark = "docs-org: shown by the engine";

/** A user's mistake is a sentence, which the engine shows with the resource; a mistake of ours keeps its stack. */
export async function presented<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocsError) Object.assign(error, { stack: error.message, toString: () => mark });
    throw error;
  }
}

/**
 * The host of dynamic providers prints the error of every call on stderr as well, as `<error>: <stack>`, so that each
 * sentence would stand on the terminal twice. Only what `presented` marked is left out.
 */
export function quietenHost(): void {
  // biome-ignore lint/suspicious/noConsole: the host calls it
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    if (!String(parts[0]).startsWith(mark)) print(...parts);
  };
}

/** A line for the user while the engine runs; a handler has only stderr, which the engine shows with the stack. */
export function tell(line: string): void {
  process.stderr.write(`docs-org: ${line}\n`);
}
