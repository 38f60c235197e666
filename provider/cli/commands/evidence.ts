import { type Command, InvalidArgumentError, Option } from "commander";
import { collectValues, formatOption, later, sinceOption, stackOption, untilOption, versionsOption } from "../options";

function addEvidence(program: Command): void {
  const evidence = program.command("evidence").description("Folders for auditors, whose files must not change.");
  evidence
    .command("collect")
    .description("Write who has what and since when, and the history of a period, into a new folder, and seal it.")
    .argument("<folder>", "new folder")
    .argument("[files...]", "files to copy into it: sheets of docs-org certify, plans, approvals, other answers")
    .option(...sinceOption)
    .option(...untilOption)
    .option(...versionsOption)
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads the service as docs-org access does, and the state as docs-org history does, and changes nothing there.\n" +
        "Exit status: 0 when the folder was sealed; 1 for failures.",
    )
    .action(later(async () => (await import("../actions/evidence.js")).collect));
  evidence
    .command("seal")
    .description("Write the checksums of all files in a folder into its file SHA256SUMS, and print the checksum of it.")
    .argument("<folder>", "folder with lists, histories, sheets and plans")
    .addHelpText("after", "\nExit status: 0 when the list was written; 1 for failures.")
    .action(later(async () => (await import("../actions/evidence.js")).seal));
  evidence
    .command("verify")
    .description("Compare all files in a folder with SHA256SUMS, and name each that was changed, added or removed.")
    .argument("<folder>", "folder that docs-org evidence seal has sealed")
    .option("--checksum <sha256>", "checksum that seal has printed; without it, a new seal is not found", parseChecksum)
    .addHelpText(
      "after",
      "\nExit status: 0 when nothing differs; 2 when something does; 1 when the folder cannot be read.",
    )
    .action(later(async () => (await import("../actions/evidence.js")).verifyEvidence));
}

function addCertify(program: Command): void {
  program
    .command("certify")
    .description(
      "Review who has access: write a sheet for decisions, compare it with the organization, edit organization.yaml.",
    )
    .argument("<sheet>", "Markdown file, which is written without --check and --apply")
    .option(
      "--role <role>",
      "the new sheet covers people with this role (repeatable; default: everybody)",
      collectValues,
    )
    .option(
      "--team <id>",
      "the new sheet covers the people of this team (repeatable; default: all teams)",
      collectValues,
    )
    .option("--check", "compare the decisions with the live organization: what is open, and who came after the sheet")
    .addOption(
      new Option("--apply", "write the open decisions into organization.yaml, as changes for a review").conflicts(
        "check",
      ),
    )
    .addOption(formatOption("text"))
    .option("--page <file>", "also write the rows, or with --check the comparison, to this file, as an HTML page")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing at the service.\n" +
        "Exit status: 0 when the sheet was written, the review is finished, or the file was edited; 2 when --check finds that it is not finished; 1 for all other failures.",
    )
    .action(later(async () => (await import("../actions/certify.js")).certify));
}

function parseChecksum(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidArgumentError("Use the 64 hexadecimal digits that docs-org evidence seal has printed.");
}

export const evidenceCommands = [addCertify, addEvidence];
