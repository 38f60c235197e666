import type { Command } from "commander";
import type { Options } from "./actions/take-over";
import { several, stackOption } from "./options";

/** `docs-org take-over`: brings a live organization under management, without a change of it. */
export function addTakeOver(program: Command): void {
  program
    .command("take-over")
    .description("Write organization.yaml for a live organization, import all of it, and prove that nothing changes.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option("--force", "overwrite existing files")
    .option(
      "--team <id>",
      "also take over this team; needed for teams without members, which the API cannot list (repeatable)",
      several,
      [],
    )
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing at the service.\n" +
        "After an interruption, run it again: it goes on.\n" +
        "Exit status: 0 when the organization is managed, or the answer was no; 2 when the preview afterwards shows a change; 1 for all other failures.",
    )
    .action(async (options: Options, command: Command) =>
      (await import("./actions/take-over.js")).takeOver(options, command),
    );
}
