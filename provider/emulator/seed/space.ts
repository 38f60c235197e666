import { z } from "zod";
import { seedContent } from "../spaces/seed";
import { findWrongContent } from "../spaces/seeding";
import { created, id } from "./fields";

export const space = z
  .strictObject({
    id: id.describe("Id of the space. Letters, digits, - and _."),
    title: z.string().describe("Title."),
    emoji: z.string().max(50).optional().describe("Emoji before the title, such as `1f4d6`."),
    createdAt: created,
    ...seedContent,
  })
  .superRefine((seed, context) => {
    for (const { path, message } of findWrongContent(seed)) context.addIssue({ code: "custom", path, message });
  });
export type SeedSpace = z.input<typeof space>;
