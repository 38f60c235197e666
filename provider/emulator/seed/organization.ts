import { z } from "zod";
import { peopleSeeds } from "../members/seed";
import { seedSite } from "../sites/seed";
import { seedContent } from "../spaces/seed";
import { created, id } from "./fields";

const space = z.strictObject({
  id: id.describe("Id of the space. Letters, digits, - and _."),
  title: z.string().describe("Title."),
  emoji: z.string().max(50).optional().describe("Emoji before the title, such as `1f4d6`."),
  createdAt: created,
  ...seedContent,
});
export type SeedSpace = z.input<typeof space>;

export const organization = z.strictObject({
  title: z.string().min(2).max(255).optional().describe("Title, 2 to 255 characters; default: the id."),
  createdAt: created,
  spaces: z.array(space).optional().describe("Spaces with their content."),
  sites: z.array(seedSite).optional().describe("Sites."),
  ...peopleSeeds,
});
export type SeedOrganization = z.input<typeof organization>;
