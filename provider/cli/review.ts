import type { Command } from "commander";
import { failOnOption, formatOption, later, reviewFormats } from "./options";

/** `docs-org review`: describes what a preview changes for people, for access reviews. */
export function addReview(program: Command): void {
  program
    .command("review")
    .description(
      "Describe in plain words what a preview changes for people: who gains or loses access, and what is risky.",
    )
    .argument("[preview.json]", "output of pulumi preview --json; default: the standard input")
    .addOption(formatOption(reviewFormats, "markdown"))
    .addOption(failOnOption("risk", "there is a risk, or if the preview failed"))
    .option("--plan <file>", "also write every change to this file, for docs-org verify")
    .option(
      "--partial",
      "the preview ran with --target or --exclude; not needed after --refresh, which shows that itself",
    )
    .addHelpText(
      "after",
      "\nExit status: 0 when the review was written, even of a failed preview; 2 for --fail-on; 1 when there is no preview to read.",
    )
    .action(later(async () => (await import("./actions/review.js")).review));
}
