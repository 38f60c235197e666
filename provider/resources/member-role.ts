import { z } from "zod";
import { freshEnough, membersOf, refuseTwoPeople } from "../access/members";
import { type DeclaredRole, isSameRole } from "../access/roles";
import { refuseSecondManager } from "../access/same-person";
import { roleArea, subjectsOf } from "../access/subject";
import { sameUser, userKey } from "../access/user";
import { planUserChange } from "../access/user-change";
import { identifier, type Role } from "../api/groups/shared";
import { defineResource } from "../lifecycle/definition";
import type { Context } from "../run/context";
import { organizationId, userName } from "./shared/common";
import {
  allowRaise,
  carryOutRelease,
  markSso,
  notePreviousRole,
  notMembers,
  onDestroy,
  type Person,
  recordedPerson,
  releaseOf,
  roleOrGuest,
  setRoleKnown,
  takenOver,
  tellKept,
} from "./shared/role";
import { reviewOfOne } from "./shared/role-review";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  user: userName.describe("User id, or e-mail in any case. A change of it is an update."),
  role: roleOrGuest,
  sso: z
    .literal(true, "use true, or leave it out: the API can not take the mark back")
    .describe("Marks the person as a member by single sign-on. The API can not take the mark back.")
    .optional(),
  onDestroy: onDestroy.optional(),
  allowRaise: allowRaise.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userId: identifier.describe("Id of the user, which stays when the e-mail changes."),
  previousRole: roleOrGuest.describe("Role that the person had when it was taken under management."),
  email: z.string().nullable().describe("E-mail of the person; null if it is hidden."),
  displayName: z.string().describe("Name that the person chose."),
  releasing: z
    .strictObject({ user: identifier, userId: identifier, role: roleOrGuest, previousRole: roleOrGuest })
    .describe("Whom a change of `user` could not release yet, as it was declared so far: the next update does.")
    .optional(),
});

/** Whom the resource managed until `user` changed. */
type Former = NonNullable<z.output<typeof outputs>["releasing"]>;

interface Live extends Person {
  /** As it was declared when the person was found. */
  readonly user: string;
  readonly releasing?: Former | undefined;
  /** It is about the one before: whom it should be about is gone. */
  readonly isFormer?: true;
}

/**
 * The role of one member of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is that of the user.
 *
 * `onDestroy` says what a destroy does. By default, it restores the role that was found, unless that would raise it.
 *
 * @example
 * ```ts
 * new docs.MemberRole("ada", { user: "ada@acme.test", role: "review", onDestroy: "leave" });
 * ```
 *
 * @internal
 */
export const memberRole = defineResource({
  name: "MemberRole",
  lookup: "getMember",
  inputs,
  outputs,
  equal: { user: sameUser, role: isSameRole },
  review: reviewOfOne,
  subjects: (named) => subjectsOf(roleArea, named),
  outdated: ({ releasing }) => releasing !== undefined,

  lifecycle: {
    async create(context, { user }) {
      const live = await found(context, user);
      return { id: live.member.user.id, live };
    },

    async observe(context, _id, recorded): Promise<Live | undefined> {
      const { user, userId = userKey(user), previousRole, releasing } = recorded;
      if (releasing) notePreviousRole(context, releasing.userId, releasing.previousRole, recorded);
      const member = await membersOf(context).find(userId);
      if (member) return { user, ...recordedPerson(context, member, previousRole, recorded), releasing };
      // Whoever was to have the role instead is no member any more: it is the one before who has it.
      const former = releasing && (await membersOf(context).find(releasing.userId));
      return former && { user: releasing.user, member: former, previousRole: releasing.previousRole, isFormer: true };
    },

    async *sync(context, _id, before, declared) {
      // An e-mail that changed at the service is not looked for again.
      let live = sameUser(before.user, declared.user) ? before : await found(context, declared.user);
      const { id } = before.member.user;
      const moved = live.member.user.id !== id;
      if (!moved) live = { ...before, user: declared.user };
      await refuseSecondManager(context, roleArea, new Map([[declared.user, live.member.user.id]]));
      const { releasing } = before;
      const again = releasing?.userId === live.member.user.id;
      // Somebody who is declared again has not been released.
      if (moved && releasing && again) live = { ...live, previousRole: releasing.previousRole };
      if (moved) {
        const former: Former = {
          user: before.user,
          userId: id,
          role: before.member.role as Role,
          previousRole: before.previousRole,
        };
        const change = planUserChange(former, releasing, again);
        if (change.releaseNow) await releaseFormer(context, declared, change.releaseNow);
        live = { ...live, releasing: change.releasing };
        // Whatever becomes of the next step, both people are in the state, with the roles that they had.
        yield live;
      }
      if (!isSameRole(live.member.role, declared.role)) {
        const { user } = live.member;
        await refuseTwoPeople(context, [{ name: declared.user, userId: user.id, email: user.email }]);
        const { member, failed } = await setRoleKnown(context, live.member, declared.role);
        live = { ...live, member };
        yield live;
        if (failed) throw failed;
      }
      if (declared.sso && !live.member.sso) {
        live = { ...live, member: await markSso(context, live.member) };
        yield live;
      }
      if (!live.releasing) return;
      await releaseFormer(context, declared, live.releasing);
      yield { ...live, releasing: undefined };
    },

    values: ({ user, member, isFormer }) => ({
      ...(isFormer && { user }),
      role: member.role as Role,
      sso: member.sso ? (true as const) : undefined,
    }),

    outputs: ({ member, previousRole, releasing }) => {
      const { id, email, displayName } = member.user;
      return { userId: id, previousRole, email: email ?? null, displayName, ...(releasing && { releasing }) };
    },

    async remove(context, _id, recorded) {
      const { user, userId = userKey(user), previousRole, releasing } = recorded;
      if (releasing) await releaseFormer(context, recorded, releasing);
      await release(context, recorded, userId, previousRole);
    },
  },
});

async function found(context: Context, user: string): Promise<Live> {
  const member = await membersOf(context).read(userKey(user));
  if (!member) throw notMembers(context, [user]);
  return { user, ...takenOver(context, member) };
}

const releaseFormer = (context: Context, options: Inputs, { user, userId, previousRole }: Former): Promise<void> =>
  release(context, { ...options, user }, userId, previousRole);

async function release(
  context: Context,
  options: Inputs,
  userId: string,
  /** Null is a role of its own: that of a guest. Where none is recorded, the one there is stays. */
  previous: DeclaredRole | undefined,
): Promise<void> {
  if (options.onDestroy === "leave") return;
  const member = await membersOf(context).find(userId, freshEnough);
  if (!member) return;
  const previousRole = previous === undefined ? (member.role as Role) : previous;
  const meant = releaseOf(context, { member, previousRole, name: options.user }, options);
  if ("role" in meant || "remove" in meant) {
    await refuseTwoPeople(context, [{ name: options.user, userId, email: member.user.email }]);
  }
  if ("keeps" in meant) tellKept(context, [{ member, keeps: meant.keeps }]);
  await carryOutRelease(context, member, meant);
}
