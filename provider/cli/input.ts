import { readFileSync } from "node:fs";
import { DocsError } from "../api/http/errors";

/** A text from a file, or from the standard input where no file is named; `source` names it in messages. */
export function readInput(
  file: string | undefined,
  what = "preview",
): { readonly text: string; readonly source: string } {
  if (file === undefined || file === "-")
    return { text: textOf(0, "the standard input"), source: "the standard input" };
  return { text: readText(file, what), source: file };
}

/** The text of a file that an option or an argument names. */
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

const missing = "there is no such file; check its name, and the folder it is looked for in";
const forbidden = "this user may not read it; check its permissions";
const reasons: Readonly<Record<string, string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: "it is a folder; name a file in it",
  EACCES: forbidden,
  EPERM: forbidden,
  EAGAIN: "nothing was ready there; name a file, or pipe one in",
};
