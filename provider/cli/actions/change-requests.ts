import { DocsError } from "../../api/http/errors";
import { type ChangeRequestCondition, cannotAnswer, conditionIn, findMet } from "../../change-requests/conditions";
import { changeRequestFormats } from "../../change-requests/formats";
import { savePdfs } from "../../change-requests/pdf";
import { readReport } from "../../change-requests/read";
import type { OpenChangeRequests, Pulled } from "../../change-requests/report";
import { readEvidence } from "../../report/evidence";
import { type Context, connectBySettings, explained } from "../../run/context";
import { counted } from "../../text/safe-text";
import { visible } from "../../text/visible";
import type { ReportFormat } from "../options";
import { print, StatusError, tell } from "../output";
import { isYes, refuseWithoutTerminal } from "./ask";
import { withProgress } from "./progress";

interface Options {
  readonly space?: string;
  readonly format: ReportFormat;
  readonly failOn?: readonly string[];
  readonly pull?: true;
  readonly yes?: true;
  readonly pdf?: string;
  readonly force?: true;
}

export async function printChangeRequests(options: Options): Promise<void> {
  const conditions = (options.failOn ?? []).map(conditionIn);
  if (options.pull) refuseWithoutTerminal("--pull", options);
  const context = await connectBySettings();
  const report = await explained(context, () => carryOut(context, options));
  judge(report, conditions);
}

async function carryOut(context: Context, options: Options): Promise<OpenChangeRequests> {
  const { space, format, pdf: folder, force = false } = options;
  const current = await readWithProgress(context, space);
  const report = options.pull ? await pull(context, current, options) : current;
  await print(changeRequestFormats[format](report, readEvidence(context.run.settings)));
  if (folder === undefined) return report;
  const deadline = context.run.settings.deadline();
  const names = await savePdfs(context.client, report, { folder, force, deadline });
  const list = names.length > 0 ? `: ${names.join(", ")}` : "";
  tell(`${counted(names.length, "PDF was", "PDFs were")} written to ${visible(folder, 2000)}${list}`);
  return report;
}

const readWithProgress = (context: Context, space: string | undefined): Promise<OpenChangeRequests> =>
  withProgress(({ count }) => readReport(context, space, count));

/** The report after the update; the same report if there is nothing to update, or if the user does not agree. */
async function pull(
  context: Context,
  report: OpenChangeRequests,
  { space, yes }: Options,
): Promise<OpenChangeRequests> {
  const outdated = report.changeRequests.filter((one) => one.outdated);
  if (outdated.length === 0) return report;
  for (const one of outdated) tell(`outdated: ${visible(`${one.space} #${one.number} ${one.subject}`)}`);
  const question = `Update ${counted(outdated.length, "change request")} with the content of their spaces?`;
  if (!yes && !(await isYes(question))) {
    tell("nothing was updated");
    return report;
  }
  const pulled: Pulled[] = [];
  for (const { id, number, space: spaceId } of outdated) {
    const { result } = await context.client.pullIntoChangeRequest({ spaceId, changeRequestId: id });
    pulled.push({ id, number, space: spaceId, result });
    tell(`updated: ${visible(`${spaceId} #${number}`)}`);
  }
  return { ...(await readWithProgress(context, space)), pulled };
}

function judge(report: OpenChangeRequests, conditions: readonly ChangeRequestCondition[]): void {
  const met = findMet(conditions, report);
  if (met.length > 0) throw new StatusError(met.join("; "));
  if (!cannotAnswer(conditions, report)) return;
  throw new DocsError(
    "--fail-on broken-links cannot be judged: this version of the service has no links of pages; remove the option",
  );
}
