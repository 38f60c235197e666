import { createInterface } from "node:readline/promises";
import type { Command } from "commander";

/** Refuses to begin if a later question could not be answered. */
export function refuseWithoutTerminal(name: string, yes: boolean, command: Command): void {
  if (yes || process.stdin.isTTY) return;
  command.error(`${name} asks before it changes anything, and there is no terminal to answer on; add --yes`, {
    exitCode: 2,
  });
}

/** Asks on the terminal. Everything except "yes" and "y" means no. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (yes/no) `)).trim());
  } finally {
    terminal.close();
  }
}
