import type { Command } from "commander";
import { refuseWithoutTerminal } from "./ask";
import { applyChange, isConfirmed, openStack, reviewChange, type StackOptions, showChange } from "./deployment";

export async function destroy(options: StackOptions, command: Command): Promise<void> {
  const { yes = false } = options;
  refuseWithoutTerminal("destroy", yes, command);
  const deployment = await openStack(options, { create: false });
  const preview = await deployment.preview("destroy");
  if (isEmpty(preview)) {
    console.log(`Nothing to do: stack ${options.stack} manages nothing.`);
    return;
  }
  const shown = await showChange(reviewChange(preview));
  if (!yes && !(await isConfirmed("Release and delete all of this?", deployment, "destroy", shown))) return;
  await applyChange(deployment, "destroy", shown);
}

/** The engine prints no steps for a stack without resources. */
function isEmpty(preview: string): boolean {
  const { steps, diagnostics } = JSON.parse(preview) as { steps?: unknown[]; diagnostics?: unknown[] };
  return !steps?.length && !diagnostics?.length;
}
