import type { Command } from "commander";
import { readPreview } from "../../review/model/preview";
import { reviewOf } from "../../review/review";
import { Settings } from "../../run/settings";
import { readInput } from "../input";
import { type ReviewOutput, writeReview } from "./review-output";

export interface Options extends ReviewOutput {
  readonly partial?: boolean;
}

export async function review(file: string | undefined, options: Options, command: Command): Promise<void> {
  const { text, source } = readInput(file);
  const review = reviewOf(readPreview(text, source), { partial: options.partial === true, ...new Settings().target() });
  await writeReview(review, options, command);
}
