import { z } from "zod";
import { freshEnough, membersOf, refuseTwoPeople } from "../access/members";
import { refuseUnreviewed } from "../access/refuse-unreviewed";
import { refuseSecondManager } from "../access/same-person";
import { roleArea, subjectsOf } from "../access/subject";
import { planUserChange } from "../access/user-change";
import { isChange } from "../access-plan/access-plan";
import { type DeclaredRole, isSameRole, spelledRole } from "../access-plan/roles";
import { identifier, type Role } from "../api/groups/shared";
import { defineResource } from "../lifecycle/definition";
import { sameUser, userKey } from "../people/user";
import type { Context } from "../run/context";
import { organizationId, userName } from "./shared/common";
import { ownManager } from "./shared/own-plan";
import {
  allowRaise,
  carryOutRelease,
  markSso,
  newlyManaged,
  notePreviousRole,
  notMembers,
  onDestroy,
  type Person,
  recordedPerson,
  roleOrGuest,
  setRoleKnown,
  tellKept,
} from "./shared/role";
import { markPlace, type NamedPerson, planRoles, rolePlace } from "./shared/role-plan";
import { reviewOfOne } from "./shared/role-review";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  user: userName.describe("User id, or e-mail in any case. A change of `user` is an update."),
  role: roleOrGuest,
  sso: z
    .literal(true, "use true, or omit it: the API cannot remove the mark")
    .describe("Marks the person as a member by single sign-on. The API cannot remove the mark.")
    .optional(),
  onDestroy: onDestroy.optional(),
  allowRaise: allowRaise.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userId: identifier.describe("Id of the user, which stays when the person's e-mail changes."),
  previousRole: roleOrGuest.describe("Role that the person had before it was managed."),
  email: z.string().nullable().describe("E-mail of the person; null if it is hidden."),
  displayName: z.string().describe("Name that the person chose."),
  releasing: z
    .strictObject({
      user: identifier.describe("The previous user, as it was declared."),
      userId: identifier.describe("User id of the person."),
      role: roleOrGuest.describe("Role of the person."),
      previousRole: roleOrGuest.describe("Role that the person had before it was managed."),
    })
    .describe(
      "The previous user, if a change of `user` could not release that person yet. The next update releases the person.",
    )
    .optional(),
});

/** The person that the resource managed until `user` changed. */
type Former = NonNullable<z.output<typeof outputs>["releasing"]>;

interface Live extends Person {
  /** The declared name of the person when the id was found. */
  readonly user: string;
  readonly releasing?: Former | undefined;
  /** The declared person is gone, so the resource still manages the previous one. */
  readonly isFormer?: true;
}

