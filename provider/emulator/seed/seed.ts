import { z } from "zod";
import { organization } from "./organization";
import { findWrongReferences } from "./references";

/** Schema of the initial state of an emulator, passed by a program or read from a YAML file. */

export const seed = z
  .strictObject({ organizations: z.record(z.string(), organization).describe("Organizations by their ids.") })
  .superRefine(({ organizations }, context) => {
    for (const { path, message } of findWrongReferences(organizations)) {
      context.addIssue({ code: "custom", path: ["organizations", ...path], message });
    }
  });
export type Seed = z.input<typeof seed>;
