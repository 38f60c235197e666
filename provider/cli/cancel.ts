import type { Command } from "commander";
import { later, stackOption } from "./options";

/** `docs-org cancel`: removes the lock that a killed run has left. */
export function addCancel(program: Command): void {
  program
    .command("cancel")
    .description("Remove the lock that a killed run has left on the stack, so that other runs can change it.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nMake sure that the run has ended: this removes the lock of a running one, too. Changes nothing at the service.\n" +
        "Exit status: 0 when the stack has no lock, or the answer was no; 1 for failures.",
    )
    .action(later(async () => (await import("./actions/cancel.js")).cancel));
}
