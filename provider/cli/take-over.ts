import type { Command } from "commander";
import { later, stackOption, teamOption } from "./options";

/** `docs-org take-over`: brings a live organization under management, without a change of it. */
export function addTakeOver(program: Command): void {
  program
    .command("take-over")
    .description("Write organization.yaml for a live organization, import all of it, and prove that nothing changes.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option("--force", "overwrite existing files")
    .option(...teamOption("take over"))
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing at the service.\n" +
        "After an interruption, run it again: it goes on.\n" +
        "Exit status: 0 when the organization is managed, or the answer was no; 2 when the preview afterwards shows a change; 1 for all other failures.",
    )
    .action(later(async () => (await import("./actions/take-over.js")).takeOver));
}
