import { isatty } from "node:tty";
import { DocsError } from "../api/http/errors";
import { readFileText } from "../run/files";

/** Reads a text from a file, or from the standard input if there is no file; messages call it `source`. */
export function readInput(
  file: string | undefined,
  what: keyof typeof producers = "preview",
): { readonly text: string; readonly source: string } {
  if (file === undefined || file === "-") {
    refuseTerminal(what);
    return { text: readFileText(0, "the standard input"), source: "the standard input" };
  }
  return { text: readText(file, what), source: file };
}

/** Without this, a command on a terminal would wait for input without a word. */
function refuseTerminal(what: keyof typeof producers): void {
  // Not `process.stdin.isTTY`: once `process.stdin` is used, a read of a pipe returns nothing until its data is there.
  if (!isatty(0)) return;
  throw new DocsError(
    `could not read the ${what}: the standard input is a terminal; use a file, or pipe in the output of ${producers[what]}`,
  );
}

/** The commands that print what the standard input must have. */
const producers = {
  preview: "pulumi preview --refresh --show-sames --json",
  state: "pulumi stack export",
} as const;

export function readText(file: string, what: string): string {
  return readFileText(file, `the ${what} ${file}`);
}
