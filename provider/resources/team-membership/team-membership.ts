import { z } from "zod";
import { membersOf } from "../../access/members";
import { failureAfter } from "../../access/quorum";
import { refuseSecondManager } from "../../access/same-person";
import { subjectsOf, teamArea } from "../../access/subject";
import { teamOf } from "../../access/team";
import { planUserChange } from "../../access/user-change";
import { identifier, type TeamRole, teamRole } from "../../api/groups/shared";
import { isNotFound } from "../../api/http/errors";
import { defineResource } from "../../lifecycle/definition";
import { isEmail, sameUser, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { organizationId, teamId, userName } from "../shared/common";
import { notMembers } from "../shared/role";
import { managed, planMembership, userIdOf } from "./plan";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  teamId: teamId.meta({ replaces: "teamId" }),
  user: userName
    .describe(
      "User id, or e-mail in any case. An e-mail that no member has is `pending` until the person has joined. A change of `user` is an update.",
    )
    .meta({
      unread:
        "the service does not return the e-mail of a non-member: until the person has joined, the membership is `pending` and stays as declared, without drift. Then a refresh finds drift, and one update adds the person.",
    }),
  role: teamRole
    .describe(
      "Role in the team: `owner` (manages the members of the team) or `member`. By default, a new person is a member.",
    )
    .optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userId: identifier
    .nullable()
    .describe("Id of the user, which stays when the person's e-mail changes; null while the membership is pending."),
  pending: z
    .boolean()
    .describe(
      "True while no member has the e-mail. The e-mail was sent to the service once, and is sent again when the person has joined. (The API document does not say what the service does with it.)",
    ),
  releasing: z
    .strictObject({
      user: identifier.describe("The previous user, as it was declared."),
      userId: identifier.nullable().describe("User id of the person; null if no member has the e-mail."),
      role: teamRole.optional(),
    })
    .describe(
      "The previous user, if a change of `user` could not remove that person from the team yet. The next update removes the person.",
    )
    .optional(),
});

/** The person that the resource managed until `user` changed. */
type Former = NonNullable<z.output<typeof outputs>["releasing"]>;

interface Live {
  /** The declared name of the person when the id was found. */
  readonly user: string;
  /** `undefined` for an e-mail that no member has. */
  readonly userId: string | undefined;
  /** The live role; for a pending membership, the requested one; `undefined` if the person is not in the team. */
  readonly role: TeamRole | undefined;
  readonly releasing?: Former | undefined;
}

/**
 * One person in one team. Other members of the team are not changed; use `TeamMembers` to manage all of them.
 *
 * @remarks
 * Its id is the id of the team, a slash, and the user that was declared at creation, with an e-mail in lower case: `team_1/ada@acme.test`.
 *
 * A deletion removes the person from the team, unless another resource of the same run manages the membership.
 *
 * @example
 * ```ts
 * new docs.TeamMembership("ada", { teamId: "team_writers", user: "ada@acme.test", role: "owner" });
 * ```
 *
 * @internal
 */
