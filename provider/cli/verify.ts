import type { Command } from "commander";
import { type Entry, planOf, readPlan } from "../review/plan";
import { readPreview } from "../review/preview";
import { reviewOf } from "../review/review";
import { lineOf, type Verification, verify } from "../review/verification";
import { counted } from "../review/words";
import { readInput, readText } from "./input";

interface Options {
  readonly plan: string;
}

/** `docs-org verify`: what is about to be applied is what was reviewed, or less. */
export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("Compare a fresh preview with the plan of its review, and stop at anything that was not reviewed.")
    .argument("[preview.json]", "what pulumi preview --json printed just now; the standard input when left out")
    .requiredOption("--plan <file>", "what docs-org review --plan wrote")
    .addHelpText(
      "after",
      "\nExit status: 0 when everything was reviewed, also where less is left to do; 2 when something was not; 1 when a file is no plan or preview, or of another stack.",
    )
    .action(verification);
}

function verification(file: string | undefined, options: Options, command: Command): void {
  const plan = readPlan(readText(options.plan, "plan"), options.plan);
  const { text, source } = readInput(file);
  const fresh = planOf(reviewOf(readPreview(text, source)));
  const result = verify(plan, fresh);
  report(result, fresh.entries.length);
  const { unreviewed, obstacles } = result;
  if (unreviewed.length === 0 && obstacles.length === 0) return;
  const more =
    unreviewed.length > 0 ? [`${counted(unreviewed.length, "change was", "changes were")} not reviewed`] : [];
  command.error(`stopped: ${[...obstacles, ...more].join("; ")}; review this preview before it is applied`, {
    exitCode: 2,
  });
}

function report({ unreviewed, missing, doubts, obstacles }: Verification, all: number): void {
  list("Not reviewed:", unreviewed);
  list("Reviewed, and nothing to do any more (less than was reviewed is safe, each part of it was):", missing);
  for (const doubt of doubts) console.log(`Note: ${doubt}.`);
  if (unreviewed.length + obstacles.length > 0) return;
  console.log(all === 0 ? "Nothing changes." : `Everything was reviewed (${counted(all, "entry", "entries")}).`);
}

function list(title: string, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  console.log(title);
  for (const entry of entries) console.log(`  ${lineOf(entry)}`);
}
