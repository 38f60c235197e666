import type { Command } from "commander";
import { formatOption, later } from "./options";

/** `docs-org doctor`: what is wrong with the installation and the settings. */
export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "Check Node.js, the engine, the plugin, the settings, the token, the clock, the backend and variables.",
    )
    .addOption(formatOption(["text", "json"], "text"))
    .addHelpText(
      "after",
      "\nSends one read to the service, and changes nothing.\nExit status: 0 when everything is right; 1 when something is wrong.",
    )
    .action(later(async () => (await import("./actions/doctor.js")).doctor));
}
