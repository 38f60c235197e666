import { z } from "zod";

/** When, where and from what a page or file was made. A part that is not known is absent. */
export const evidenceSchema = z.strictObject({
  createdAt: z.iso.datetime(),
  /** The time is not that of the clock, but that of `DOCS_NOW`. */
  clock: z.literal("DOCS_NOW").optional(),
  /** The version of docs-org. */
  version: z.string(),
  service: z.string().optional(),
  organization: z.string().optional(),
  /** `project/stack`, and the number of its last update, or the end of it if the backend numbers none. */
  stack: z.string().optional(),
  stackVersion: z.string().optional(),
  commit: z.string().optional(),
  /** Files were changed or added after the commit; `not known` without git or its repository. */
  uncommitted: z.literal([true, "not known"]).optional(),
  branch: z.string().optional(),
  /** Its address, or its number. */
  pullRequest: z.string().optional(),
  /** Who started the job of CI, or who made the commit. */
  author: z.string().optional(),
});
export type Evidence = z.output<typeof evidenceSchema>;
