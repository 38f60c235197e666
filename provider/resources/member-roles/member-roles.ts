import { isDeepStrictEqual } from "node:util";
import { refuseLockout } from "../../access/administrators";
import { carryOut, type Failed, failureOf } from "../../access/bulk";
import { refuseTwoPeople } from "../../access/members";
import { roleArea } from "../../access/subject";
import type { Member } from "../../api/groups/members";
import { defineResource } from "../../lifecycle/definition";
import { isEmail, userKey } from "../../people/user";
import type { Context } from "../../run/context";
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
} from "../shared/managed-people";
import { notMembers, type Person } from "../shared/role";
import { reviewOfMany } from "../shared/role-review";
import { type Inputs, inputs, outputs } from "./properties";
import { type Entry, optionsOfDestroy, optionsOfRemoval, refuseUnrecordedNames } from "./release-options";
import { changedPersonOf, losingAdministrators, type PersonStep, stepsOfReleases, stepsOfRoles } from "./steps";

/**
 * The roles of many members of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the organization, followed by `/roles`.
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
      const live = new Map([...people, ...findReleased(before.people, people, declared)]);
      const given = stepsOfRoles(context, declared, [...people], live);
      const released = [...live].filter(([key, { member }]) => !people.has(key) && !mayBeDeclared(member, nonMembers));
      refuseUnrecordedNames(declared, released);
      const taken = stepsOfReleases(context, optionsOfRemoval(declared), released, live);
      await refuseTwoPeople(context, [...given, ...taken].map(changedPersonOf));
      await refuseNoAdministrator(context, declared, people, [...given, ...taken]);
      const { done, failed } = await carryOut([...given, ...taken], administratorsAmong(nonMembers, declared));
      yield { people: live, nonMembers };
      refuseFailures([...failuresOfNonMembers(context, declared, nonMembers), ...failed], done);
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
      const steps = stepsOfReleases(context, optionsOfDestroy(recorded), [...people], new Map(people));
      await refuseTwoPeople(context, steps.map(changedPersonOf));
      await refuseLockout(context, losingAdministrators(steps));
      const { done, failed } = await carryOut(steps);
      refuseFailures(failed, done);
    },
  },
});

/**
 * Refuses, before the first write, a change that would leave no administrator: the resource knows its whole change. Later, new
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
  if (!remains) await refuseLockout(context, losingAdministrators(steps));
}

/** The people who were managed so far and are now neither declared nor ignored, by any of their names. */
function findReleased(
  before: ReadonlyMap<string, Person>,
  people: ReadonlyMap<string, Person>,
  declared: Inputs,
): Entry[] {
  const names = byKey(declared.roles);
  const staying = new Set([...people.values()].map(({ member }) => member.user.id));
  const ignored = isIgnored(declared.ignore);
  return [...before].filter(([key, { member }]) => !names.has(key) && !staying.has(member.user.id) && !ignored(member));
}

/** Whether a person who hides the e-mail may be declared by an e-mail that no visible member has. */
function mayBeDeclared({ user }: Member, nonMembers: ReadonlySet<string>): boolean {
  return user.email === undefined && [...nonMembers].some(isEmail);
}

/** Non-members who are declared as administrators. */
function administratorsAmong(nonMembers: ReadonlySet<string>, { roles }: Inputs): string[] {
  return Object.keys(roles).filter((user) => roles[user] === "admin" && nonMembers.has(userKey(user)));
}

/** All declared users who are not members, as one failure. */
function failuresOfNonMembers(context: Context, { roles }: Inputs, nonMembers: ReadonlySet<string>): Failed[] {
  const users = Object.keys(roles).filter((user) => nonMembers.has(userKey(user)));
  return users.length === 0 ? [] : [{ name: String(users[0]), error: notMembers(context, users) }];
}

function refuseFailures(failed: readonly Failed[], done: readonly string[]): void {
  if (failed.length > 0) throw failureOf(failed, done);
}

function sameUsers(a: unknown, b: unknown): boolean {
  const keys = (users: unknown) => new Set((users as string[]).map(userKey));
  return isDeepStrictEqual(keys(a), keys(b));
}
