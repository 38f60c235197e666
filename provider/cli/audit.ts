import { type Command, Option } from "commander";
import type { Options } from "./actions/audit";
import { auditFormats, formatOption, several } from "./options";

/** `docs-org audit`: lists live objects that no stack manages. */
export function addAudit(program: Command): void {
  program
    .command("audit")
    .description("List live objects that no stack manages, by comparing the organization with the states of stacks.")
    .option(
      "--state <file>",
      "output of pulumi stack export, or - for the standard input; repeat for each stack",
      several,
    )
    .addOption(formatOption(auditFormats, "markdown"))
    .addOption(
      new Option("--fail-on <what>", "exit with status 2 if there are unmanaged objects").choices(["unmanaged"]),
    )
    .option(
      "--team <id>",
      "also audit this team; needed for teams without members, which the API cannot list (repeatable)",
      several,
    )
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when the audit was written; 2 for --fail-on; 1 when a state or the organization cannot be read.",
    )
    .action(async (options: Options, command: Command) => (await import("./actions/audit.js")).audit(options, command));
}
