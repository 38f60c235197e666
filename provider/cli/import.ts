import type { Command } from "commander";
import { later } from "./options";

/** `docs-org import`: brings one object under management, in a program with dynamic providers. */
export function addImport(program: Command): void {
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
    .action(later(async () => (await import("./actions/import.js")).importObject));
}
