import { existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Command } from "commander";
import { DocsError } from "../../api/http/errors";
import type { Deployment } from "../../deployment/deployment";
import { EndedError } from "../../deployment/failure";
import { readImports, refuseOther } from "../../deployment/project";
import { type Exported, type PreparedExport, prepareExport } from "../../export/export";
import { textOf } from "../../review/render/formats";
import { type Context, connectBySettings } from "../../run/context";
import { counted } from "../../text/safe-text";
import { print, printNotes, tell } from "../output";
import { confirm, refuseWithoutTerminal } from "./ask";
import { openStack, reviewChange, type StackOptions } from "./deployment";
import { withProgress } from "./progress";

interface Options extends StackOptions {
  readonly force?: true;
  readonly team?: readonly string[];
}

interface TakeOver {
  readonly context: Context;
  readonly deployment: Deployment;
  /** The file that imports the objects. It exists until the take-over is complete, so a second one goes on. */
  readonly importFile: string;
  readonly options: Options;
}

export async function takeOver(options: Options, command: Command): Promise<void> {
  refuseWithoutTerminal("take-over", options.yes === true, command);
  const context = await connectBySettings();
  const { organizationId } = context;
  const deployment = await openStack(options, { create: true, organizationId });
  const importFile = join(deployment.options.project.folder, `import-${encodeURIComponent(options.stack)}.json`);
  const task = { context, deployment, importFile, options };
  const isBegun = existsSync(importFile);
  if (isBegun) refuseOther(deployment.options.project.root, organizationId, options.force === true);
  else await refuseManaged(task);
  const isContinued = isBegun && !options.force;
  if (isContinued) tell("a take-over was interrupted here; it goes on with the import");
  else if (!(await writeFiles(task))) return;
  await importAll(task);
  await prove(task, command);
}

async function refuseManaged({ deployment, options }: TakeOver): Promise<void> {
  const { all, managed } = await deployment.countResources();
  if (all === 0) return;
  const what = managed > 0 ? `manages ${counted(managed, "resource")}` : `has ${counted(all, "resource")}`;
  throw new DocsError(
    `stack ${options.stack} ${what} already, so nothing was written; run docs-org preview, or take over into an empty stack with --stack NAME`,
  );
}

/** Whether the files were written: not if the user does not agree. */
async function writeFiles(task: TakeOver): Promise<boolean> {
  const prepared = await prepare(task);
  const what = `Write ${prepared.files[0]} and import organization ${task.context.organizationId} into stack ${task.options.stack}?`;
  if (!task.options.yes && !(await confirm(what))) {
    console.log("Nothing was written, and no stack was made.");
    return false;
  }
  const { files, notes }: Exported = await prepared.write();
  printNotes(notes);
  tell(`wrote ${files.filter((file) => !task.importFile.endsWith(file)).join(", ")}`);
  return true;
}

function prepare({ context, deployment, importFile: file, options }: TakeOver): Promise<PreparedExport> {
  const { root: folder, name } = deployment.options.project;
  const target = { host: "plugin", format: "none" } as const;
  const { team: teamIds = [], force = false } = options;
  const importFile = relative(folder, file);
  return withProgress(({ count: progress }) =>
    prepareExport(context, { folder, name, target, teamIds, force, progress, importFile }),
  );
}

async function importAll({ deployment, importFile }: TakeOver): Promise<void> {
  // Another run with a damaged file would fail as well, so its refusal does not say to go on.
  const resources = readImports(importFile);
  await deployment.make();
  try {
    await withProgress(async (line) => {
      line.say("importing");
      await deployment.import(resources);
    });
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    throw new DocsError(`${error.message}\n${goOn}`);
  }
}

/** Previews the imported stack. What cannot be imported, such as the list of roles, is recorded before. */
async function prove(task: TakeOver, command: Command): Promise<void> {
  const { deployment, importFile, options } = task;
  const { organizationId } = task.context;
  const [failure, { review, isEmpty }] = await withProgress(async (line) => {
    line.say("recording");
    const failure: unknown = await deployment.record().catch((error: unknown) => error);
    // A part of the stack is not recorded then, and the preview would show that part as a difference.
    if (deployment.wasInterrupted) throw new DocsError(`the take-over was interrupted. ${goOn}`);
    if (failure instanceof EndedError) throw new DocsError(`${failure.message}\n${goOn}`);
    line.say("previewing");
    return [failure, await reviewChange(deployment, "up")] as const;
  });
  if (!isEmpty) await print(textOf(review));
  if (review.refusals.length > 0) throw new DocsError(`the preview of the imported stack was refused. ${goOn}`);
  // Any other failure of the recording shows as a difference in the preview. Without a difference, it is thrown.
  if (isEmpty && failure !== undefined) throw failure;
  rmSync(importFile);
  if (!isEmpty) {
    command.error(
      `organization ${organizationId} differs from organization.yaml, as the preview shows; nothing was sent, and stack ${options.stack} keeps what was imported; edit organization.yaml until docs-org preview shows no change, or make the change with docs-org up`,
      { exitCode: 2 },
    );
  }
  const { managed } = await deployment.countResources();
  console.log(
    `Stack ${options.stack} manages ${counted(managed, "resource")} of organization ${organizationId} now, and its preview shows no change. Next: edit organization.yaml, and run docs-org preview.`,
  );
}

const goOn = "Nothing was changed at the service; run docs-org take-over again to go on.";
