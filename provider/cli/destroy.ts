import type { Command } from "commander";
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

interface Options extends StackOptions {
  readonly yes?: true;
}

/** `docs-org destroy`: releases and deletes everything that the stack manages. */
export function addDestroy(program: Command): void {
  program
    .command("destroy")
    .description("List the people that the stack releases and the objects that it deletes, ask, and do so.")
    .option("--yes", "do not ask")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN. The stack itself stays, empty.\n" +
        "Exit status: 0 when everything was released and deleted, or the answer was no; 1 for failures.",
    )
    .action(destroy);
}

async function destroy(options: Options, command: Command): Promise<void> {
  const { yes = false } = options;
  refuseWithoutTerminal("destroy", yes, command);
  const deployment = await openDeployment(options, false);
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
