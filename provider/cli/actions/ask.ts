import { createInterface } from "node:readline/promises";
import { type Command, CommanderError } from "commander";

/** Refuses to begin if a later question could not be answered. */
export function refuseWithoutTerminal(name: string, yes: boolean, command: Command): void {
  if (yes || process.stdin.isTTY) return;
  command.error(`${name} asks before it changes anything, and there is no terminal to answer on; add --yes`, {
    exitCode: 2,
  });
}

/** Whether somebody can answer a question. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Ctrl-C at a question. On a terminal, readline gets it as a character, so no signal ends the process. */
function interruption(): CommanderError {
  process.stderr.write("\ndocs-org: interrupted; nothing was done\n");
  return new CommanderError(interruptedStatus, "docs-org.interrupted", "interrupted");
}

/** As a shell reports SIGINT. */
const interruptedStatus = 130;

/** Asks on stderr, since the standard output may be a file. Everything but yes, such as the end of the input, means no. */
export async function confirm(question: string): Promise<boolean> {
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
