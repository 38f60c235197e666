import type { Command } from "commander";
import { auditFormats, failOnOption, formatOption, later, several, teamOption } from "./options";

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
    .addOption(failOnOption("unmanaged", "there are unmanaged objects"))
    .option(...teamOption("audit"))
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when the audit was written; 2 for --fail-on; 1 when a state or the organization cannot be read.",
    )
    .action(later(async () => (await import("./actions/audit.js")).audit));
}
