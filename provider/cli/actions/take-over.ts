import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ImportResource } from "@pulumi/pulumi/automation";
import { DocsError } from "../../api/http/errors";
import type { Deployment } from "../../deployment/deployment";
import { EndedError } from "../../deployment/failure";
import { declaredOrganization } from "../../deployment/project";
import { type Adoption, planAdoption } from "../../export/adoption";
import { prepareExport } from "../../export/export";
import { loadOrganization, organizationYaml } from "../../organization/file/loader";
import { textOf } from "../../review/render/formats";
import { howItEnded } from "../../review/verdict";
import { type Context, connectBySettings } from "../../run/context";
import { Settings } from "../../run/settings";
import { counted } from "../../text/safe-text";
import { print, printNotes, StatusError, tell } from "../output";
import { confirm, refuseWithoutTerminal } from "./ask";
import { openStack, reviewChange, type StackOptions } from "./deployment";
import { withProgress } from "./progress";

interface Options extends StackOptions {
  readonly team?: readonly string[];
}

interface TakeOver {
  readonly context: Context;
  readonly deployment: Deployment;
  readonly options: Options;
}

/**
 * Brings the live objects of the folder's file under the management of a stack, after it has written the file if there is none.
 * What the stack has already stays, so an interrupted run can be repeated, and a lost state comes back.
 */
export async function takeOver(options: Options): Promise<void> {
  refuseWithoutTerminal("take-over", options);
  const isDeclared = existsSync(organizationYaml);
  if (isDeclared && options.team)
    throw new StatusError(
      `--team is about the ${organizationYaml} that take-over writes, and there is one already; declare the team in it, or leave --team out`,
    );
  const declared = isDeclared ? declaredOrganization(process.cwd(), process.env).id : undefined;
  const context = await connectBySettings(declared);
  const deployment = await openStack(options, {
    create: true,
    ...(!isDeclared && { organizationId: context.organizationId }),
  });
  const task = { context, deployment, options };
  if (!isDeclared && !(await writeFiles(task))) return;
  const adoption = await plan(task);
  tellAdoption(task, adoption);
  const { imported, taken } = adoption;
  const isChanged = taken.length > 0;
  const question = imported > 0 ? `Import ${counted(imported, "live object")}?` : "Record what equals the service?";
  const isAsked = isDeclared && isChanged && !options.yes;
  if (isAsked && !(await confirm(question, "Nothing was imported."))) return;
  if (isChanged) await deployment.settleOvertaken();
  if (imported > 0) await importAll(task, adoption);
  await prove(task, adoption);
}

/** Whether the files were written: not if the user does not agree. */
async function writeFiles({ context, deployment, options }: TakeOver): Promise<boolean> {
  const { organizationId } = context;
  const { root: folder, name, backend } = deployment.options.project;
  const { managed } = await deployment.readResources();
  if (managed.length > 0)
    throw new DocsError(
      `stack ${options.stack} manages ${counted(managed.length, "resource")}, and there is no ${organizationYaml}; restore the file, or take over into an empty stack with --stack NAME`,
    );
  const target = { host: "plugin", format: "none" } as const;
  const { team: teamIds = [] } = options;
  const prepared = await withProgress(({ count: progress }) =>
    prepareExport(context, {
      folder,
      name,
      // A folder of this machine is no place for other clones.
      backend: backend?.startsWith("file:") ? undefined : backend,
      target,
      teamIds,
      progress,
    }),
  );
  const what = `Write ${organizationYaml} and import organization ${organizationId} into stack ${options.stack}?`;
  if (!options.yes && !(await confirm(what, "Nothing was written, and no stack was made."))) return false;
  const { files, notes } = await prepared.write();
  printNotes(notes);
  // organization.yaml is written last, and named first.
  tell(`wrote ${[...files].reverse().join(", ")}`);
  return true;
}

async function plan({ context, deployment }: TakeOver): Promise<Adoption> {
  const { root, name } = deployment.options.project;
  const now = new Settings().now();
  const file = { ...loadOrganization(join(root, organizationYaml), { now }), now };
  const { all } = await deployment.readResources();
  return planAdoption(context, name, file, all);
}

function tellAdoption({ options }: TakeOver, { imported, recorded, found, missing }: Adoption): void {
  const more = recorded > 0 ? `; the stack has ${counted(recorded, "resource")} of the file already` : "";
  tell(`${imported > 0 ? counted(imported, "live object") : "nothing"} to import into stack ${options.stack}${more}`);
  for (const line of found) tell(`found: ${line}`);
  for (const line of missing) tell(`left for docs-org up: ${line}`);
}

async function importAll({ context, deployment }: TakeOver, { entries }: Adoption): Promise<void> {
  await deployment.ensureStack();
  try {
    await withProgress(async (line) => {
      line.say("importing");
      await deployment.import(entries as ImportResource[], context.organizationId);
    });
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    throw new DocsError(`${error.message}\n${goOn}`);
  }
}

/** Records what the stack gets and cannot import, such as the list of roles, and then previews the stack. */
async function prove(task: TakeOver, { taken, wasRecorded }: Adoption): Promise<void> {
  const { deployment, options } = task;
  const { organizationId } = task.context;
  const { recordError, review, isEmpty } = await withProgress(async (line) => {
    line.say("recording");
    const record = () => deployment.record(wasRecorded ? taken : undefined).catch((error: unknown) => error);
    const recordError = taken.length > 0 ? await record() : undefined;
    // A part of the stack is not recorded then, and the preview would show that part as a difference.
    if (deployment.wasInterrupted) throw new DocsError(`the take-over was interrupted. ${goOn}`);
    if (recordError instanceof EndedError) throw new DocsError(`${recordError.message}\n${goOn}`);
    line.say("previewing");
    return { recordError, ...(await reviewChange(deployment, "up")) };
  });
  const isRefused = review.refusals.length > 0;
  if (!isEmpty || isRefused) await print(textOf(review));
  if (isRefused)
    throw new DocsError(
      `${howItEnded(review.refusals)}; nothing was changed at the service, and stack ${options.stack} keeps what was imported; correct what the preview names, until docs-org preview shows no change`,
    );
  // Any other failure of the recording shows as a difference in the preview. Without a difference, the failure is thrown.
  if (isEmpty && recordError !== undefined) throw recordError;
  if (!isEmpty)
    throw new StatusError(
      `organization ${organizationId} differs from ${organizationYaml}, as the preview shows; nothing was sent, and stack ${options.stack} keeps what was imported; edit ${organizationYaml} until docs-org preview shows no change, or make the change with docs-org up`,
    );
  console.log(
    `Stack ${options.stack} manages ${counted(deployment.managedCount, "resource")} of organization ${organizationId} now, and its preview shows no change. Next: edit ${organizationYaml}, and run docs-org preview.`,
  );
}

const goOn = "Nothing was changed at the service; run docs-org take-over again to go on.";
