import { z } from "zod";
import { dateTime } from "../../api/groups/shared";
import { peopleSeeds } from "../members/seed";
import { seedSite } from "../sites/seed";
import { wrongPeople } from "./people-references";
import { wrongReferences } from "./references";
import { space } from "./space";

/** What an emulator starts with, as a program passes it or a YAML file says it. */

const created = dateTime.optional().describe("A month before the start when left out.");

const organization = z.strictObject({
  title: z.string().min(2).max(255).optional(),
  createdAt: created,
  spaces: z.array(space).optional(),
  sites: z.array(seedSite).optional(),
  ...peopleSeeds,
});
export type SeedOrganization = z.input<typeof organization>;

export const seed = z
  .strictObject({ organizations: z.record(z.string(), organization).describe("Organizations by their ids.") })
  .superRefine(({ organizations }, context) => {
    for (const { path, message } of [...wrongReferences(organizations), ...wrongPeople(organizations)]) {
      context.addIssue({ code: "custom", path: ["organizations", ...path], message });
    }
  });
export type Seed = z.input<typeof seed>;
