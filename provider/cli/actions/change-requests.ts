import type { Command } from "commander";
import { DocsError } from "../../api/http/errors";
import { type Condition, findMet, isUnanswered, parseCondition } from "../../change-requests/conditions";
import { formats } from "../../change-requests/formats";
import { readReport } from "../../change-requests/read";
import type { OpenChangeRequests } from "../../change-requests/report";
import { readEvidence } from "../../report/evidence";
import { connectBySettings, explained } from "../../run/context";
import { visible } from "../../text/visible";
import type { ReportFormat } from "../options";
import { print } from "../output";
import { withProgress } from "./progress";

interface Options {
  readonly space?: string;
  readonly format: ReportFormat;
  readonly failOn?: readonly string[];
}

export async function changeRequests({ space, format, failOn = [] }: Options, command: Command): Promise<void> {
  const conditions = failOn.map((text) => conditionOf(text, command));
  const context = await connectBySettings();
  const report = await withProgress(({ count }) => explained(context, () => readReport(context, space, count)));
  await print(formats[format](report, readEvidence(context.run.settings)));
  judge(report, conditions, command);
}

function conditionOf(text: string, command: Command): Condition {
  const condition = parseCondition(text);
  if (condition) return condition;
  const allowed = "use outdated, broken-links, or an age in hours, days or weeks such as age=14d";
  return command.error(`--fail-on "${visible(text, 60)}": ${allowed}`, { exitCode: 2 });
}

function judge(report: OpenChangeRequests, conditions: readonly Condition[], command: Command): void {
  const met = findMet(conditions, report);
  if (met.length > 0) command.error(met.join("; "), { exitCode: 2 });
  if (!isUnanswered(conditions, report)) return;
  throw new DocsError(
    "--fail-on broken-links cannot be judged: this version of the service has no links of pages; remove the option",
  );
}
