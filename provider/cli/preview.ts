import type { Command } from "commander";
import { failOnOption, formatOption, later, reviewFormats, stackOption } from "./options";

/** `docs-org preview`: the review of what `docs-org up` would change. */
export function addPreview(program: Command): void {
  program
    .command("preview")
    .description(
      "Show what organization.yaml in this folder would change: who gains or loses access, and what is risky.",
    )
    .addOption(formatOption(reviewFormats, "text"))
    .option("--plan <file>", "also write every change to this file, for docs-org up --plan")
    .addOption(failOnOption("risk", "there is a risk, or if the preview was refused"))
    .option(...stackOption)
    .option("--yes", "install a missing Pulumi CLI without a question")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN, and changes nothing.\n" +
        "Exit status: 0 when the review was written; 2 for --fail-on; 1 when the preview was refused, or there is none.",
    )
    .action(later(async () => (await import("./actions/preview.js")).preview));
}
