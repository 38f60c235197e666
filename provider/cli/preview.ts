import { type Command, Option } from "commander";
import type { Options } from "./actions/preview";
import { formatOption, reviewFormats, stackOption } from "./options";

/** `docs-org preview`: the review of what `docs-org up` would change. */
export function addPreview(program: Command): void {
  program
    .command("preview")
    .description(
      "Show what organization.yaml in this folder would change: who gains or loses access, and what is risky.",
    )
    .addOption(formatOption(reviewFormats, "text"))
    .option("--plan <file>", "also write every grant and removal to this file, for docs-org up --plan")
    .addOption(
      new Option("--fail-on <what>", "exit with status 2 if there is a risk, or if the preview was refused").choices([
        "risk",
      ]),
    )
    .option(...stackOption)
    .option("--yes", "install a missing Pulumi CLI without a question")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN, and changes nothing.\n" +
        "Exit status: 0 when the review was written; 2 for --fail-on; 1 when the preview was refused, or there is none.",
    )
    .action(async (options: Options, command: Command) =>
      (await import("./actions/preview.js")).preview(options, command),
    );
}
