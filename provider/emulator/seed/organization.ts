import { z } from "zod";
import { dateTime } from "../../api/groups/shared";
import { peopleSeeds } from "../members/seed";
import { seedSite } from "../sites/seed";
import { space } from "./space";

const created = dateTime.optional().describe("Time of creation; default: 30 days before the start of the emulator.");

export const organization = z.strictObject({
  title: z.string().min(2).max(255).optional(),
  createdAt: created,
  spaces: z.array(space).optional(),
  sites: z.array(seedSite).optional(),
  ...peopleSeeds,
});
export type SeedOrganization = z.input<typeof organization>;
