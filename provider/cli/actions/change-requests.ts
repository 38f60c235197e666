import type { Command } from "commander";
import type { Condition } from "../../change-requests/conditions";
import type { Report } from "../../change-requests/report";
import { type Context, connect, explained } from "../../run/context";
import { Run } from "../../run/run";
import { visible } from "../../text/visible";
import { counted } from "../../text/words";
import { print, tell } from "../output";
import { confirm, isInteractive } from "./ask";
import { withProgress } from "./progress";

export interface Options {
  readonly space?: string;
  readonly format: "text" | "markdown" | "html" | "json";
  readonly failOn?: readonly string[];
  readonly pull?: true;
  readonly yes?: true;
  readonly pdf?: string;
  readonly force?: true;
}

type Feature = typeof import("../../change-requests");

export async function changeRequests(options: Options, command: Command): Promise<void> {
  const feature = await import("../../change-requests/index.js");
  const conditions = (options.failOn ?? []).map((text) => conditionOf(text, feature, command));
  if (options.pull && !options.yes && !isInteractive()) {
    command.error("--pull asks before it updates change requests, and there is no terminal; add --yes to agree", {
      exitCode: 2,
    });
  }
  const run = new Run();
  run.settings.refuseMissing(undefined);
  const context = await connect(run, run.settings.requiredOrganizationId());
  const report = await explained(context, () => carryOut(context, options, feature));
  judge(report, conditions, feature, command);
}

function conditionOf(text: string, feature: Feature, command: Command): Condition {
  const condition = feature.parseCondition(text);
  if (condition) return condition;
  const allowed = "use outdated, broken-links, or an age in hours, days or weeks such as age=14d";
  return command.error(`--fail-on "${visible(text, 60)}": ${allowed}`, { exitCode: 2 });
}

async function carryOut(context: Context, options: Options, feature: Feature): Promise<Report> {
  const { space, format, pdf: folder, force = false } = options;
  const found = await readWithProgress(context, space, feature);
  const report = options.pull ? await pull(context, found, options, feature) : found;
  await print(feature.formats[format](report));
  if (folder === undefined) return report;
  const deadline = context.run.settings.deadline();
  const names = await feature.savePdfs(context.client, report, { folder, force, deadline });
  const list = names.length > 0 ? `: ${names.join(", ")}` : "";
  tell(`${counted(names.length, "PDF was", "PDFs were")} written to ${visible(folder, 2000)}${list}`);
  return report;
}

const readWithProgress = (context: Context, space: string | undefined, feature: Feature): Promise<Report> =>
  withProgress(({ count }) => feature.readReport(context, space, count));

/** The report after the update; the same report if there is nothing to update, or if the user does not agree. */
async function pull(context: Context, report: Report, { space, yes }: Options, feature: Feature): Promise<Report> {
  const outdated = feature.outdatedIn(report);
  if (outdated.length === 0) return report;
  for (const one of outdated) tell(`outdated: ${visible(`${one.space} #${one.number} ${one.subject}`)}`);
  const question = `Update ${counted(outdated.length, "change request")} with the content of their spaces?`;
  if (!yes && !(await confirm(question))) {
    tell("nothing was updated");
    return report;
  }
  const pulled = await feature.pullInto(context.client, outdated);
  return { ...(await readWithProgress(context, space, feature)), pulled };
}

function judge(report: Report, conditions: readonly Condition[], feature: Feature, command: Command): void {
  const met = feature.findMet(conditions, report);
  if (met.length > 0) command.error(met.join("; "), { exitCode: 2 });
  if (feature.findUnanswered(conditions, report).length === 0) return;
  throw new feature.DocsError(
    "--fail-on broken-links cannot be judged: this version of the service has no links of pages; remove the option",
  );
}
