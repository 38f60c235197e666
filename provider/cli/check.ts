import type { Command } from "commander";
import type { Options } from "./actions/check";

/** `docs-org check`: after an up, whether a site is published and its search answers. */
export function addCheck(program: Command): void {
  program
    .command("check")
    .description("Check that a site is published, that its published profile can be read, and that its search answers.")
    .argument("<site>", "id of the site")
    .option("--query <text>", "text that the search must find; by default, a search for the title must be answered")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when everything is there; 1 when something is missing or cannot be read.",
    )
    .action(async (siteId: string, options: Options) => (await import("./actions/check.js")).check(siteId, options));
}
