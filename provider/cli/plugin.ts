import { type Command, InvalidArgumentError } from "commander";
import { later } from "./options";

function parseVersion(text: string): string {
  if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(text)) return text;
  throw new InvalidArgumentError("Use a version such as 0.1.0.");
}

/** `docs-org plugin`: what concerns the provider plugin. */
export function addPlugin(program: Command): void {
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
    .action(later(async () => (await import("./actions/plugin.js")).install));
}
