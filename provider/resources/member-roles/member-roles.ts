import { isDeepStrictEqual } from "node:util";
import { carryOut } from "../../access/carry-out";
import { defineResource } from "../../lifecycle/definition";
import { samePatterns } from "../../people/patterns";
import { userKey } from "../../people/user";
import { propertiesIn } from "../../run/properties";
import {
  declaredPeople,
  liveValues,
  nobody,
  outputsOfPeople,
  recordedPeople,
  sameRoles,
} from "../shared/managed-people";
import { notMembers, tellAway } from "../shared/role";
import { reviewOfMany } from "../shared/role-review";
import { findOthers, withOthers, withoutManaged, withShownOthers } from "./others";
import { prepareChange, refuseFailures, releaseAll } from "./plan";
import { memberRolesInputs, memberRolesOutputs } from "./properties";

/**
 * The roles of many members of the organization. It never adds a person, and by default never removes one.
 *
 * @remarks
 * Its id is the id of the organization, followed by `/roles`.
 *
 * `onRelease` decides what a deletion does for each person. By default, it restores the previous role, unless that would raise the role.
 *
 * @example
 * ```ts
 * new docs.MemberRoles("editors", {
 *   roles: { "ada@acme.test": "review", "grace@acme.test": "edit", user_linus: "guest" },
 * });
 * ```
 */
export const memberRoles = defineResource({
  name: "MemberRoles",
  inputs: memberRolesInputs,
  outputs: memberRolesOutputs,
  equal: { roles: sameRoles, sso: sameUsers, ignore: samePatterns, others: sameOthers },
  review: reviewOfMany,
  // Removing a property, or declaring the live role of a found person, sends nothing by default. But people who were ignored or
  // only found so far must be managed.
  outdated: ({ found = [], userIds = {}, ...recorded }, { ignore, roles }) =>
    (ignore === undefined && (recorded.ignore ?? []).length > 0) ||
    Object.keys(roles).some((user) => found.includes(userIds[userKey(user)] ?? user)),
  ownState: withoutManaged,
  atPreview: async (context, declared, recorded) => {
    if (declared.others?.members !== "refuse") return;
    await findOthers(context, declared, recorded ? await recordedPeople(context, recorded) : nobody);
  },

  lifecycle: {
    async create(context, declared) {
      return { id: `${context.organizationId}/roles`, live: await declaredPeople(context, declared, nobody) };
    },

    async observe(context, _id, recorded) {
      const managed = await recordedPeople(context, recorded);
      return withOthers(managed, await findOthers(context, recorded, managed, "record"));
    },

    async *sync(context, _id, live, declared) {
      const before = await withShownOthers(context, declared, live);
      const { people, away, nonMembers } = await declaredPeople(context, declared, before);
      const { steps, live: after } = await prepareChange(context, { before, people, declared, options: declared });
      tellAway(context, away);
      const { roles } = declared;
      const missing = Object.keys(roles).filter((user) => nonMembers.has(userKey(user)));
      const missingAdministrators = missing.filter((user) => roles[user] === "admin");
      const { done, failed } = await carryOut(steps, missingAdministrators);
      yield { people: after, away, nonMembers };
      // One failure names all of them.
      const [name] = missing;
      const failure = name === undefined ? [] : [{ name, error: notMembers(context, missing) }];
      refuseFailures([...failure, ...failed], done);
    },

    values: liveValues,

    outputs: outputsOfPeople,

    remove: (context, _id, recorded) => releaseAll(context, recorded),
  },
});

function sameOthers(a: unknown, b: unknown): boolean {
  const [one, other] = [propertiesIn(a), propertiesIn(b)];
  return one.members === other.members && samePatterns(one.ignore ?? [], other.ignore ?? []);
}

function sameUsers(a: unknown, b: unknown): boolean {
  const keys = (users: unknown) => new Set((users as string[]).map(userKey));
  return isDeepStrictEqual(keys(a), keys(b));
}
