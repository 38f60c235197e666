import { z } from "zod";
import { carryOut } from "../access/carry-out";
import { isSameRole, spelledRole } from "../access-plan/place";
import { identifier } from "../api/groups/shared";
import { defineResource, type RecordedProperties } from "../lifecycle/definition";
import { isEmail, sameUser, userKey } from "../people/user";
import type { Context } from "../run/context";
import { prepareChange, refuseFailures, releaseAll } from "./member-roles/plan";
import { organizationId, userName } from "./shared/common";
import {
  declaredPeople,
  type ManagedPeople,
  nobody,
  type RecordedPeople,
  recordedPeople,
} from "./shared/managed-people";
import { allowRaise, notMembers, onRelease, roleOrGuest, tellAway } from "./shared/role";
import { reviewOfOne } from "./shared/role-review";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  user: userName.describe(
    "User id, or e-mail in any case. An e-mail that no member has is `pending` until the person has joined. A change of `user` is an update.",
  ),
  role: roleOrGuest,
  sso: z
    .literal(true, "use true, or omit it: the API cannot remove the mark")
    .describe("Marks the person as a member by single sign-on. The API cannot remove the mark.")
    .optional(),
  onRelease: onRelease.optional(),
  allowRaise: allowRaise.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userId: identifier
    .nullable()
    .describe("Id of the user, which stays when the person's e-mail changes; null while no member has the e-mail."),
  previousRole: roleOrGuest
    .describe("Role that the person had before it was managed; none while the person is not a member.")
    .optional(),
  email: z
    .string()
    .nullable()
    .describe("E-mail of the person; null if it is hidden, and while the person is not a member."),
  displayName: z.string().nullable().describe("Name that the person chose; null while the person is not a member."),
  pending: z
    .literal(true)
    .describe("No member has the e-mail yet. The role is given by the first update after a member has the e-mail.")
    .optional(),
  absent: z
    .literal(true)
    .describe("The person has left the organization. The role counts again if the person comes back.")
    .optional(),
  releasing: z
    .array(
      z.strictObject({
        user: identifier.describe("The previous user, as it was declared; an e-mail in lower case."),
        userId: identifier.describe("User id of the person."),
        role: roleOrGuest.describe("Role of the person."),
        previousRole: roleOrGuest.describe("Role that the person had before it was managed."),
      }),
    )
    .describe(
      "Previous users, if a change of `user` could not release these people yet. The next update releases them.",
    )
    .optional(),
});

type Outputs = z.output<typeof outputs>;

/** The people are the declared person, and previous ones who are not released yet. */
interface Live extends ManagedPeople {
  readonly declaredKey: string;
}

/**
 * The role of one member of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the user, or the e-mail that no member had at the creation.
 *
 * `onRelease` decides what a deletion does. By default, it restores the previous role, unless that would raise the role.
 *
 * @example
 * ```ts
 * new docs.MemberRole("ada", { user: "ada@acme.test", role: "review", onRelease: "leave" });
 * ```
 */
export const memberRole = defineResource({
  name: "MemberRole",
  inputs,
  outputs,
  equal: { user: sameUser, role: isSameRole },
  review: reviewOfOne,
  outdated: ({ releasing }) => releasing !== undefined,
  atPreview: async (context, declared, recorded) => {
    if (recorded && sameUser(recorded.user, declared.user)) return;
    tellAway(context, (await findDeclared(context, declared, nobody)).away);
  },

  lifecycle: {
    async create(context, declared) {
      const live = await findDeclared(context, declared, nobody);
      return { id: live.people.get(live.declaredKey)?.member.user.id ?? live.declaredKey, live };
    },

    async observe(context, _id, recorded): Promise<Live | undefined> {
      const declaredKey = userKey(recorded.user);
      const { people, away, nonMembers } = await recordedPeople(context, asRecordedPeople(recorded));
      // Only an import has no recorded id. If no member has the name, there is nothing to import.
      if (recorded.userId === undefined && !people.has(declaredKey)) return undefined;
      // The e-mail of a previous user who has left may belong to another person now. This resource does not manage that person.
      const ids = (recorded.releasing ?? []).map(({ userId }) => userId);
      const managed = [...people].filter(([key, { member }]) => key === declaredKey || ids.includes(member.user.id));
      const awayUser = [...away].filter(([key]) => key === declaredKey);
      return { declaredKey, people: new Map(managed), away: new Map(awayUser), nonMembers };
    },

    async *sync(context, _id, before, declared) {
      const { people, ...rest } = await findDeclared(context, declared, before);
      const options = asMemberRoles(declared);
      const { steps, live } = await prepareChange(context, { before, people, declared: options, options });
      tellAway(context, rest.away);
      // The new user gets the role before the previous one is released. Until then, the state has both.
      for (const isRelease of [false, true]) {
        const { failed } = await carryOut(steps.filter((step) => step.isRelease === isRelease));
        yield { ...rest, people: new Map(live) };
        refuseFailures(failed, []);
      }
    },

    values: ({ people, away, declaredKey }, { user, sso }) => {
      const member = people.get(declaredKey)?.member;
      const isMarked = member ? member.sso : sso;
      return {
        ...(declaredKey !== userKey(user) && { user: declaredKey }),
        role: spelledRole(member ? member.role : (away.get(declaredKey)?.role ?? null)),
        sso: isMarked ? (true as const) : undefined,
      };
    },

    outputs: ({ people, away, declaredKey }) => {
      const { member, previousRole, isNew } = people.get(declaredKey) ?? {};
      const { id = away.get(declaredKey)?.userId ?? null, email = null, displayName = null } = member?.user ?? {};
      const releasing = [...people].flatMap(([user, { member, previousRole }]) =>
        user === declaredKey ? [] : [{ user, userId: member.user.id, role: spelledRole(member.role), previousRole }],
      );
      return {
        userId: id,
        ...(previousRole !== undefined && { previousRole }),
        email,
        displayName,
        ...((isNew || id === null) && { pending: true as const }),
        ...(!member && id !== null && { absent: true as const }),
        ...(releasing.length > 0 && { releasing }),
      };
    },

    remove: (context, _id, recorded) => releaseAll(context, asRecordedPeople(recorded)),
  },
});

async function findDeclared(context: Context, declared: Inputs, before: ManagedPeople): Promise<Live> {
  const live = await declaredPeople(context, asMemberRoles(declared), before);
  if (live.nonMembers.size > 0) throw notMembers(context, [declared.user]);
  return { ...live, declaredKey: userKey(declared.user) };
}

const asMemberRoles = ({ user, role, sso, ...options }: Inputs) => ({
  ...options,
  roles: { [user]: role },
  ...(sso && { sso: [user] }),
});

/** The state in the form of `MemberRoles`. */
function asRecordedPeople(recorded: RecordedProperties<Inputs, Outputs>): RecordedPeople {
  const { user, userId, role, previousRole, pending, absent, releasing = [], ...options } = recorded;
  const people = [{ user, userId, role, previousRole }, ...releasing];
  const byEmail = people.filter((one) => isEmail(one.user) && typeof one.userId === "string");
  return {
    ...options,
    roles: Object.fromEntries(people.map((one) => [one.user, one.role])),
    // An import has no previous role.
    previousRoles: Object.fromEntries(people.map((one) => [one.userId ?? one.user, one.previousRole])),
    userIds: Object.fromEntries(byEmail.map((one) => [userKey(one.user), String(one.userId)])),
    pending: pending ? [userKey(user)] : [],
    absent: absent ? [userKey(user)] : [],
  };
}
