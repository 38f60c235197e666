import { readFileSync } from "node:fs";
import { DocsError } from "../api/http/errors";

/** Reads a text from a file, or from the standard input if there is no file; messages call it `source`. */
export function readInput(
  file: string | undefined,
  what = "preview",
): { readonly text: string; readonly source: string } {
  if (file === undefined || file === "-")
    return { text: textOf(0, "the standard input"), source: "the standard input" };
  return { text: readText(file, what), source: file };
}

/** Reads the file of an option or argument. */
export function readText(file: string, what: string): string {
  return textOf(file, `the ${what} ${file}`);
}

function textOf(file: string | number, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new DocsError(`could not read ${name}: ${reasons[code] ?? message}`);
  }
}

const missing = "there is no such file; check the name and the current folder";
const forbidden = "this user may not read it; check its permissions";
const reasons: Readonly<Record<string, string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: "it is a folder; use a file in it",
  EACCES: forbidden,
  EPERM: forbidden,
  EAGAIN: "it has no data; use a file, or pipe one in",
};
