import type { Command } from "commander";
import { later, stackOption } from "./options";

/** `docs-org destroy`: releases and deletes everything that the stack manages. */
export function addDestroy(program: Command): void {
  program
    .command("destroy")
    .description("List the people that the stack releases and the objects that it deletes, ask, and do so.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN. The stack itself stays, empty.\n" +
        "Exit status: 0 when everything was released and deleted, or the answer was no; 1 for failures.",
    )
    .action(later(async () => (await import("./actions/destroy.js")).destroy));
}
