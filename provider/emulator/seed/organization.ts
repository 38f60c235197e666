import { z } from "zod";
import { dateTime } from "../../api/groups/shared";
import { peopleSeeds } from "../members/seed";
import { seedSite } from "../sites/seed";
import { space } from "./space";

const created = dateTime.optional().describe("A month before the start when left out.");

export const organization = z.strictObject({
  title: z.string().min(2).max(255).optional(),
  createdAt: created,
  spaces: z.array(space).optional(),
  sites: z.array(seedSite).optional(),
  ...peopleSeeds,
});
export type SeedOrganization = z.input<typeof organization>;
