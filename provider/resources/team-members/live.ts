import { isDeepStrictEqual } from "node:util";
import { managementOf } from "../../access/management";
import { membersOf } from "../../access/members";
import type { Changes, TeamOutcome } from "../../access/team-changes";
import type { Teammate } from "../../access/teammate";
import type { TeamRole } from "../../api/groups/shared";
import { matcherOf } from "../../people/patterns";
import { isEmail, repeatedIn, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { userName } from "../shared/common";
import { mapByKey } from "../shared/managed-people";
import type { TeamMembersInputs, TeamMembersState } from "./properties";

export interface Live {
  readonly people: readonly Teammate[];
  /** User ids by the key of the declared or recorded name. Of the e-mails that no member has, only those whose person has left. */
  readonly ids: ReadonlyMap<string, string>;
  /** Ids of people who have left the organization. They are known because the state of some resource of the run has them. */
  readonly absent: ReadonlySet<string>;
  /** For each e-mail that no member has, the requested role; `undefined` if it is unknown whether a failed change requested one. */
  readonly pending: ReadonlyMap<string, TeamRole | undefined>;
  /** Ids of people in the team that a refresh found and no program declared. */
  readonly found: ReadonlySet<string>;
}

type Members = TeamMembersInputs["members"];

/** The live roles of the declared people, of pending e-mails, and of unmanaged members that a refresh has found. */
export function valuesOf(live: Live, declared: Members): Members {
  const roles = new Map(live.people.map(({ userId, role }) => [userId, role as TeamRole]));
  const values = new Map<string, TeamRole>();
  for (const [name, declaredRole] of Object.entries(declared)) {
    const userId = live.ids.get(userKey(name));
    const isAbsent = userId !== undefined && live.absent.has(userId);
    const liveRole = userId === undefined ? live.pending.get(userKey(name)) : roles.get(userId);
    const role = isAbsent ? declaredRole : liveRole;
    if (role !== undefined) values.set(name, role);
  }
  const declaredKeys = new Set(Object.keys(declared).map(userKey));
  for (const [email, role] of live.pending) {
    if (role !== undefined && !declaredKeys.has(email)) values.set(email, role);
  }
  const declaredIds = new Set([...declaredKeys].map((key) => live.ids.get(key)));
  for (const [name, userId] of namesOfUndeclared(live.people, live.found, declaredKeys)) {
    if (!declaredIds.has(userId)) values.set(name, roles.get(userId) ?? "member");
  }
  return Object.fromEntries(values);
}

/**
 * Names people who are not declared, with their ids: by e-mail if a program can name the person by it, otherwise by id. A taken
 * name (declared, or recorded for a declared person) is not used, even if somebody else has it now.
 */
function namesOfUndeclared(
  people: readonly Teammate[],
  undeclared: ReadonlySet<string>,
  takenNames: ReadonlySet<string>,
): [name: string, userId: string][] {
  const undeclaredPeople = people.filter(({ userId }) => undeclared.has(userId));
  const shared = repeatedEmails(people);
  return undeclaredPeople.map(({ email, userId }) => {
    const key = email === undefined ? userId : userKey(email);
    const isUsable = !takenNames.has(key) && !shared.has(key) && userName.safeParse(key).success;
    return [isUsable ? key : userId, userId];
  });
}

const repeatedEmails = (people: readonly Teammate[]): Set<string> =>
  repeatedIn(people.flatMap(({ email }) => (email === undefined ? [] : [userKey(email)])));

export const teamOutputs = ({ people, ids, pending, found, absent }: Live) => ({
  userIds: Object.fromEntries(
    [...ids, ...namesOfUndeclared(people, found, new Set(ids.keys()))].filter(([name]) => isEmail(name)),
  ),
  pending: [...pending.keys()],
  found: [...found],
  ...(absent.size > 0 && { absent: [...ids].flatMap(([key, userId]) => (absent.has(userId) ? [key] : [])) }),
});

/**
 * The live values to record after a change: the declared people, without people that no preview has shown. If the change
 * failed, people who should have been removed or added are still included, for the next update.
 */
export function liveAfter(
  live: Live,
  { members }: TeamMembersInputs,
  people: readonly Teammate[],
  { added, lowered, removed }: Changes,
  { done, failed }: TeamOutcome,
): Live {
  const names = new Set(Object.keys(members).map(userKey));
  const onlyDeclared = <T>(map: Iterable<readonly [string, T]>) =>
    new Map([...map].filter(([name]) => names.has(name)));
  const ids = onlyDeclared(live.ids);
  const leaving = new Set(removed.map(({ user }) => user));
  const notRemoved = failed ? people.filter(({ userId }) => leaving.has(userId)) : [];
  const carriedOut = new Set(done);
  const requested = [...added, ...lowered]
    .filter(({ user }) => isEmail(user))
    .map((change) => [change.user, carriedOut.has(change) ? change.role : undefined] as const);
  const notWithdrawn = removed.filter((change) => isEmail(change.user) && !carriedOut.has(change));
  const stillPending = notWithdrawn.map(({ user }): [string, TeamRole] => [user, live.pending.get(user) ?? "member"]);
  return {
    people,
    ids,
    absent: new Set([...ids.values()].filter((userId) => live.absent.has(userId))),
    pending: new Map([...onlyDeclared(live.pending), ...requested, ...stillPending]),
    found: new Set(notRemoved.map(({ userId }) => userId)),
  };
}

/** Finds who the names mean, and the people in the team who are neither declared nor ignored. */
export async function identify(
  context: Context,
  people: readonly Teammate[],
  names: readonly string[],
  state: TeamMembersState,
) {
  const { members, ignore } = state;
  const { ids, absent } = await idsOf(context, people, names, state);
  const ignored = matcherOf(ignore ?? []);
  const declared = new Set(Object.keys(members).map((name) => ids.get(userKey(name))));
  return { ids, absent, unmanaged: people.filter((one) => !declared.has(one.userId) && !ignored(one)) };
}

/**
 * The user ids by key, and the recorded ids that no member has any longer. A recorded id stays valid while the person is in the
 * team, even under another e-mail. If the person is no longer in the team, the e-mail may belong to somebody else.
 */
async function idsOf(context: Context, people: readonly Teammate[], names: readonly string[], state: TeamMembersState) {
  const { userIds: recordedByEmail = {} } = state;
  // A team that is not managed yet has no user ids, and its people are only declared.
  const recordedMembers = state.userIds ? state.members : {};
  const idsInTeam = new Set(people.map(({ userId }) => userId));
  const shared = repeatedEmails(people);
  const byEmail = new Map(
    people.flatMap(({ email, userId }) => (email && !shared.has(userKey(email)) ? [[userKey(email), userId]] : [])),
  );
  const members = membersOf(context);
  const absent = new Set<string>();
  const noteIfAbsent = async (recordedId: string) => {
    if (!idsInTeam.has(recordedId) && !(await members.find(recordedId))) absent.add(recordedId);
  };
  const idOf = async (name: string): Promise<string | undefined> => {
    if (!isEmail(name)) {
      const isOwn = Object.hasOwn(recordedMembers, name) || Object.values(recordedByEmail).includes(name);
      if (isOwn || managementOf(context.run).hasRecorded(name)) await noteIfAbsent(name);
      return name;
    }
    const recordedId = recordedByEmail[userKey(name)];
    if (recordedId !== undefined && idsInTeam.has(recordedId)) return recordedId;
    const liveId = byEmail.get(userKey(name)) ?? (await members.read(userKey(name)))?.user.id;
    if (liveId === undefined && recordedId !== undefined) await noteIfAbsent(recordedId);
    return liveId ?? recordedId;
  };
  const ids = new Map<string, string>();
  const found = await Promise.all(names.map(async (name) => ({ name, id: await idOf(name) })));
  for (const { name, id } of found) if (id !== undefined) ids.set(userKey(name), id);
  return { ids, absent };
}

export function recordedIds({ members, userIds = {} }: TeamMembersState): string[] {
  return Object.keys(members).flatMap((name) => (isEmail(name) ? (userIds[userKey(name)] ?? []) : name));
}

/** The recorded pending e-mails. If an e-mail has no recorded role, a change that failed may have sent it to the service. */
export function pendingIn(
  { members, pending = [] }: TeamMembersState,
  ids: ReadonlyMap<string, string>,
): Live["pending"] {
  const roles = mapByKey(members);
  return new Map(pending.filter((name) => !ids.has(name)).map((name) => [name, roles.get(name)]));
}

export function sameMembers(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(mapByKey(a as Members), mapByKey(b as Members));
}
