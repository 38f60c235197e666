import type { Command } from "commander";

/** `docs-org plugin`: what concerns the provider plugin. */
export function addPlugin(program: Command): void {
  program
    .command("plugin")
    .description("The provider plugin of this package, for programs in any language.")
    .command("install")
    .description("Install the provider plugin of this package, so that the Pulumi CLI finds it in every project.")
    .addHelpText(
      "after",
      "\nRuns pulumi plugin install. Not needed in a project whose Pulumi.yaml has the path of the plugin below plugins.providers.",
    )
    .action(async () => (await import("./actions/plugin.js")).install());
}
