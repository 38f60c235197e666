import type { Command } from "commander";
import { later } from "./options";

/** `docs-org check-site`: after an up, whether a site is published and its search answers. */
export function addCheckSite(program: Command): void {
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
    .action(later(async () => (await import("./actions/check-site.js")).checkSite));
}