export const teamMembership = defineResource({
  name: "TeamMembership",
  lookup: "getTeamMembers",
  inputs,
  outputs,
  equal: { user: sameUser },
  ...managed,
  subjects: ({ teamId, ...named }) => subjectsOf(teamArea(teamId), named),
  repeatable: true,
  outdated: ({ releasing }) => releasing !== undefined,
  atPreview: async (context, { teamId, user }, recorded) => {
    if (recorded && sameUser(recorded.user, user)) return;
    // An e-mail that no member has is pending, in a team that must exist.
    const id = (await userIdOf(context, user)) ?? userKey(user);
    if (!(await teamOf(context, teamId).list.people.read(id)) && !isEmail(id)) await refuseNonMember(context, id);
  },

  lifecycle: {
    async create(context, { teamId, user }) {
      const live = await liveOf(context, teamId, user, await userIdOf(context, user));
      return { id: `${teamId}/${userKey(user)}`, live };
    },

    async observe(context, _id, { teamId, user, userId: recorded, pending, role = "member", releasing }) {
      const userId = recorded ?? (await userIdOf(context, user));
      if (userId === undefined) return { user, userId, role: pending ? role : undefined, releasing };
      const teammate = await teamOf(context, teamId).list.find(userId);
      // While a previous person must still be removed from the team, the resource is not gone.
      if (!teammate && !releasing) return undefined;
      return { user, userId, role: teammate?.role as TeamRole | undefined, releasing };
    },

    async *sync(context, _id, before, declared) {
      const { teamId, user } = declared;
      const userId = sameUser(user, before.user) ? before.userId : await userIdOf(context, user, before.userId);
      const isOther = !sameUser(user, before.user) && (userId === undefined || userId !== before.userId);
      await refuseSecondManager(context, teamArea(teamId), new Map([[user, userId]]));
      const { releasing } = before;
      const isDeclaredAgain = releasing !== undefined && isSame(releasing, { user, userId });
      let live = isOther ? await liveOf(context, teamId, user, userId) : before;
      const { role = live.role ?? "member" } = declared;
      const previous: Former = {
        user: before.user,
        userId: before.userId ?? null,
        ...(before.role && { role: before.role }),
      };
      const { change, release } = await planMembership(context, {
        teamId,
        recorded: before,
        declared: { user, userId, role, live: live.role },
        former: [...(isOther ? [previous] : []), ...(releasing && !isDeclaredAgain ? [releasing] : [])],
      });
      if (isOther) {
        const userChange = planUserChange(previous, releasing, isDeclaredAgain);
        if (userChange.releaseNow) await release(userChange.releaseNow);
        live = { ...live, releasing: userChange.releasing };
        // The state must have both people, in case the next step fails.
        yield live;
      }
      if (change) {
        const failed = await failureAfter(put(context, { ...declared, role }, userId, live.role !== undefined));
        live = { user, userId, role, releasing: live.releasing };
        yield live;
        if (failed) throw failed;
      }
      if (!live.releasing) return;
      await release(live.releasing);
      yield { ...live, releasing: undefined };
    },

    values: ({ role }) => ({ role }),

    outputs: ({ userId, role, releasing }) => {
      const pending = userId === undefined && role !== undefined;
      return { userId: userId ?? null, pending, ...(releasing && { releasing }) };
    },

    async remove(context, _id, { teamId, user, userId, role, releasing }) {
      const recorded = { user, userId: userId ?? undefined, role, releasing };
      const former = [...(releasing ? [releasing] : []), { user, userId }];
      const { release } = await planMembership(context, { teamId, recorded, former });
      for (const one of former) await release(one);
    },
  },
});

async function liveOf(context: Context, teamId: string, user: string, userId: string | undefined): Promise<Live> {
  const teammate = userId === undefined ? undefined : await teamOf(context, teamId).list.people.read(userId);
  return { user, userId, role: teammate?.role as TeamRole | undefined };
}

async function put(
  context: Context,
  declared: Inputs & { readonly role: TeamRole },
  userId: string | undefined,
  wasInTeam: boolean,
): Promise<void> {
  const { teamId, user, role } = declared;
  const team = teamOf(context, teamId);
  if (userId === undefined) return team.addPending(userKey(user), role);
  await team.set(userId, role, wasInTeam).catch(async (error) => {
    if (isNotFound(error)) await refuseNonMember(context, userId);
    throw error;
  });
}

async function refuseNonMember(context: Context, userId: string): Promise<void> {
  if (!(await membersOf(context).read(userId))) throw notMembers(context, [userId]);
}

const isSame = (former: Former, { user, userId }: Pick<Live, "user" | "userId">): boolean =>
  former.userId === null || userId === undefined ? sameUser(former.user, user) : former.userId === userId;
