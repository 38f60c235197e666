import { type Command, Option } from "commander";
import { later, teamOption } from "./options";

/** `docs-org export`: writes a program for a live organization, and the file that imports it. */
export function addExport(program: Command): void {
  program
    .command("export")
    .description(
      "Write a program for a live organization, and the file that imports its objects. Changes nothing at the service.",
    )
    .requiredOption("--out <folder>", "folder to write to; created if it does not exist")
    .option("--name <name>", "name of the organization in the program, and of the project; default: the id")
    .addOption(
      new Option(
        "--format <format>",
        "organization.yaml and a program that refers to it, or a program with each resource",
      )
        .choices(["file", "resources"])
        .default("file"),
    )
    .addOption(
      new Option("--host <host>", "what runs the resources: dynamic providers, or the provider plugin")
        .choices(["dynamic", "plugin"])
        .default("dynamic"),
    )
    .addOption(
      new Option("--language <language>", "language of the program; yaml needs --host plugin")
        .choices(["typescript", "yaml"])
        .default("typescript"),
    )
    .option(...teamOption("export"))
    .option("--force", "overwrite existing files")
    .addHelpText("after", "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID.")
    .action(later(async () => (await import("./actions/export.js")).exportAll));
}
