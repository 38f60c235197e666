import { DocsError } from "./api/errors";
import { escaped } from "./api/mistakes";

const mark = "docs-org: shown by the engine";

/** A user's mistake is a sentence, which the engine shows with the resource; a mistake of ours keeps its stack. */
export async function presented<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocsError) {
      const message = withoutControls(error.message);
      Object.assign(error, { message, stack: message, toString: () => mark });
      // What the engine shows of work that was done in part.
      const { reasons } = error as { reasons?: string[] };
      if (reasons) Object.assign(error, { reasons: reasons.map(withoutControls) });
    }
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
  process.stderr.write(`docs-org: ${withoutControls(line.replace(/\n/g, "\\n"))}\n`);
}

const told = new Set<string>();

/** The engine asks for a difference once in a refresh and once more in the preview after it. */
export function tellOnce(line: string): void {
  if (told.has(line)) return;
  told.add(line);
  tell(line);
}

/** Titles and names are other people's text: nothing of it may move the cursor, or look like a line of ours. */
function withoutControls(text: string): string {
  return text.split("\n").map(escaped).join("\n");
}
