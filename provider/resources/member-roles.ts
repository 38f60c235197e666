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
        "Role of each person, by user id or by e-mail in any case. Only who is listed is managed; for somebody who leaves the map, `onDestroy` says what happens.",
      ),
    sso: z
      .array(userName)
      .describe(
        "Who of `roles` is marked as a member by single sign-on. The API can not take the mark back, so leaving the list sends nothing.",
      )
      .optional(),
    ignore: z
      .array(userPattern)
      .describe(
        "Users who are left alone although they are in `roles`: ids, or globs on the whole e-mail without case, such as `*@contractor.test`.",
      )
      .meta({ selection: true })
      .optional(),
    onDestroy: onDestroy.optional(),
    onRemoval: releaseOption
      .describe(
        "What leaving `roles` means for a person while the resource stays; left out, it is what `onDestroy` says.",
      )
      .meta({ option: true })
      .optional(),
    onRemovalOf: z
      .record(userName, releaseOption)
      .describe(
        "What leaving `roles` means for single people, by user id or by e-mail in any case, in place of `onRemoval`: for a role that was granted for a time. Whom the resource never managed is left alone.",
      )
      .meta({ option: true })
      .optional(),
    allowRaise: allowRaise.optional(),
    allowRaiseOf: z
      .array(userName)
      .describe("Single people for whom `allowRaise` is declared, by user id or by e-mail in any case.")
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
      const message = "use a user whom `roles` names in the same way, by e-mail or by id";
      if (!named.has(userKey(user))) context.addIssue({ code: "custom", path: ["sso", index], message });
    });
  });
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userIds: z
    .record(z.string(), identifier)
    .describe("Ids of the users whom `roles` names by e-mail, which stay when the e-mail changes."),
  previousRoles: z
    .record(z.string(), roleOrGuest)
    .describe(
      "By user id, the role found when it was taken under management; who is not listed here had the role that `roles` shows.",
    ),
});

/**
 * The roles of many members of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is that of the organization and `/roles`.
 *
 * `onDestroy` says what a destroy does for each person. By default, it restores the role that was found, unless that would raise it.
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
  // Whoever was ignored so far is to be managed now.
  outdated: (recorded, { ignore }) => ignore === undefined && (recorded.ignore ?? []).length > 0,
  subjects: ({ userIds = {}, ...declared }) =>
    [...managedUsers(declared), ...Object.values(userIds)].map((user) => ({ ...roleArea, user })),

  lifecycle: {
    async create(context, declared) {
      return { id: `${context.organizationId}/roles`, live: await declaredPeople(context, declared, nobody) };
    },

    observe: (context, _id, recorded) => recordedPeople(context, recorded),

    async *sync(context, _id, before, declared) {
      const { people, strangers } = await declaredPeople(context, declared, before);
      const live = new Map([...people, ...leaving(before.people, people, declared)]);
      const given = changes(context, declared, [...people], live);
      const taken = releases(
        context,
        leavingOptions(declared),
        [...live].filter(([key, { member }]) => !people.has(key) && !mayBeDeclared(member, strangers)),
        live,
      );
      await refuseTwoPeople(context, [...given, ...taken].map(leavingIn));
      await refuseNoAdministrator(context, declared, people, [...given, ...taken]);
      const { done, failed } = await carryOut([...given, ...taken], administratorsAmong(strangers, declared));
      yield { people: live, strangers };
      refuseFailures([...missing(context, declared, strangers), ...failed], done);
    },

    values: (live, { roles, sso }) => ({
      roles: liveRoles(live, roles),
      sso: sso?.filter((user) => live.people.get(userKey(user))?.member.sso ?? !live.strangers.has(userKey(user))),
    }),

    outputs: outputsOf,

    async remove(context, _id, recorded) {
      if (recorded.onDestroy === "leave") return;
      const { people } = await recordedPeople(context, recorded);
      const steps = releases(context, destroyOptions(recorded), [...people], new Map(people));
      await refuseTwoPeople(context, steps.map(leavingIn));
      await refuseLockout(context, losingIn(steps));
      const { done, failed } = await carryOut(steps);
      refuseFailures(failed, done);
    },
  },
});

type Entry = readonly [key: string, person: Person];
/** The key is that of the person in the state or in the declaration. */
type PersonStep = Step & { readonly key: string; readonly member: Member };

const leavingIn = ({ key, member: { user } }: PersonStep) => ({ name: key, userId: user.id, email: user.email });

const losingIn = (steps: readonly PersonStep[]): Member[] =>
  steps.filter(({ administrator }) => administrator === "takes").map(({ member }) => member);

/**
 * One resource knows its whole change, so it is refused before the first write if it leaves no administrator. Whoever it makes
 * one gets the role first, and nobody loses it if that fails.
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

/** What gives the people the role and the mark that are declared; each success goes into `live`. */
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

/** Who was managed so far and is neither declared nor ignored now, by whatever name. */
function leaving(before: ReadonlyMap<string, Person>, people: ReadonlyMap<string, Person>, declared: Inputs): Entry[] {
  const names = byKey(declared.roles);
  const staying = new Set([...people.values()].map(({ member }) => member.user.id));
  const ignored = isIgnored(declared.ignore);
  return [...before].filter(([key, { member }]) => !names.has(key) && !staying.has(member.user.id) && !ignored(member));
}

/** What leaving means for each person, by whichever name is declared. */
function leavingOptions({ onDestroy, onRemoval = onDestroy, onRemovalOf = {}, ...raising }: Inputs) {
  const single = byKey(onRemovalOf);
  const mayRaise = raisable(raising);
  return (entry: Entry): ReleaseOptions => {
    const own = keysOf(entry).flatMap((name) => single.get(name) ?? []);
    return { onDestroy: own[0] ?? onRemoval, allowRaise: mayRaise(entry) };
  };
}

/** What a destroy means for each person. */
function destroyOptions({ onDestroy, ...raising }: Inputs) {
  const mayRaise = raisable(raising);
  return (entry: Entry): ReleaseOptions => ({ onDestroy, allowRaise: mayRaise(entry) });
}

function raisable({ allowRaise = false, allowRaiseOf = [] }: Pick<Inputs, "allowRaise" | "allowRaiseOf">) {
  const single = new Set(allowRaiseOf.map(userKey));
  return (entry: Entry): boolean => allowRaise || keysOf(entry).some((name) => single.has(name));
}

/** Whatever a declaration may call the person. */
const keysOf = ([key, { member }]: Entry): string[] =>
  [key, member.user.id, member.user.email].flatMap((name) => (name === undefined ? [] : [userKey(name)]));

/** Somebody who hides the e-mail may be one of those who are declared by an e-mail that nobody is found by. */
function mayBeDeclared({ user }: Member, strangers: ReadonlySet<string>): boolean {
  return user.email === undefined && [...strangers].some(isEmail);
}

/** What gives up people; whoever is given up leaves `live`. */
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

/** Those who are declared as administrators and no members. */
function administratorsAmong(strangers: ReadonlySet<string>, { roles }: Inputs): string[] {
  return Object.keys(roles).filter((user) => roles[user] === "admin" && strangers.has(userKey(user)));
}

/** All who are declared and no members, as one failure. */
function missing(context: Context, { roles }: Inputs, strangers: ReadonlySet<string>): Failed[] {
  const users = Object.keys(roles).filter((user) => strangers.has(userKey(user)));
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
