import type { Command } from "commander";
import { DocsError } from "../../api/http/errors";
import { openStack, reviewChange, type StackOptions } from "./deployment";
import { type ReviewOutput, writeReview } from "./review-output";

export async function preview(options: ReviewOutput & StackOptions, command: Command): Promise<void> {
  const deployment = await openStack(options, { create: true });
  const { review } = reviewChange(await deployment.preview("up"));
  await writeReview(review, options, command);
  if (review.refusals.length > 0) throw new DocsError("the preview was refused, so an up would change nothing");
}
