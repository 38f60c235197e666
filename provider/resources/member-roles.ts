import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { nameOf, refuseLockout } from "../access/administrators";
import { carryOut, type Failed, failureOf, type Step } from "../access/bulk";
import { refuseTwoPeople } from "../access/members";
import type { ReleaseOptions } from "../access/release";
import { type DeclaredRole, isSameRole } from "../access/roles";
import { roleArea } from "../access/subject";
import { isEmail, userKey } from "../access/user";
import type { Member } from "../api/groups/members";
import { identifier } from "../api/groups/shared";
import { DocsError } from "../api/http/errors";
import { defineResource } from "../lifecycle/definition";
import type { Context } from "../run/context";
import { organizationId, userName, userPattern } from "./shared/common";
import {
  byKey,
  declaredPeople,
  isIgnored,
  liveRoles,
  managedUsers,
  nobody,
  outputsOf,
  recordedPeople,
  sameRoles,
} from "./shared/managed-people";
import {
  allowRaise,
  carryOutRelease,
  markSso,
  notMembers,
  onDestroy,
  type Person,
  releaseOf,
  releaseOption,
  roleOrGuest,
  setRoleKnown,
  tellKept,
} from "./shared/role";
import { reviewOfMany } from "./shared/role-review";
import { refuseSpellings } from "./shared/spellings";

const inputs = z
  .strictObject({
    organizationId: organizationId.optional(),
    roles: z
      .record(userName, roleOrGuest)
      .describe(
        "Role of each person, by user id or by e-mail in any case. Only listed people are managed. `onRemoval` or `onDestroy` decides what happens to a person who is no longer listed.",
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
    onDestroy: onDestroy.optional(),
    onRemoval: releaseOption
      .describe(
        "What happens to a person who is no longer in `roles` while the resource stays. By default, the value of `onDestroy`.",
      )
      .meta({ option: true })
      .optional(),
    onRemovalOf: z
      .record(userName, releaseOption)
      .describe(
        "Replaces `onRemoval` for single people, by user id or by e-mail in any case, for example for a role that was granted for a limited time. People that the resource never managed are not changed.",
      )
      .meta({ option: true })
      .optional(),
    allowRaise: allowRaise.optional(),
    allowRaiseOf: z
      .array(userName)
      .describe("Single people to which `allowRaise` applies, by user id or by e-mail in any case.")
      .meta({ option: true })
      .optional(),
  })
  .superRefine(({ roles, sso = [], onRemovalOf = {} }, context) => {
    refuseSpellings(roles, "roles", context);
    refuseSpellings(onRemovalOf, "onRemovalOf", context);
    const named = new Set(Object.keys(roles).map(userKey));
    for (const user of Object.keys(onRemovalOf).filter((user) => named.has(userKey(user)))) {
      const message = "use either roles or onRemovalOf: both name this person";
      context.addIssue({ code: "custom", path: ["onRemovalOf", user], message });
    }
    sso.forEach((user, index) => {
      const message = "use a user of `roles`, named in the same way (by e-mail or by id)";
      if (!named.has(userKey(user))) context.addIssue({ code: "custom", path: ["sso", index], message });
    });
  });
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userIds: z
    .record(z.string(), identifier)
    .describe("User ids by the e-mails in `roles`. An id stays when the person's e-mail changes."),
  previousRoles: z
    .record(z.string(), roleOrGuest)
    .describe(
      "Previous roles by user id: the role that a person had before it was managed. The previous role of a person who is not listed here is the one in `roles`.",
    ),
});

/**
 * The roles of many members of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is that of the organization and `/roles`.
 *
 * `onDestroy` decides what a deletion does for each person. By default, it restores the previous role, unless that would raise the role.
 *
 * @example
 * ```ts
 * new docs.MemberRoles("editors", {
 *   roles: { "ada@acme.test": "review", "grace@acme.test": "edit", user_linus: "guest" },
 * });
 * ```
 *
 * @internal
 */
