import { z } from "zod";
import { peopleSeeds } from "../members/seed";
import { seedSite } from "../sites/seed";
import { created } from "./fields";
import { space } from "./space";

export const organization = z.strictObject({
  title: z.string().min(2).max(255).optional().describe("Title, 2 to 255 characters; default: the id."),
  createdAt: created,
  spaces: z.array(space).optional().describe("Spaces with their content."),
  sites: z.array(seedSite).optional().describe("Sites."),
  ...peopleSeeds,
});
export type SeedOrganization = z.input<typeof organization>;
