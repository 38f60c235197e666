import { z } from "zod";
import { carryOut } from "../access/carry-out";
import { isSameRole, spelledRole } from "../access-plan/place";
import { identifier } from "../api/groups/shared";
import { defineResource, type Recorded } from "../lifecycle/definition";
import { isEmail, sameUser, userKey } from "../people/user";
import type { Context } from "../run/context";
import { type NamedPerson, prepareChange, refuseFailures, releaseAll } from "./member-roles/plan";
import { organizationId, userName } from "./shared/common";
import { declaredPeople, type ManagedPeople, nobody, recordedPeople } from "./shared/managed-people";
import { allowRaise, notMembers, onRelease, roleOrGuest } from "./shared/role";
import { reviewOfOne } from "./shared/role-review";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  user: userName.describe("User id, or e-mail in any case. A change of `user` is an update."),
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
  userId: identifier.describe("Id of the user, which stays when the person's e-mail changes."),
  previousRole: roleOrGuest.describe("Role that the person had before it was managed."),
  email: z.string().nullable().describe("E-mail of the person; null if it is hidden."),
  displayName: z.string().describe("Name that the person chose."),
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

/**
 * The role of one member of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the user.
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
  atPreview: async (context, declared, recorded) =>
    recorded && sameUser(recorded.user, declared.user) ? undefined : findDeclared(context, declared, nobody),

  lifecycle: {
    async create(context, declared) {
      const live = await findDeclared(context, declared, nobody);
      const [person] = live.people.values();
      return { id: String(person?.member.user.id), live };
    },

    async observe(context, _id, recorded): Promise<ManagedPeople | undefined> {
      const live = await recordedPeople(context, recordedAs(recorded));
      const ids = [recorded, ...(recorded.releasing ?? [])].map(({ userId }) => userId);
      // The e-mail of a person who has left may belong to another one now: that is another resource.
      // The state of an import has no id yet.
      const isImported = recorded.userId === undefined;
      const people = [...live.people].filter(([, { member }]) => isImported || ids.includes(member.user.id));
      return people.length > 0 ? { ...live, people: new Map(people) } : undefined;
    },

    async *sync(context, _id, before, declared) {
      const { people, ...others } = await findDeclared(context, declared, before);
      const options = declaredAs(declared);
      const { steps, live } = await prepareChange(context, { before, people, declared: options, options });
      // The new user gets the role before the previous one is released. Until then, the state has both.
      for (const isRelease of [false, true]) {
        const { failed } = await carryOut(steps.filter((step) => step.isRelease === isRelease));
        yield { ...others, people: new Map(live) };
        refuseFailures(failed, []);
      }
    },

    // If the declared person is gone, the resource still manages the previous one.
    values: ({ people }, { user }) => {
      const [[key, { member }]] = namedPeople(people);
      return {
        ...(key !== userKey(user) && { user: key }),
        role: spelledRole(member.role),
        sso: member.sso ? (true as const) : undefined,
      };
    },

    outputs: ({ people }) => {
      const [[, { member, previousRole }], ...previousPeople] = namedPeople(people);
      const { id, email, displayName } = member.user;
      const releasing = previousPeople.map(([user, previous]) => {
        const { user: live, role } = previous.member;
        return { user, userId: live.id, role: spelledRole(role), previousRole: previous.previousRole };
      });
      const unreleased = releasing.length > 0 && { releasing };
      return { userId: id, previousRole, email: email ?? null, displayName, ...unreleased };
    },

    remove: (context, _id, recorded) => releaseAll(context, recordedAs(recorded)),
  },
});

/** The declared person, and previous people who are not released yet. There is at least one: otherwise, the resource is gone. */
const namedPeople = (people: ManagedPeople["people"]) => [...people] as unknown as [NamedPerson, ...NamedPerson[]];

async function findDeclared(context: Context, declared: Inputs, before: ManagedPeople): Promise<ManagedPeople> {
  const live = await declaredPeople(context, declaredAs(declared), before);
  if (live.people.size === 0) throw notMembers(context, [declared.user]);
  return live;
}

const declaredAs = ({ user, role, sso, ...options }: Inputs) => ({
  ...options,
  roles: { [user]: role },
  ...(sso && { sso: [user] }),
});

/** The state in the form of `MemberRoles`, which takes a role in `roles` as the previous role if it has no other. */
function recordedAs({ user, userId, previousRole, releasing = [], ...options }: Recorded<Inputs, Outputs>) {
  const people = [{ user, userId, previousRole }, ...releasing];
  const byEmail = people.filter((one) => isEmail(one.user) && one.userId !== undefined);
  return {
    ...options,
    roles: Object.fromEntries(people.map((one) => [one.user, one.previousRole])),
    userIds: Object.fromEntries(byEmail.map((one) => [userKey(one.user), String(one.userId)])),
  };
}