export const memberRoles = defineResource({
  name: "MemberRoles",
  lookup: "getMembers",
  inputs,
  outputs,
  equal: { roles: sameRoles, sso: sameUsers, ignore: sameUsers },
  review: reviewOfMany,
  // People who were ignored so far must be managed now.
  outdated: (recorded, { ignore }) => ignore === undefined && (recorded.ignore ?? []).length > 0,
  subjects: ({ userIds = {}, ...declared }) =>
    [...managedUsers(declared), ...Object.values(userIds)].map((user) => ({ ...roleArea, user })),

  lifecycle: {
    async create(context, declared) {
      return { id: `${context.organizationId}/roles`, live: await declaredPeople(context, declared, nobody) };
    },

    observe: (context, _id, recorded) => recordedPeople(context, recorded),

    async *sync(context, _id, before, declared) {
      const { people, nonMembers } = await declaredPeople(context, declared, before);
      const live = new Map([...people, ...leaving(before.people, people, declared)]);
      const given = changes(context, declared, [...people], live);
      const left = [...live].filter(([key, { member }]) => !people.has(key) && !mayBeDeclared(member, nonMembers));
      refuseUnrecordedNames(declared, left);
      const taken = releases(context, leavingOptions(declared), left, live);
      await refuseTwoPeople(context, [...given, ...taken].map(leavingIn));
      await refuseNoAdministrator(context, declared, people, [...given, ...taken]);
      const { done, failed } = await carryOut([...given, ...taken], administratorsAmong(nonMembers, declared));
      yield { people: live, nonMembers };
      refuseFailures([...missing(context, declared, nonMembers), ...failed], done);
    },

    values: (live, { roles, sso }) => ({
      roles: liveRoles(live, roles),
      sso: sso?.filter((user) => live.people.get(userKey(user))?.member.sso ?? !live.nonMembers.has(userKey(user))),
    }),

    outputs: outputsOf,

    async remove(context, _id, recorded) {
      if (recorded.onDestroy === "leave") return;
      const { people } = await recordedPeople(context, recorded);
      refuseUnrecordedNames({ ...recorded, onRemovalOf: undefined }, [...people]);
      const steps = releases(context, destroyOptions(recorded), [...people], new Map(people));
      await refuseTwoPeople(context, steps.map(leavingIn));
      await refuseLockout(context, losingIn(steps));
      const { done, failed } = await carryOut(steps);
      refuseFailures(failed, done);
    },
  },
});

type Entry = readonly [key: string, person: Person];
/** `key` is the key of the person in the state or in the declaration. */
type PersonStep = Step & { readonly key: string; readonly member: Member };

const leavingIn = ({ key, member: { user } }: PersonStep) => ({ name: key, userId: user.id, email: user.email });

const losingIn = (steps: readonly PersonStep[]): Member[] =>
  steps.filter(({ administrator }) => administrator === "takes").map(({ member }) => member);

/**
 * Refuses a change that would leave no administrator before the first write, because the resource knows its whole change. New
 * administrators get the role first, and nobody loses it if that fails.
 */
async function refuseNoAdministrator(
  context: Context,
  { roles }: Inputs,
  people: ReadonlyMap<string, Person>,
  steps: readonly PersonStep[],
): Promise<void> {
  const wanted = byKey(roles);
  const remains = [...people].some(([key, { member }]) => wanted.get(key) === "admin" && !member.disabled);
  if (!remains) await refuseLockout(context, losingIn(steps));
}

/** The steps that give people their declared role and mark. Each success is recorded in `live`. */
function changes(
  context: Context,
  { roles, sso }: Inputs,
  people: readonly Entry[],
  live: Map<string, Person>,
): PersonStep[] {
  const wanted = byKey(roles);
  const marked = new Set(sso?.map(userKey));
  return people.flatMap(([key, person]): PersonStep[] => {
    const { member } = person;
    const role = wanted.get(key) ?? null;
    const keepsRole = isSameRole(member.role, role);
    const mark = marked.has(key) && !member.sso;
    if (keepsRole && !mark) return [];
    const run = async () => {
      const { member: after, failed } = keepsRole ? { member } : await setRoleKnown(context, member, role);
      live.set(key, { ...person, member: after });
      if (failed) throw failed;
      if (mark) live.set(key, { ...person, member: await markSso(context, after) });
    };
    const result = keepsRole ? "is marked as a member by single sign-on" : isNow(role);
    return [{ key, name: nameOf(member), member, result, run, ...(!keepsRole && administratorEffect(member, role)) }];
  });
}

/** The people who were managed so far and are now neither declared nor ignored, by any of their names. */
function leaving(before: ReadonlyMap<string, Person>, people: ReadonlyMap<string, Person>, declared: Inputs): Entry[] {
  const names = byKey(declared.roles);
  const staying = new Set([...people.values()].map(({ member }) => member.user.id));
  const ignored = isIgnored(declared.ignore);
  return [...before].filter(([key, { member }]) => !names.has(key) && !staying.has(member.user.id) && !ignored(member));
}

/** The options for each person who is no longer declared, looked up by the recorded names of the person. */
function leavingOptions({ onDestroy, onRemoval = onDestroy, onRemovalOf = {}, ...raising }: Inputs) {
  const single = byKey(onRemovalOf);
  const mayRaise = raisable(raising);
  return (entry: Entry): ReleaseOptions => {
    const own = keysOf(entry).flatMap((name) => single.get(name) ?? []);
    return { onDestroy: own[0] ?? onRemoval, allowRaise: mayRaise(entry) };
  };
}

