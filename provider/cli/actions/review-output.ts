import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { writePlan } from "../../access/plan-file";
import type { Review } from "../../review/model/review";
import { planOf } from "../../review/plan/plan";
import { formats } from "../../review/render/formats";
import type { ReviewOptions } from "../../review/review";
import { attempt } from "../../run/files";
import { Settings } from "../../run/settings";
import type { ReportFormat } from "../options";
import { print } from "../output";

export interface ReviewOutput {
  readonly format: ReportFormat;
  readonly failOn?: "risk";
  readonly plan?: string;
}

/** Writes a review, and its plan. Ends with status 2 if `--fail-on` says so. */
export async function writeReview(review: Review, options: ReviewOutput, command: Command): Promise<void> {
  if (options.plan !== undefined) write(options.plan, writePlan(planOf(review)));
  await print(formats[options.format](review));
  const { risks, refusals } = review;
  if (options.failOn !== "risk" || (risks.length === 0 && refusals.length === 0)) return;
  const what = refusals.length > 0 ? "the preview was refused" : `the review has risks (${risks.length})`;
  command.error(`${what} (--fail-on risk)`, { exitCode: 2 });
}

function write(file: string, text: string): void {
  attempt(`the plan ${file}`, () => writeFileSync(file, text));
}

/** Variables with which the engine previews, and changes, only a part of the stack. */
const partly = ["TARGET", "TARGET_REPLACE", "EXCLUDE", "EXCLUDE_PROTECTED"].map((option) => `PULUMI_OPTION_${option}`);

/** What the environment says about a preview. */
export function reviewOptions(settings = new Settings()): ReviewOptions {
  const parts = partly.filter((name) => settings.variable(name) !== undefined);
  const now = settings.variable("DOCS_NOW");
  return {
    ...settings.target(),
    partial: parts.length > 0,
    limits: [
      ...(parts.length > 0 ? [`Only a part of the stack (${parts.join(", ")})`] : []),
      ...(now === undefined ? [] : [`As of ${now} (DOCS_NOW)`]),
    ],
  };
}
