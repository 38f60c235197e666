import type { Command } from "commander";
import { refuseWithoutTerminal } from "./ask";
import { applyChange, isConfirmed, openStack, reviewChange, type StackOptions, showChange } from "./deployment";
import { type PlanOptions, planIn, stopUnlessReviewed } from "./verify";

interface Options extends StackOptions, PlanOptions {
  readonly plan?: string;
  readonly acceptIncomparable?: true;
}

export async function up(options: Options, command: Command): Promise<void> {
  const { yes = false, plan: file } = options;
  if (options.acceptIncomparable && file === undefined)
    command.error("--accept-incomparable is about the comparison with a plan; add --plan FILE", { exitCode: 2 });
  refuseWithoutTerminal("up", yes, command);
  const reviewed = file === undefined ? undefined : planIn(file, options, command);
  const deployment = await openStack(options, { create: true });
  const change = reviewChange(await deployment.preview("up"));
  const shown = await showChange(change);
  if (reviewed) stopUnlessReviewed(reviewed, shown, options, command);
  if (change.isEmpty) return;
  if (!yes && !(await isConfirmed("Make this change?", deployment, "up", shown))) return;
  await applyChange(deployment, "up", reviewed ?? shown, options);
}
