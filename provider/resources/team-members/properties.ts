import { z } from "zod";
import { identifier, teamRole } from "../../api/groups/shared";
import type { RecordedProperties } from "../../lifecycle/definition";
import { matchable, matcherOf } from "../../people/patterns";
import { organizationId, refuseRepeatedUsers, teamId, userName, userPattern } from "../shared/common";

interface Declared {
  readonly members?: object | undefined;
  readonly ignore?: readonly string[] | undefined;
}

export function refuseIgnoredMembers({ members = {}, ignore = [] }: Declared, context: z.RefinementCtx): void {
  const ignored = matcherOf(ignore);
  const message = "use either members or ignore: both have this user";
  for (const name of Object.keys(members).filter((name) => ignored(matchable(name))))
    context.addIssue({ code: "custom", path: ["members", name], message });
}

export const teamMembersInputs = z
  .strictObject({
    organizationId: organizationId.optional(),
    teamId: teamId.meta({ replacesUnlessLive: "teamId" }),
    members: z
      .record(userName, teamRole)
      .describe(
        "All members of the team by user id or e-mail, with their role: `owner` (manages the members of the team) or `member`. An e-mail that no member of the organization has is pending until the person has joined.",
      )
      .meta({
        unread:
          "the service does not return the e-mail of a non-member: until the person has joined, the e-mail is listed in `pending` and stays as declared, without drift. Then a refresh finds drift, and one update adds the person.",
      }),
    ignore: z
      .array(userPattern)
      .describe(
        "People that this resource does not manage: user ids, or case-insensitive globs on the whole e-mail (`*@contractor.test`). They are neither added nor removed nor shown.",
      )
      .meta({ option: true })
      .optional(),
    exclusive: z
      .boolean()
      .describe(
        "The declared people are the only members: the creation removes the others instead of refusing them. The up names these people; the preview of a creation names them only with the provider plugin.",
      )
      .meta({ option: true })
      .optional(),
    allowNoOwner: z
      .boolean()
      .describe("Allow a change that leaves the team without an owner.")
      .meta({ option: true })
      .optional(),
    onRelease: z
      .enum(["leave", "remove"])
      .describe(
        "What happens to the declared people when the resource is deleted: `leave` them in the team, or `remove` them from it (the default). People who leave `members` are always removed.",
      )
      .meta({ option: true })
      .optional(),
  })
  .superRefine((declared, context) => {
    refuseRepeatedUsers(declared.members, "members", context);
    refuseIgnoredMembers(declared, context);
  });
export type TeamMembersInputs = z.output<typeof teamMembersInputs>;

export const teamMembersOutputs = z.object({
  userIds: z
    .record(z.string(), identifier)
    .describe("User ids by declared e-mail. An id stays when the person's e-mail changes."),
  pending: z
    .array(z.string())
    .describe("E-mails that no member of the organization has yet. Each person is added once a member has the e-mail."),
  absent: z
    .array(z.string())
    .describe(
      "People who have left the organization, by their key in the declaration. They count again if they come back.",
    )
    .optional(),
  found: z
    .array(identifier)
    .describe("Ids of unmanaged members that a refresh found in the team. The next update removes them."),
});
export type TeamMembersState = RecordedProperties<TeamMembersInputs, z.output<typeof teamMembersOutputs>>;
