import { z } from "zod";
import { enumerated } from "../../access/bulk";
import { counted } from "../../text/words";
import { placeIn } from "./change";
import type { Guard } from "./guard";
import { nameOf } from "./people";

/** Refuses administrators that the file does not declare. */
export const undeclaredAdmins = {
  settings: {
    undeclaredAdmins: z
      .enum(["refuse"])
      .describe(
        "Set to `refuse` to refuse every change after which a member who is not in `members` would be an administrator.",
      )
      .optional(),
  },
  findViolations({ organization, access }) {
    if (organization.guards?.undeclaredAdmins === undefined) return [];
    const place = placeIn(organization);
    const isDeclared = (id: string) => access.of(place, { id })?.cause === "declared";
    const others = access.holders("admin", place, "after").filter(({ id }) => !isDeclared(id));
    if (others.length === 0) return [];
    const text = `${counted(others.length, "administrator")} would not be declared: ${enumerated(others.map(nameOf).sort())}; add them to members, or change their role in the app`;
    return [{ path: ["guards", "undeclaredAdmins"], text }];
  },
} satisfies Guard;
