import { z } from "zod";
import { dateTime } from "../../api/groups/shared";
import { seedContent } from "../spaces/seed";
import { findWrongContent } from "../spaces/seeding";
import { idPattern } from "../store/ids";

const id = z.string().regex(idPattern, "letters, digits, - and _");
const created = dateTime.optional().describe("Time of creation; default: 30 days before the start of the emulator.");

export const space = z
  .strictObject({ id, title: z.string(), emoji: z.string().max(50).optional(), createdAt: created, ...seedContent })
  .superRefine((seed, context) => {
    for (const { path, message } of findWrongContent(seed)) context.addIssue({ code: "custom", path, message });
  });
export type SeedSpace = z.input<typeof space>;
