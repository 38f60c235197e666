import type { Command } from "commander";
import { readPlan } from "../access/plan-file";
import { refuseWithoutTerminal } from "./ask";
import {
  applyChange,
  isConfirmed,
  openDeployment,
  reviewChange,
  type StackOptions,
  showChange,
  stackOption,
} from "./deployment";
import { readText } from "./input";
import { stopUnlessReviewed } from "./verify";

interface Options extends StackOptions {
  readonly yes?: true;
  readonly plan?: string;
  readonly acceptIncomparable?: true;
}

/** `docs-org up`: makes the live organization what organization.yaml declares. */
export function addUp(program: Command): void {
  program
    .command("up")
    .description("Show what organization.yaml in this folder would change, ask, and make exactly this change.")
    .option("--yes", "do not ask")
    .option("--plan <file>", "only make changes of this plan, which docs-org preview --plan wrote for a review")
    .option("--accept-incomparable", "with --plan: go on even if a part cannot be compared, as docs-org verify says it")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN.\n" +
        "Exit status: 0 when the change was made, or nothing was to do, or the answer was no; 2 when --plan does not have a change; 3 when a part cannot be compared; 1 for all other failures.",
    )
    .action(up);
}

async function up(options: Options, command: Command): Promise<void> {
  const { yes = false, plan: file } = options;
  refuseWithoutTerminal("up", yes, command);
  const reviewed = file === undefined ? undefined : readPlan(readText(file, "plan"), file);
  const deployment = await openDeployment(options);
  const change = reviewChange(await deployment.preview("up"));
  const shown = await showChange(change);
  if (reviewed) stopUnlessReviewed(reviewed, shown, options, command);
  if (change.isEmpty) return;
  if (!yes && !(await isConfirmed("Make this change?", deployment, "up", shown))) return;
  await applyChange(deployment, "up", reviewed ?? shown);
}
