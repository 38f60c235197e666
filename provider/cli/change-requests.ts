import { type Command, InvalidArgumentError } from "commander";
import { formatOption, later, reviewFormats, several } from "./options";

/** `docs-org change-requests`: lists open change requests, and helps to bring them up to date and to sign them off. */
export function addChangeRequests(program: Command): void {
  program
    .command("change-requests")
    .description(
      "List the open change requests: age, author, whether outdated, what changes, and which links would break.",
    )
    .option("--space <id>", "only the change requests of this space", filled)
    .addOption(formatOption(reviewFormats, "text"))
    .option(
      "--fail-on <condition>",
      "exit with status 2 if a change request is outdated, has broken-links, or has an age=14d (hours h, days d, weeks w) or more; repeatable",
      several,
    )
    .option("--pull", "update outdated change requests with the content of their spaces, after a question")
    .option("--yes", "with --pull: do not ask")
    .option("--pdf <folder>", "save each change request as a PDF in this folder", filled)
    .option("--force", "with --pdf: overwrite existing files")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID. Changes nothing without --pull.\n" +
        "Exit status: 0 when the list was written; 2 for --fail-on; 1 when something cannot be read, updated or saved.",
    )
    .action(later(async () => (await import("./actions/change-requests.js")).changeRequests));
}

function filled(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It is empty.");
}
