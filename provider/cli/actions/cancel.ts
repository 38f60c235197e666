import type { Command } from "commander";
import { confirm, refuseWithoutTerminal } from "./ask";
import { openStack, type StackOptions } from "./deployment";

export async function cancel(options: StackOptions, command: Command): Promise<void> {
  const { yes = false, stack } = options;
  refuseWithoutTerminal("cancel", yes, command);
  const deployment = await openStack(options, { create: false });
  if (!yes && !(await confirm(`Have all runs of stack ${stack} ended, so that its lock can be removed?`))) {
    console.log("Nothing was changed.");
    return;
  }
  await deployment.cancel();
  console.log(`Stack ${stack} has no lock now. Run the command that was killed again.`);
}
