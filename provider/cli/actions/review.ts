import type { Command } from "commander";
import { readPreview } from "../../review/model/preview";
import { reviewOf } from "../../review/review";
import { readInput } from "../input";
import { reviewOptions } from "./review-options";
import { type ReviewOutput, writeReview } from "./review-output";

interface Options extends ReviewOutput {
  readonly partial?: boolean;
}

export async function review(file: string | undefined, options: Options, command: Command): Promise<void> {
  const { text, source } = readInput(file);
  const fromVariables = reviewOptions();
  const partial = options.partial === true || fromVariables.partial === true;
  const review = reviewOf(readPreview(text, source), { ...fromVariables, partial });
  await writeReview(review, options, command);
}
