import type { Command } from "commander";
import { later, planAgeOption, stackOption } from "./options";

/** `docs-org up`: makes the live organization what organization.yaml declares. */
export function addUp(program: Command): void {
  program
    .command("up")
    .description("Show what organization.yaml in this folder would change, ask, and make exactly this change.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option("--plan <file>", "only make changes of this plan, which docs-org preview --plan wrote for a review")
    .option(...planAgeOption)
    .option("--accept-incomparable", "with --plan: go on even if a part cannot be compared, as docs-org verify says it")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN.\n" +
        "Exit status: 0 when the change was made, or nothing was to do, or the answer was no; 2 when --plan does not have a change; 3 when a part cannot be compared; 1 for all other failures.",
    )
    .action(later(async () => (await import("./actions/up.js")).up));
}