/**
 * The role of one member of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the user.
 *
 * `onDestroy` decides what a deletion does. By default, it restores the previous role, unless that would raise the role.
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
  atPreview: async (context, { user }, recorded) =>
    recorded && sameUser(recorded.user, user) ? undefined : findDeclared(context, user),

  lifecycle: {
    async create(context, { user }) {
      const live = await findDeclared(context, user);
      return { id: live.member.user.id, live };
    },

    async observe(context, _id, recorded): Promise<Live | undefined> {
      const { user, userId = userKey(user), previousRole, releasing } = recorded;
      if (releasing) notePreviousRole(context, releasing.userId, releasing.previousRole, recorded);
      const member = await membersOf(context).find(userId);
      if (member) return { user, ...recordedPerson(context, member, previousRole, recorded), releasing };
      // The declared person is no longer a member, so the resource still manages the previous one.
      const former = releasing && (await membersOf(context).find(releasing.userId));
      return former && { user: releasing.user, member: former, previousRole: releasing.previousRole, isFormer: true };
    },

    async *sync(context, _id, before, declared) {
      // The id identifies the person, even if the e-mail was changed in the service.
      let live = sameUser(before.user, declared.user) ? before : await findDeclared(context, declared.user);
      const { id } = before.member.user;
      const isOther = live.member.user.id !== id;
      if (!isOther) live = { ...before, user: declared.user };
      await refuseSecondManager(context, roleArea, new Map([[declared.user, live.member.user.id]]));
      const { releasing } = before;
      const isDeclaredAgain = releasing?.userId === live.member.user.id;
      // A person who is declared again was not released, so the recorded previous role counts.
      if (isOther && releasing && isDeclaredAgain) live = { ...live, previousRole: releasing.previousRole };
      const { plan, release } = await planOne(context, {
        live,
        declared,
        recorded: recordedAs(before),
        options: declared,
      });
      if (isOther) {
        const former: Former = {
          user: before.user,
          userId: id,
          role: before.member.role as Role,
          previousRole: before.previousRole,
        };
        const change = planUserChange(former, releasing, isDeclaredAgain);
        if (change.releaseNow) await release(change.releaseNow.userId);
        live = { ...live, releasing: change.releasing };
        // The state must have both people, with their previous roles, in case the next step fails.
        yield live;
      }
      const role = plan.changed(rolePlace(context), live.member.user);
      if (role) {
        const { member, failed } = await setRoleKnown(context, live.member, role.after as DeclaredRole);
        live = { ...live, member };
        yield live;
        if (failed) throw failed;
      }
      if (plan.changed(markPlace(context), live.member.user)) {
        live = { ...live, member: await markSso(context, live.member) };
        yield live;
      }
      if (!live.releasing) return;
      await release(live.releasing.userId);
      yield { ...live, releasing: undefined };
    },

    values: ({ user, member, isFormer }) => ({
      ...(isFormer && { user }),
      role: spelledRole(member.role),
      sso: member.sso ? (true as const) : undefined,
    }),

    outputs: ({ member, previousRole, releasing }) => {
      const { id, email, displayName } = member.user;
      return { userId: id, previousRole, email: email ?? null, displayName, ...(releasing && { releasing }) };
    },

    async remove(context, _id, { userId, ...recorded }) {
      const { releasing, user } = recorded;
      const { release } = await planOne(context, {
        recorded: { ...recorded, userId: userId ?? user },
        options: recorded,
      });
      if (releasing) await release(releasing.userId);
      await release(userId ?? userKey(user));
    },
  },
});

async function findDeclared(context: Context, user: string): Promise<Live> {
  const member = await membersOf(context).read(userKey(user));
  if (!member) throw notMembers(context, [user]);
  return { user, ...newlyManaged(context, member) };
}

/** What the state has of the resource, with the live role. */
const recordedAs = ({ user, member, previousRole, releasing }: Live) => ({
  user,
  userId: member.user.id,
  role: spelledRole(member.role),
  previousRole,
  releasing,
});

interface Recorded {
  readonly user: string;
  readonly userId: string;
  readonly previousRole?: DeclaredRole;
  readonly releasing?: Former | undefined;
}

interface Planned {
  /** The declared person. */
  readonly live?: Person;
  /** Absent if the resource is deleted. */
  readonly declared?: Inputs;
  readonly recorded: Recorded;
  readonly options: Inputs;
}

/** Plans the role of the declared person, and those of everybody who was managed so far. */
async function planOne(context: Context, { live, declared, recorded, options }: Planned) {
  const released = options.onDestroy === "leave" ? [] : await readReleased(context, recorded, live?.member.user.id);
  const own = ownManager({ review: reviewOfOne }, context, {
    declared: declared && { ...declared, ...(live && { userId: live.member.user.id }) },
    recorded: { ...options, sso: undefined, ...recorded },
  });
  const plan = await planRoles(context, own, live ? [live] : [], released);
  const named = new Map([...(live && declared ? [[declared.user, live] as const] : []), ...released]);
  const changed = [...named].filter(([, { member }]) => plan.changed(rolePlace(context), member.user));
  await refuseTwoPeople(
    context,
    changed.map(([name, { member }]) => ({ name, userId: member.user.id, email: member.user.email })),
  );
  refuseUnreviewed(context, plan.changes);
  const release = async (userId: string) => {
    const change = plan.of(rolePlace(context), { id: userId });
    const member = released.find(([, one]) => one.member.user.id === userId)?.[1].member;
    if (!change || !member) return;
    if (isChange(change)) await carryOutRelease(context, member, change);
    else tellKept(context, [{ change, member }]);
  };
  return { plan, release };
}

/** Reads the people who were managed so far and are not the declared one. Who has left the organization is omitted. */
async function readReleased(
  context: Context,
  { user, userId, previousRole = null, releasing }: Recorded,
  declared: string | undefined,
): Promise<NamedPerson[]> {
  const all = [...(releasing ? [releasing] : []), { user, userId, previousRole }];
  const others = all.filter((one) => one.userId !== declared);
  const found = await Promise.all(others.map((one) => membersOf(context).find(one.userId, freshEnough)));
  return others.flatMap((one, index): NamedPerson[] => {
    const member = found[index];
    return member ? [[one.user, { member, previousRole: one.previousRole }]] : [];
  });
}
