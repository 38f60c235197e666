import { z } from "zod";
import { matchable, matcherOf } from "../../access/patterns";
import { identifier, teamRole } from "../../api/groups/shared";
import type { Recorded } from "../../lifecycle/definition";
import { organizationId, teamId, userName, userPattern } from "../shared/common";
import { refuseSpellings } from "../shared/spellings";

/** @internal */
export const inputs = z
  .strictObject({
    organizationId: organizationId.optional(),
    teamId: teamId.meta({ replaces: "teamId" }),
    members: z
      .record(userName, teamRole)
      .describe(
        "Everybody who is in the team, by user id or e-mail, with the role: `owner` (manages its members) or `member`. An e-mail that no member of the organization has is pending until its owner has joined.",
      )
      .meta({
        unread:
          "the e-mail of somebody who is no member is not returned: until its owner has joined, it is listed in `pending` and stands as declared, without drift; after that it is drift, and one update adds the person.",
      }),
    ignore: z
      .array(userPattern)
      .describe(
        "People who are none of this resource's business: user ids, or globs on the whole e-mail without case (`*@contractor.test`). They are neither added nor removed nor shown.",
      )
      .meta({ option: true })
      .optional(),
    removeExisting: z
      .boolean()
      .describe(
        "Allows the creation to remove people who are in the team already and are not declared. The preview of a creation can not name them; the up does.",
      )
      .meta({ option: true })
      .optional(),
    allowNoOwner: z
      .boolean()
      .describe("Allows a change that leaves the team without an owner.")
      .meta({ option: true })
      .optional(),
    onDestroy: z
      .enum(["remove", "leave"])
      .describe(
        "What destroy means for the people declared: `remove` from the team (the default) or `leave` them in it.",
      )
      .meta({ option: true })
      .optional(),
  })
  .superRefine(({ members, ignore }, context) => {
    refuseSpellings(members, "members", context);
    const ignored = matcherOf(ignore ?? []);
    for (const name of Object.keys(members).filter((name) => ignored(matchable(name)))) {
      context.addIssue({
        code: "custom",
        path: ["members", name],
        message: "use either members or ignore: both have this one",
      });
    }
  });
/** @internal */
export type Inputs = z.output<typeof inputs>;

/** @internal */
export const outputs = z.object({
  userIds: z
    .record(z.string(), identifier)
    .describe("Ids of the people who are named by e-mail; an id stays when its e-mail changes."),
  pending: z
    .array(z.string())
    .describe("E-mails that no member of the organization has yet; each is asked for again when its owner has joined."),
  found: z
    .array(identifier)
    .describe("Ids of people whom a refresh found in the team and nobody declared; the next update removes them."),
});
/** @internal */
export type State = Recorded<Inputs, z.output<typeof outputs>>;
