import { type Command, Option } from "commander";
import { openDeployment, reviewChange, type StackOptions, stackOption } from "./deployment";
import { type ReviewOutput, reviewFormats, writeReview } from "./review-output";

type Options = ReviewOutput & StackOptions;

/** `docs-org preview`: the review of what `docs-org up` would change. */
export function addPreview(program: Command): void {
  program
    .command("preview")
    .description(
      "Show what organization.yaml in this folder would change: who gains or loses access, and what is risky.",
    )
    .addOption(new Option("--format <format>", "output format").choices(reviewFormats).default("text"))
    .option("--plan <file>", "also write every grant and removal to this file, for docs-org up --plan")
    .addOption(
      new Option("--fail-on <what>", "exit with status 2 if there is a risk, or if the preview was refused").choices([
        "risk",
      ]),
    )
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN, and changes nothing.\n" +
        "Exit status: 0 when the review was written, even of a refused preview; 2 for --fail-on; 1 when there is no preview.",
    )
    .action(preview);
}

async function preview(options: Options, command: Command): Promise<void> {
  const deployment = await openDeployment(options);
  const { review } = reviewChange(await deployment.preview("up"));
  await writeReview(review, options, command);
}