/** The options for each person when the resource is deleted. */
function destroyOptions({ onDestroy, ...raising }: Inputs) {
  const mayRaise = raisable(raising);
  return (entry: Entry): ReleaseOptions => ({ onDestroy, allowRaise: mayRaise(entry) });
}

function raisable({ allowRaise = false, allowRaiseOf = [] }: Pick<Inputs, "allowRaise" | "allowRaiseOf">) {
  const single = new Set(allowRaiseOf.map(userKey));
  return (entry: Entry): boolean => allowRaise || keysOf(entry).some((name) => single.has(name));
}

/** The names of the person in the state: the recorded one and the id. A live e-mail may have belonged to somebody else before. */
const keysOf = ([key, { member }]: Entry): string[] => [userKey(key), member.user.id];

/**
 * Refuses options that name a released person only by the live e-mail: neither a review nor the state shows that they mean this
 * person, and the e-mail may have been passed on.
 */
function refuseUnrecordedNames(
  { onRemovalOf = {}, allowRaiseOf = [] }: Pick<Inputs, "onRemovalOf" | "allowRaiseOf">,
  people: readonly Entry[],
): void {
  for (const [option, names] of [
    ["onRemovalOf", Object.keys(onRemovalOf)],
    ["allowRaiseOf", allowRaiseOf],
  ] as const) {
    const named = new Set(names.map(userKey));
    for (const [key, { member }] of people) {
      const email = member.user.email === undefined ? undefined : userKey(member.user.email);
      if (email === undefined || !named.has(email) || [userKey(key), member.user.id].some((name) => named.has(name)))
        continue;
      throw new DocsError(
        `${option} names ${email}, which belongs to ${member.user.id} now, and the state has this person as ${key}: nothing is changed. ` +
          `Name the person as ${key} in ${option} (in organization.yaml, in members), or by the user id of the person who is meant`,
      );
    }
  }
}

/** Whether a person who hides the e-mail may be declared by an e-mail that no visible member has. */
function mayBeDeclared({ user }: Member, nonMembers: ReadonlySet<string>): boolean {
  return user.email === undefined && [...nonMembers].some(isEmail);
}

/** The steps that release people. Each released person is deleted from `live`. */
function releases(
  context: Context,
  optionsOf: (entry: Entry) => ReleaseOptions,
  people: readonly Entry[],
  live: Map<string, Person>,
): PersonStep[] {
  const kept: { member: Member; keeps: string }[] = [];
  const steps = people.flatMap(([key, person]): PersonStep[] => {
    const { member } = person;
    const release = releaseOf(context, { ...person, name: key }, optionsOf([key, person]));
    if ("keeps" in release) kept.push({ member, keeps: release.keeps });
    if ("keeps" in release || "already" in release) {
      live.delete(key);
      return [];
    }
    const run = async () => {
      await carryOutRelease(context, member, release);
      live.delete(key);
    };
    const role = "role" in release ? release.role : null;
    const result = "role" in release ? isNow(role) : "is removed from the organization";
    return [{ key, name: nameOf(member), member, result, run, ...administratorEffect(member, role) }];
  });
  tellKept(context, kept);
  return steps;
}

/** Whether a change of the role makes the person an administrator, or takes that role away. */
function administratorEffect(member: Member, role: DeclaredRole): Pick<Step, "administrator"> {
  if (role === "admin") return { administrator: "gives" };
  return member.role === "admin" ? { administrator: "takes" } : {};
}

/** Non-members who are declared as administrators. */
function administratorsAmong(nonMembers: ReadonlySet<string>, { roles }: Inputs): string[] {
  return Object.keys(roles).filter((user) => roles[user] === "admin" && nonMembers.has(userKey(user)));
}

/** All declared users who are not members, as one failure. */
function missing(context: Context, { roles }: Inputs, nonMembers: ReadonlySet<string>): Failed[] {
  const users = Object.keys(roles).filter((user) => nonMembers.has(userKey(user)));
  return users.length === 0 ? [] : [{ name: String(users[0]), error: notMembers(context, users) }];
}

const isNow = (role: DeclaredRole): string => `is now ${role ?? "guest"}`;

function refuseFailures(failed: readonly Failed[], done: readonly string[]): void {
  if (failed.length > 0) throw failureOf(failed, done);
}

function sameUsers(a: unknown, b: unknown): boolean {
  const keys = (users: unknown) => new Set((users as string[]).map(userKey));
  return isDeepStrictEqual(keys(a), keys(b));
}
