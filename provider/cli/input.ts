import { readFileSync } from "node:fs";
import { DocsError } from "../api/errors";

/** A text from a file, or from the standard input where no file is named; `source` names it in messages. */
export function readInput(file: string | undefined): { readonly text: string; readonly source: string } {
  if (file === undefined || file === "-") return { text: readFileSync(0, "utf8"), source: "the standard input" };
  return { text: readText(file, "preview"), source: file };
}

/** The text of a file that an option or an argument names. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new DocsError(`could not read the ${what}: ${(error as Error).message}`);
  }
}
