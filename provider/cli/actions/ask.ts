import { createInterface } from "node:readline/promises";
import { CommanderError } from "commander";
import { StatusError } from "../output";

/** Whether somebody can read a question, which stderr shows, and answer it. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Refuses to begin if a later question could not be answered. */
export function refuseWithoutTerminal(name: string, { yes }: { readonly yes?: true }): void {
  if (yes || isInteractive()) return;
  const reason = "asks before it changes anything, and there is no terminal to ask and to answer on";
  throw new StatusError(`${name} ${reason}; add --yes`);
}

/** Ctrl-C at a question. On a terminal, readline gets it as a character, so no signal ends the process. A shell reports SIGINT as 130. */
function interruption(): CommanderError {
  process.stderr.write("\ndocs-org: interrupted; nothing was done\n");
  return new CommanderError(130, "docs-org.interrupted", "interrupted");
}

/** Asks, and after anything but a yes says what follows. */
export async function confirm(question: string, otherwise: string): Promise<boolean> {
  const isAgreed = await isYes(question);
  if (!isAgreed) console.log(otherwise);
  return isAgreed;
}

/** Asks on stderr, since the standard output may be a file. Everything but yes, such as the end of the input, means no. */
export async function isYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    const interrupted = new Promise<never>((_, reject) => lines.once("SIGINT", () => reject(interruption())));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended, interrupted]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
