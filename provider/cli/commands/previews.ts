import type { Command } from "commander";
import { failOnReviewOption, formatOption, later, pageOption, planAgeOption } from "../options";

function addReview(program: Command): void {
  program
    .command("review")
    .description(
      "Describe in plain words what a preview changes for people: who gains or loses access, and what is risky.",
    )
    .argument("[preview.json]", "output of pulumi preview --json; default: the standard input")
    .addOption(formatOption("markdown"))
    .addOption(
      failOnReviewOption(
        "; both also if the preview failed, and the second if it did not look for drift or is partial",
      ),
    )
    .option(...pageOption)
    .option("--plan <file>", "also write every change to this file, for docs-org verify")
    .option(
      "--partial",
      "the preview ran with --target or --exclude; not needed after --refresh, which shows that itself",
    )
    .addHelpText(
      "after",
      "\nExit status: 0 when the review was written, even of a failed preview; 2 for --fail-on; 1 when there is no preview to read.",
    )
    .action(later(async () => (await import("../actions/previews.js")).reviewPreviewFile));
}

function addVerify(program: Command): void {
  program
    .command("verify")
    .description(
      "Compare a fresh preview with the reviewed plan, and fail if it contains a change that was not reviewed.",
    )
    .argument("[preview.json]", "output of a fresh pulumi preview --json; default: the standard input")
    .requiredOption("--plan <file>", "required: plan that docs-org review --plan wrote")
    .option(...planAgeOption)
    .option(
      "--accept-incomparable",
      "exit with 0 even if a part cannot be compared: secrets, values that are known only during the up, a preview without --refresh or with --target, an organization that only the settings of pulumi name",
    )
    .addHelpText(
      "after",
      "\nExit status: 0 when every change was reviewed, even if fewer changes are left; 2 when a change was not reviewed, which includes an organization that only one of the two previews names, or the file of the plan cannot be read; 3 when a part cannot be compared and all the rest was reviewed; 1 when a file is not a plan or preview, or belongs to another stack.",
    )
    .action(later(async () => (await import("../actions/previews.js")).verification));
}

export const previewCommands = [addReview, addVerify];
