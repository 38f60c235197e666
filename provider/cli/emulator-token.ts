import { createInterface } from "node:readline";
import { InvalidArgumentError } from "commander";
import { DocsError } from "../api/http/errors";

const printable = /^[\x21-\x7e]+$/;

/** The value of `--token`: a token, or `-`. */
export function parseToken(text: string): string {
  if (printable.test(text)) return text;
  throw new InvalidArgumentError("Use printable characters without spaces.");
}

/** The token from the option, the standard input or the environment. The last two keep it out of the list of processes. */
export async function readToken(option: string | undefined): Promise<{ readonly token?: string }> {
  if (option === "-") return { token: requireToken(await firstLine(), "the first line of the standard input") };
  const token = option ?? process.env.DOCS_TOKEN;
  return token ? { token: requireToken(token, "DOCS_TOKEN") } : {};
}

/** Refuses a malformed token. The message does not show it: it may be most of a real token. */
function requireToken(text: string, source: string): string {
  if (printable.test(text)) return text;
  throw new DocsError(`${source} is not a token; use printable characters without spaces`);
}

/** Reads only one line: the writer of a pipe may keep it open. */
async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
    process.stdin.destroy();
  }
}
