import type { Command } from "commander";
import { later, planAgeOption } from "./options";

/** `docs-org verify`: checks that a change is the reviewed one, or less. */
export function addVerify(program: Command): void {
  program
    .command("verify")
    .description(
      "Compare a fresh preview with the reviewed plan, and fail if it contains a change that was not reviewed.",
    )
    .argument("[preview.json]", "output of a fresh pulumi preview --json; default: the standard input")
    .requiredOption("--plan <file>", "plan that docs-org review --plan wrote")
    .option(...planAgeOption)
    .option(
      "--accept-incomparable",
      "exit with 0 even if a part cannot be compared: secrets, values that are known only during the up, a preview without --refresh or with --target, an organization that only the settings of pulumi name",
    )
    .addHelpText(
      "after",
      "\nExit status: 0 when every change was reviewed, even if fewer changes are left; 2 when a change was not reviewed, or the file of the plan cannot be read; 3 when a part cannot be compared and all the rest was reviewed; 1 when a file is not a plan or preview, or belongs to another stack.",
    )
    .action(later(async () => (await import("./actions/verify.js")).verification));
}
