import { z } from "zod";
import { managementOf } from "../../access/management";
import { membersOf } from "../../access/members";
import { uncheckedErrorOf } from "../../access/quorum";
import { teamOf } from "../../access/team";
import type { AccessChange } from "../../access-plan/change";
import { identifier, type TeamRole, teamRole } from "../../api/groups/shared";
import { isNotFound } from "../../api/http/errors";
import { defineResource, type RecordedProperties } from "../../lifecycle/definition";
import { isEmail, sameUser, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { organizationId, teamId, userName } from "../shared/common";
import { notMembers } from "../shared/role";
import { findUserId, isSamePerson, type Membership, planMembership, teamMembershipAccess } from "./plan";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  teamId: teamId.meta({ replacesUnlessLive: "teamId" }),
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
  absent: z
    .literal(true)
    .describe("The person has left the organization. The membership counts again if the person comes back.")
    .optional(),
  releasing: z
    .array(
      z.strictObject({
        user: identifier.describe("The previous user, as it was declared."),
        userId: identifier.nullable().describe("User id of the person; null if no member has the e-mail."),
        role: teamRole.optional(),
      }),
    )
    .describe(
      "Previous users, if a change of `user` could not remove these people from the team yet. The next update removes them.",
    )
    .optional(),
});

/** The declared person, and previous people who could not be removed from the team yet. */
type Live = readonly [Membership, ...Membership[]];

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
 */
export const teamMembership = defineResource({
  name: "TeamMembership",
  inputs,
  outputs,
  equal: { user: sameUser },
  ...teamMembershipAccess,
  canSendAgain: true,
  outdated: ({ releasing }) => releasing !== undefined,
  atPreview: async (context, { teamId, user }, recorded) => {
    if (recorded && sameUser(recorded.user, user)) return;
    // An e-mail that no member has is pending. The team is read for it as well, because a team that does not exist is refused.
    const id = (await findUserId(context, user)) ?? userKey(user);
    const isKnown = (await teamOf(context, teamId).list.people.read(id)) || managementOf(context.run).hasRecorded(id);
    if (!isKnown && !isEmail(id)) await refuseNonMember(context, id);
  },

  lifecycle: {
    async create(context, { teamId, user }): Promise<{ id: string; live: Live }> {
      const live = await readMembership(context, teamId, user, await findUserId(context, user));
      return { id: `${teamId}/${userKey(user)}`, live: [live] };
    },

    async observe(context, _id, recorded): Promise<Live | undefined> {
      const { teamId, user, pending, role = "member" } = recorded;
      const previous = previousIn(recorded);
      const userId = recorded.userId ?? (await findUserId(context, user));
      if (userId === undefined) return [{ user, userId, role: pending ? role : undefined }, ...previous];
      const teammate = await teamOf(context, teamId).list.find(userId);
      if (!teammate && !(await membersOf(context).find(userId))) {
        const owner = isEmail(user) ? await findUserId(context, user) : undefined;
        if (owner === undefined) return [{ user, userId, role, isAbsent: true }, ...previous];
        // The membership of the person who has left is gone. It is created for the one who has the e-mail now.
        return previous.length === 0 ? undefined : [await readMembership(context, teamId, user, owner), ...previous];
      }
      // While a previous person must still be removed from the team, the resource is not gone.
      if (!teammate && previous.length === 0) return undefined;
      return [{ user, userId, role: teammate?.role as TeamRole | undefined }, ...previous];
    },

    async *sync(context, _id, before, declared): AsyncIterable<Live> {
      const { teamId, user } = declared;
      const [current] = before;
      const userId = sameUser(user, current.user) ? current.userId : await findUserId(context, user, current.userId);
      const isDeclared = (one: Membership) => isSamePerson(one, { user, userId });
      const live = isDeclared(current) ? current : await readMembership(context, teamId, user, userId);
      const previous = before.filter((one) => !isDeclared(one));
      const role = declared.role ?? live.role ?? "member";
      const { isAbsent } = live;
      // For the plan, only recorded people can have left, so a declared person who has left counts as recorded.
      const recorded = isAbsent ? [live, ...previous] : before;
      const { changes } = await planMembership(context, teamId, recorded, { user, userId, role });
      // The new person is added before the previous one is removed. Until then, the state has both.
      if (previous.length > 0) yield [live, ...previous];
      // The state notes an absence, too, though nobody is added.
      const after = { user, userId, role, ...(isAbsent && { isAbsent }) };
      if (changes.some(({ declaredBy }) => declaredBy.length > 0)) {
        const failure = await uncheckedErrorOf(
          putIntoTeam(context, teamId, { ...after, wasInTeam: live.role !== undefined }),
        );
        yield [after, ...previous];
        if (failure) throw failure;
      } else if (isAbsent) yield [after, ...previous];
      await removeReleased(context, teamId, changes);
      if (previous.length > 0) yield [after];
    },

    values: ([{ role }]) => ({ role }),

    outputs: ([{ userId, role, isAbsent }, ...previous]) => {
      // Without an id, there is a role once the e-mail was sent to the service.
      const pending = userId === undefined && role !== undefined;
      const releasing = previous.map((one) => ({ user: one.user, userId: one.userId ?? null, role: one.role }));
      return {
        userId: userId ?? null,
        pending,
        ...(isAbsent && { absent: true as const }),
        ...(releasing.length > 0 && { releasing }),
      };
    },

    async remove(context, _id, recorded) {
      const { teamId, user, userId, role } = recorded;
      const people = [{ user, userId: userId ?? undefined, role }, ...previousIn(recorded)];
      const { changes } = await planMembership(context, teamId, people);
      await removeReleased(context, teamId, changes);
    },
  },
});

const previousIn = ({ releasing = [] }: RecordedProperties<Inputs, z.output<typeof outputs>>): Membership[] =>
  releasing.map(({ user, userId, role }) => ({ user, userId: userId ?? undefined, role }));

async function readMembership(
  context: Context,
  teamId: string,
  user: string,
  userId: string | undefined,
): Promise<Membership> {
  const teammate = userId === undefined ? undefined : await teamOf(context, teamId).list.people.read(userId);
  const isKnown = userId !== undefined && !teammate && managementOf(context.run).hasRecorded(userId);
  const isAbsent = isKnown && !(await membersOf(context).find(userId));
  return { user, userId, role: teammate?.role as TeamRole | undefined, ...(isAbsent && { isAbsent }) };
}

type DeclaredMembership = Membership & { readonly role: TeamRole; readonly wasInTeam: boolean };

async function putIntoTeam(context: Context, teamId: string, declared: DeclaredMembership): Promise<void> {
  const { user, userId, role, wasInTeam } = declared;
  const team = teamOf(context, teamId);
  if (userId === undefined) return team.addPending(userKey(user), role);
  await team.set(userId, role, wasInTeam).catch(async (error) => {
    if (isNotFound(error)) await refuseNonMember(context, userId);
    throw error;
  });
}

async function removeReleased(context: Context, teamId: string, changes: readonly AccessChange[]): Promise<void> {
  const team = teamOf(context, teamId);
  for (const { person } of changes.filter(({ declaredBy }) => declaredBy.length === 0))
    await (person.userId === undefined ? team.withdrawPending(person.id) : team.remove(person.userId));
}

async function refuseNonMember(context: Context, userId: string): Promise<void> {
  if (!(await membersOf(context).read(userId))) throw notMembers(context, [userId]);
}
