import { z } from "zod";
import { occasionsOf, othersOptions } from "../../access-plan/release";
import { identifier } from "../../api/groups/shared";
import { userKey } from "../../people/user";
import { organizationId, refuseRepeatedUsers, userName, userPattern } from "../shared/common";
import { allowRaise, onRelease, release, roleOrGuest } from "../shared/role";

const occasions = z.strictObject({
  destroy: release.describe("What a deletion of the resource does; by default, `restore`.").optional(),
  removal: release
    .describe(
      "What happens to a person who is no longer in `roles` while the resource stays; by default, as `destroy`.",
    )
    .optional(),
  people: z
    .record(userName, release)
    .describe(
      "Replaces `removal` for single people, by user id or by e-mail in any case. People that the resource never managed are not changed. One use is a role that was granted for a limited time.",
    )
    .optional(),
});

const others = z.strictObject({
  members: z
    .enum(othersOptions)
    .describe(
      "`keep` them as they are (the default), `refuse` every change while there are some, make each of them a `guest`, or `remove` them from the organization.",
    )
    .optional(),
  ignore: z
    .array(userPattern)
    .describe(
      "People who stay as they are: ids, or case-insensitive globs on the whole e-mail, such as `*@vendor.test`. A member who hides the e-mail may match a glob, and stays as well.",
    )
    .optional(),
});

export const memberRolesInputs = z
  .strictObject({
    organizationId: organizationId.optional(),
    roles: z
      .record(userName, roleOrGuest)
      .describe(
        "Role of each person, by user id or by e-mail in any case. Only listed people are managed. `onRelease` decides what happens to a person who is no longer listed.",
      ),
    sso: z
      .array(userName)
      .describe(
        "People of `roles` to mark as members by single sign-on. The API cannot remove the mark, so deleting a person from the list sends nothing.",
      )
      .optional(),
    ignore: z
      .array(userPattern)
      .describe(
        "Users who are not managed although they are in `roles`: ids, or case-insensitive globs on the whole e-mail, such as `*@contractor.test`.",
      )
      .meta({ selection: true })
      .optional(),
    others: others
      .describe(
        "What happens to members of the organization whose role no resource of the stack declares. Only an up with a reviewed plan changes people, and only those of the plan: `docs-org up`, or `pulumi up` with `DOCS_PLAN`. Name the people of other stacks in `ignore`.",
      )
      .meta({ selection: true })
      .optional(),
    onRelease: z
      .union([onRelease, occasions])
      .describe(`${onRelease.description} An object has a value for each occasion.`)
      .meta({ option: true })
      .optional(),
    allowRaise: allowRaise.optional(),
    allowRaiseOf: z
      .array(userName)
      .describe("Single people to which `allowRaise` applies, by user id or by e-mail in any case.")
      .meta({ option: true })
      .optional(),
  })
  .superRefine(({ roles, sso = [], onRelease }, context) => {
    refuseRepeatedUsers(roles, "roles", context);
    const { people = {} } = occasionsOf({ onRelease });
    refuseRepeatedUsers(people, "onRelease", context);
    const named = new Set(Object.keys(roles).map(userKey));
    for (const user of Object.keys(people).filter((user) => named.has(userKey(user)))) {
      const message = "use either roles or onRelease: both name this person";
      context.addIssue({ code: "custom", path: ["onRelease", "people", user], message });
    }
    sso.forEach((user, index) => {
      const message = "use a user of `roles`, named in the same way (by e-mail or by id)";
      if (!named.has(userKey(user))) context.addIssue({ code: "custom", path: ["sso", index], message });
    });
  });

export const away = {
  pending: z
    .array(z.string())
    .describe("E-mails that no member has yet. The role is given by the first update after a member has the e-mail.")
    .optional(),
  absent: z
    .array(z.string())
    .describe(
      "People who have left the organization, by their key in the declaration. They count again if they come back.",
    )
    .optional(),
};

export const memberRolesOutputs = z.object({
  userIds: z
    .record(z.string(), identifier)
    .describe("User ids by the e-mails in `roles`. An id stays when the person's e-mail changes."),
  previousRoles: z
    .record(z.string(), roleOrGuest)
    .describe(
      "Previous roles by user id: the role that a person had before it was managed. For a person who is not listed here, the previous role equals the role in `roles`.",
    ),
  ...away,
  found: z
    .array(identifier)
    .describe(
      "Ids of undeclared members that a refresh found because of `others`. The next update with a reviewed plan changes them.",
    )
    .optional(),
});
