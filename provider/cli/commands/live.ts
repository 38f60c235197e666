import { type Command, InvalidArgumentError } from "commander";
import {
  collectValues,
  failOnOption,
  formatOption,
  later,
  orExpiring,
  parseStack,
  reportFormats,
  stackOption,
  teamOption,
  versionsOption,
} from "../options";

function addAudit(program: Command): void {
  program
    .command("audit")
    .description("List live objects that no stack manages, by comparing the organization with the states of stacks.")
    .option(
      "--state <file>",
      "output of pulumi stack export, or - for the standard input; repeat for each stack; default: in a folder of the commands its stack, elsewhere the standard input; with --stack, that stack is read as well",
      collectValues,
    )
    .option(...stackOption)
    .addOption(formatOption("text"))
    .addOption(failOnOption(`there are unmanaged objects, ${orExpiring}`, ["unmanaged"]))
    .option(...teamOption("audit"))
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when the audit was written; 2 for --fail-on; 1 when a state or the organization cannot be read.",
    )
    .action(later(async () => (await import("../actions/audit.js")).audit));
}

function addAccess(program: Command): void {
  program
    .command("access")
    .description("List who has what: role, teams, single sign-on, last seen, and where organization.yaml declares it.")
    .addOption(formatOption("text", [...reportFormats, "csv"]))
    .option("--person <user>", "only this person, by e-mail or id (repeatable)", collectValues)
    .option("--team <id>", "only people in this team (repeatable)", collectValues)
    .option("--role <role>", "only people with this live role, or guest (repeatable)", collectValues)
    .option("--spaces", "add what each person may do in which space: at least one request for each")
    .addOption(
      failOnOption(
        "there is an undeclared-admin, somebody with a role who has no-sso or is inactive=90d, or a grant that is expiring=30d",
        ["undeclared-admin", "no-sso"],
        ["inactive", "expiring"],
      ),
    )
    .option("--stack <name>", "add since when and by which change, from the versions of this stack", parseStack)
    .option(...versionsOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing. It needs no stack: without organization.yaml in the folder, nobody is declared.\n" +
        "In CSV, a value that begins with =, +, - or @ gets an apostrophe, so that a spreadsheet does not compute it.\n" +
        "Exit status: 0 when the list was written; 2 for --fail-on; 1 when the organization or the file cannot be read.",
    )
    .action(later(async () => (await import("../actions/access.js")).access));
}

function addGrant(program: Command): void {
  program
    .command("grant")
    .description(
      "Write the line of a grant into organization.yaml, as a change for a review: at its end, the person has what the file declares or, without a line, what the person has now.",
    )
    .argument("<person>", "member of the organization, by e-mail or user id")
    .argument("<role>", "role in the organization; with --team, owner or member")
    .option("--team <id>", "a team of the file")
    .option("--from <day>", "first day (UTC), or a time with its offset; by default, the grant begins at once")
    .requiredOption("--until <day>", "required: last day (UTC), such as 2027-01-31, or a time with its offset")
    .requiredOption("--reason <text>", "required: reason, which reviews show")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN, and changes nothing at the service.\n" +
        "Exit status: 0 when the line was written; 1 when the file cannot have it, or for other failures.",
    )
    .action(later(async () => (await import("../actions/grant.js")).grant));
}

function addChangeRequests(program: Command): void {
  program
    .command("change-requests")
    .description(
      "List the open change requests: age, author, whether outdated, what changes, and which links would break.",
    )
    .option("--space <id>", "only the change requests of this space", filled)
    .addOption(formatOption("text"))
    .addOption(
      failOnOption(
        "a change request is outdated, has broken-links, or has an age=14d (hours h, days d, weeks w) or more",
        ["outdated", "broken-links"],
        ["age"],
      ),
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
    .action(later(async () => (await import("../actions/change-requests.js")).printChangeRequests));
}

function filled(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It is empty.");
}

function addCheckSite(program: Command): void {
  program
    .command("check-site")
    .description("Check that a site is published, that its published profile can be read, and that its search answers.")
    .argument("<site>", "id of the site")
    .option("--query <text>", "text that the search must find; by default, a search for the title must be answered")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when everything is there; 1 when something is missing or cannot be read.",
    )
    .action(later(async () => (await import("../actions/check-site.js")).checkSite));
}

export const liveCommands = [addAccess, addAudit, addGrant, addChangeRequests, addCheckSite];
