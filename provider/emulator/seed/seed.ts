import { z } from "zod";
import { organization } from "./organization";
import { wrongPeople } from "./people-references";
import { wrongReferences } from "./references";

/** What an emulator starts with, as a program passes it or a YAML file says it. */

export const seed = z
  .strictObject({ organizations: z.record(z.string(), organization).describe("Organizations by their ids.") })
  .superRefine(({ organizations }, context) => {
    for (const { path, message } of [...wrongReferences(organizations), ...wrongPeople(organizations)]) {
      context.addIssue({ code: "custom", path: ["organizations", ...path], message });
    }
  });
export type Seed = z.input<typeof seed>;
