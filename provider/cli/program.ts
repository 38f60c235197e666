import { Command, CommanderError } from "commander";
import { DocsError } from "../api/http/errors";
import { packageVersion } from "../run/package";
import { presentable } from "../run/presentation";
import { evidenceCommands } from "./commands/evidence";
import { liveCommands } from "./commands/live";
import { previewCommands } from "./commands/previews";
import { programCommands } from "./commands/programs";
import { setupCommands } from "./commands/setup";
import { stackCommands } from "./commands/stack";
import { StatusError } from "./output";

/** All commands with their options; the reference describes the same ones. */
export function commandLine(): Command {
  const program = new Command("docs-org")
    .description("Tools for an organization on a documentation publishing service.")
    .version(packageVersion)
    // A command may have an option that docs-org itself has, such as --version.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`docs-org: ${presentable(inOneSentence(text))}\n`) });
  for (const [heading, adders] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const add of adders) add(program);
  }
  // The help command belongs to the last group.
  return program.helpCommand(true);
}

const groups: Readonly<Record<string, readonly ((program: Command) => void)[]>> = {
  "Manage the organization of a folder:": stackCommands,
  "Review the preview of a program:": previewCommands,
  "Look at a live organization:": liveCommands,
  "Show evidence to auditors:": evidenceCommands,
  "Write programs:": programCommands,
  "Set up and try:": setupCommands,
};

/** Runs the command and returns its exit status (see `StatusError`); 1 for all other failures. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await commandLine().parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  // Commander has status 1 for every mistake in the command line.
  if (error instanceof CommanderError) return error.exitCode === 1 ? 2 : error.exitCode;
  if (!(error instanceof DocsError)) throw error;
  process.stderr.write(`docs-org: ${presentable(error.message)}\n`);
  return error instanceof StatusError ? error.status : 1;
}

/** Commander writes "error: ..." and a suggestion on a line of its own. */
function inOneSentence(text: string): string {
  return text
    .replace(/^error: /, "")
    .replace(/\s*\n\(/, " (")
    .trim();
}
