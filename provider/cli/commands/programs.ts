import { type Command, InvalidArgumentError, Option } from "commander";
import { later, teamOption } from "../options";

function addExport(program: Command): void {
  program
    .command("export")
    .description(
      "Write a program for a live organization, and the file that imports its objects. Changes nothing at the service.",
    )
    .requiredOption("--out <folder>", "required: folder to write to; created if it does not exist")
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
      new Option("--language <language>", "language of the program; yaml needs --host plugin and --format file")
        .choices(["typescript", "yaml"])
        .default("typescript"),
    )
    .option(...teamOption("export"))
    .option("--force", "overwrite existing files")
    .addHelpText("after", "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID.")
    .action(later(async () => (await import("../actions/export.js")).exportAll));
}

function addImport(program: Command): void {
  program
    .command("import")
    .description("Add an existing object to the file of pulumi import, and print its declaration in TypeScript.")
    .argument("<resource>", "class of the resource, such as Site or TeamMembership")
    .argument("<name>", "name of the resource in the program")
    .argument("<id>", "id at the service, such as site_1, or team_1/user_1 of a TeamMembership")
    .option("--file <file>", "file to add the object to", "import.json")
    .addHelpText(
      "after",
      "\nFor programs that import pulumi-docs-org; with the provider plugin, pulumi import reads objects by itself.\n" +
        "Reads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing at the service.\n" +
        "Exit status: 0 when the file was written; 1 for failures.",
    )
    .action(later(async () => (await import("../actions/import.js")).importObject));
}

function parseVersion(text: string): string {
  if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(text)) return text;
  throw new InvalidArgumentError("Use a version such as 0.1.0.");
}

function addPlugin(program: Command): void {
  program
    .command("plugin")
    .description("The provider plugin of this package, for programs in any language.")
    .command("install")
    .description("Install the provider plugin of this package, so that the Pulumi CLI finds it in every project.")
    .option(
      "--for <version>",
      "also serve stacks that a former version has changed last: the engine looks for that version until the next up",
      parseVersion,
    )
    .addHelpText(
      "after",
      "\nRuns pulumi plugin install. Not needed in a project whose Pulumi.yaml has the path of the plugin below plugins.providers.",
    )
    .action(later(async () => (await import("../actions/plugin.js")).install));
}

export const programCommands = [addExport, addImport, addPlugin];
