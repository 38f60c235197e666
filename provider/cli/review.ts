import { writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { writePlan } from "../access/plan-file";
import { DocsError } from "../api/http/errors";
import { readPreview } from "../review/model/preview";
import type { Review } from "../review/model/review";
import { planOf } from "../review/plan/plan";
import { htmlOf } from "../review/render/html/html";
import { markdownOf } from "../review/render/markdown";
import { reviewOf } from "../review/review";
import { Settings } from "../run/settings";
import { readInput } from "./input";
import { print } from "./output";

interface Options {
  readonly format: keyof typeof formats;
  readonly failOn?: "risk";
  readonly plan?: string;
  readonly partial?: boolean;
}

const formats = {
  markdown: markdownOf,
  html: htmlOf,
  json: (review: Review) => `${JSON.stringify(review, undefined, 2)}\n`,
} as const;

/** `docs-org review`: describes what a preview changes for people, for access reviews. */
export function addReview(program: Command): void {
  program
    .command("review")
    .description(
      "Describe in plain words what a preview changes for people: who gains or loses access, and what is risky.",
    )
    .argument("[preview.json]", "output of pulumi preview --json; default: the standard input")
    .addOption(new Option("--format <format>", "output format").choices(Object.keys(formats)).default("markdown"))
    .addOption(
      new Option("--fail-on <what>", "exit with status 2 if there is a risk, or if the preview failed").choices([
        "risk",
      ]),
    )
    .option("--plan <file>", "also write every grant and removal to this file, for docs-org verify")
    .option(
      "--partial",
      "the preview ran with --target or --exclude; not needed after --refresh, which shows that itself",
    )
    .addHelpText(
      "after",
      "\nExit status: 0 when the review was written, even of a failed preview; 2 for --fail-on; 1 when there is no preview to read.",
    )
    .action(review);
}

async function review(file: string | undefined, options: Options, command: Command): Promise<void> {
  const { text, source } = readInput(file);
  const review = reviewOf(readPreview(text, source), { partial: options.partial === true, ...new Settings().target() });
  if (options.plan !== undefined) write(options.plan, writePlan(planOf(review)));
  await print(formats[options.format](review));
  const { risks, refusals } = review;
  if (options.failOn !== "risk" || (risks.length === 0 && refusals.length === 0)) return;
  const what = refusals.length > 0 ? "the preview was refused" : `the review has risks (${risks.length})`;
  command.error(`${what} (--fail-on risk)`, { exitCode: 2 });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new DocsError(`could not write the plan: ${(error as Error).message}`);
  }
}
