import type { Command } from "commander";
import { openDeployment, reviewChange, type StackOptions } from "./deployment";
import { type ReviewOutput, writeReview } from "./review-output";

export type Options = ReviewOutput & StackOptions;

export async function preview(options: Options, command: Command): Promise<void> {
  const deployment = await openDeployment(options);
  const { review } = reviewChange(await deployment.preview("up"));
  await writeReview(review, options, command);
}
