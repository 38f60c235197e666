import { isDeepStrictEqual } from "node:util";
import { enumerated } from "../../access/bulk";
import { isPersonManaged } from "../../access/management";
import { membersOf, refuseTwoPeople } from "../../access/members";
import { asksForEmail, matcherOf } from "../../access/patterns";
import { losesRights, RightsLostError } from "../../access/quorum";
import { refuseOtherPerson } from "../../access/reviewed";
import { refuseSecondManager } from "../../access/same-person";
import { teamArea } from "../../access/subject";
import {
  type Changes,
  nameOfTeammate,
  type Outcome,
  resultOf,
  type Team,
  type TeamChange,
  type Teammate,
  teamOf,
} from "../../access/team";
import { isEmail, userKey } from "../../access/user";
import type { TeamRole } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import type { Context } from "../../run/context";
import type { Inputs, State } from "./properties";

/** A team as the lifecycle of `TeamMembers` represents it. */
export interface Live {
  readonly people: readonly Teammate[];
  /** User ids by the key of the declared or recorded name; without e-mails that no member has. */
  readonly ids: ReadonlyMap<string, string>;
  /** The role that the service was asked for, by e-mails that no member has; `undefined` if it is unknown whether it was asked. */
  readonly pending: ReadonlyMap<string, TeamRole | undefined>;
  /** Ids of the people in the state, declared or found by a refresh: an update may remove them. */
  readonly managed: ReadonlySet<string>;
  /** Ids of people in the team that a refresh found and no program declared. */
  readonly found: ReadonlySet<string>;
}

type Members = Inputs["members"];

/** The live roles of the declared people, and of unmanaged members that a refresh has found. */
export function valuesOf(live: Live, declared: Members): Members {
  const roles = new Map(live.people.map(({ userId, role }) => [userId, role as TeamRole]));
  const known = Object.keys(declared).flatMap((name): [string, TeamRole][] => {
    const userId = live.ids.get(userKey(name));
    const role = userId === undefined ? live.pending.get(userKey(name)) : roles.get(userId);
    return role === undefined ? [] : [[name, role]];
  });
  const covered = new Set(Object.keys(declared).map((name) => live.ids.get(userKey(name))));
  const names = new Set(Object.keys(declared).map(userKey));
  const others = keysOf(live.people, live.found, names).filter(([, userId]) => !covered.has(userId));
  const asked = [...live.pending].flatMap(([name, role]): [string, TeamRole][] =>
    role === undefined || names.has(name) ? [] : [[name, role]],
  );
  return Object.fromEntries([
    ...known,
    ...asked,
    ...others.map(([name, userId]): [string, TeamRole] => [name, roles.get(userId) ?? "member"]),
  ]);
}

/**
 * Names people who are not declared: by e-mail if it is known, otherwise by id. An e-mail that the state records for a declared
 * person is not used, even if somebody else has it now.
 */
export function keysOf(
  people: readonly Teammate[],
  chosen: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): [string, string][] {
  const some = people.filter(({ userId }) => chosen.has(userId));
  return some.map(({ email, userId }) => {
    const key = email === undefined ? userId : userKey(email);
    return [taken.has(key) ? userId : key, userId];
  });
}

/**
 * The live values to record after a change: the declared people, without people that no preview has shown. If the change
 * failed, people who should have been removed or added are still included, for the next update.
 */
export function settled(
  live: Live,
  { members }: Inputs,
  people: readonly Teammate[],
  { added, lowered, removed }: Changes,
  { done, failed }: Outcome,
): Live {
  const names = new Set(Object.keys(members).map(userKey));
  const among = <T>(map: Iterable<readonly [string, T]>) => new Map([...map].filter(([name]) => names.has(name)));
  const ids = among(live.ids);
  const declared = new Set(ids.values());
  const left = failed ? people.filter(({ userId }) => live.managed.has(userId) && !declared.has(userId)) : [];
  const carriedOut = new Set(done);
  const asked = [...added, ...lowered].flatMap((change): [string, TeamRole | undefined][] =>
    isEmail(change.user) ? [[change.user, carriedOut.has(change) ? change.role : undefined]] : [],
  );
  const staying = removed.filter((change) => isEmail(change.user) && !carriedOut.has(change));
  const withdrawn = staying.map(({ user }): [string, TeamRole] => [user, live.pending.get(user) ?? "member"]);
  return {
    people,
    ids,
    pending: new Map([...among(live.pending), ...asked, ...withdrawn]),
    managed: new Set(),
    found: new Set(left.map(({ userId }) => userId)),
  };
}

/**
 * The user ids by key. A recorded id stays valid while the person is in the team, even under another e-mail. If the person is
 * no longer in the team, the e-mail may belong to somebody else.
 */
export async function idsOf(
  context: Context,
  people: readonly Teammate[],
  names: readonly string[],
  recorded: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const present = new Set(people.map(({ userId }) => userId));
  const byEmail = new Map(people.flatMap(({ email, userId }) => (email ? [[userKey(email), userId]] : [])));
  const members = membersOf(context);
  const resolve = async (name: string): Promise<[string, string][]> => {
    const key = userKey(name);
    const before = recorded[key];
    if (!isEmail(name)) return [[name, name]];
    if (before !== undefined && present.has(before)) {
      refuseOtherPerson(context, key, before);
      return [[key, before]];
    }
    refuseOtherPerson(context, key, byEmail.get(key));
    const userId =
      byEmail.get(key) ?? (await members.read(key))?.user.id ?? (before && (await members.read(before))?.user.id);
    return userId ? [[key, userId]] : [];
  };
  return new Map((await Promise.all(names.map(resolve))).flat());
}

export function recordedIds({ members, userIds = {} }: State): string[] {
  return Object.keys(members).flatMap((name) => (isEmail(name) ? (userIds[userKey(name)] ?? []) : name));
}

/** The recorded pending e-mails. One without a recorded role may have been sent to the service by a change that failed. */
export function pendingIn({ members, pending = [] }: State, ids: ReadonlyMap<string, string>): Live["pending"] {
  const roles = keyed(members);
  return new Map(pending.filter((name) => !ids.has(name)).map((name) => [name, roles[name]]));
}

/** Finds people in the team who are neither declared nor ignored. */
export function findUnmanaged(
  people: readonly Teammate[],
  ids: ReadonlyMap<string, string>,
  { members, ignore }: Inputs,
) {
  const ignored = matcherOf(ignore ?? []);
  const declared = new Set(Object.keys(members).map((name) => ids.get(userKey(name))));
  return people.filter((one) => !declared.has(one.userId) && !ignored(one));
}

export async function changesOf(context: Context, live: Live, declared: Inputs): Promise<Changes> {
  const { teamId, members } = declared;
  const team = teamOf(context, teamId);
  const named = Object.keys(members).map((name): [string, string | undefined] => [name, live.ids.get(userKey(name))]);
  await refuseSecondManager(context, teamArea(teamId), new Map(named));
  const unmanaged = findUnmanaged(live.people, live.ids, declared);
  const leaving = unmanaged.filter(({ userId }) => live.managed.has(userId));
  refuseHidden(team, leaving, live, declared);
  const kept = unmanaged.filter(({ userId }) => !live.managed.has(userId));
  if (kept.length > 0)
    context.run.tell(`${listed(kept)} stay in team ${teamId}: no preview has shown them yet; the next refresh will`);
  const declaredNow = keyed(members);
  const withdrawn = [...live.pending.keys()].filter((name) => !(name in declaredNow));
  const given = roleChanges(live, declared);
  const newcomers = given.added.map(({ user }) => user).filter((user) => !isEmail(user));
  if (withdrawn.length > 0 && (await team.hides(newcomers))) {
    context.run.tell(
      `${withdrawn.join(", ")} are not withdrawn from team ${teamId}: a person who is in the team, or joins it now, hides the e-mail, and may have one of these`,
    );
    withdrawn.length = 0;
  }
  const removed = await withoutManaged(context, team, [...leaving.map(({ userId }) => userId), ...withdrawn], live.ids);
  await refuseTwoPeople(context, leavingIn(removed, live.people, live.ids));
  const changes = { ...given, removed: removed.map((user) => ({ user })) };
  await refuseNoOwner(context, { team, people: live.people, changes, declared }, wayOut.update);
  return changes;
}

/** The people to add or make owners, and the owners to make members. */
function roleChanges(live: Live, { members }: Inputs): Pick<Changes, "added" | "lowered"> {
  const roles = new Map(live.people.map(({ userId, role }) => [userId, role]));
  const wanted = Object.entries(keyed(members)).map(([name, role]) => {
    const userId = live.ids.get(name);
    const now = userId === undefined ? live.pending.get(name) : roles.get(userId);
    return { user: userId ?? name, role, now };
  });
  const changed = wanted.filter(({ role, now }) => role !== now);
  const lowers = ({ now }: { now: string | undefined }) => now === "owner";
  const plain = ({ user, role }: { user: string; role: TeamRole }) => ({ user, role });
  return {
    added: changed.filter((one) => !lowers(one)).map(plain),
    lowered: changed.filter(lowers).map(plain),
  };
}

/** Returns the users that no other resource of the run manages in the team. Tells the user which ones stay. */
export async function withoutManaged(
  context: Context,
  { teamId }: Team,
  users: readonly string[],
  /** User ids by recorded e-mail. */
  ids: ReadonlyMap<string, string>,
): Promise<string[]> {
  const names = new Map<string, string[]>();
  for (const [name, userId] of ids) names.set(userId, [...(names.get(userId) ?? []), name]);
  const managed = await Promise.all(
    users.map((user) => isPersonManaged(context, teamArea(teamId), user, names.get(user))),
  );
  const staying = users.filter((_, index) => managed[index]);
  if (staying.length > 0)
    context.run.tell(`${staying.join(", ")} stay in team ${teamId}: other resources of this run manage them`);
  return users.filter((_, index) => !managed[index]);
}

/** The people to be removed, once for each name that the state has for them. */
export function leavingIn(
  removed: readonly string[],
  people: readonly Teammate[],
  ids: Iterable<readonly [string, string]>,
) {
  const leaving = new Set(removed);
  const going = new Map(people.filter(({ userId }) => leaving.has(userId)).map((one) => [one.userId, one]));
  return [...ids].flatMap(([name, userId]) =>
    going.has(userId) ? [{ name, userId, email: going.get(userId)?.email }] : [],
  );
}

/** Refuses to remove a person with a hidden e-mail who may be declared or ignored by e-mail. */
function refuseHidden(
  { teamId }: Team,
  leaving: readonly Teammate[],
  live: Live,
  { members, ignore = [] }: Inputs,
): void {
  const unresolved = Object.keys(members).filter((name) => !live.ids.has(userKey(name)));
  const patterns = ignore.filter(asksForEmail);
  const byName = new Set([...live.ids].flatMap(([name, userId]) => (isEmail(name) ? [userId] : [])));
  // A person that the program declared by id so far is not the one that it declares by e-mail now.
  const doubtful = leaving.filter(({ hidden }) => hidden);
  const hidden = doubtful.filter(({ userId }) => {
    if (live.found.has(userId)) return unresolved.length + patterns.length > 0;
    return byName.has(userId) && unresolved.length > 0;
  });
  if (hidden.length === 0) return;
  const byEmail = [...patterns, ...unresolved];
  throw new DocsError(
    `team ${teamId}: ${listed(hidden)} hide their e-mail, so they may be among ${byEmail.join(", ")}; declare them by user id in ` +
      "members or in ignore, or remove them from the team in the app",
  );
}

/** A change of a whole team. */
interface TeamPlan {
  readonly team: Team;
  /** The team as it was read before the change. */
  readonly people: readonly Teammate[];
  readonly changes: Changes;
  readonly declared: Pick<Inputs, "allowNoOwner">;
}

/** How to make the change that `refuseNoOwner` refuses. */
export const wayOut = {
  update: "declare another owner, or allowNoOwner: true",
  delete:
    "to keep its members, restore the resource with onDestroy: leave, run pulumi up, then remove it; to remove everyone, " +
    "restore it with allowNoOwner: true, run pulumi up, then remove it",
};

const losing = ({ people, changes: { lowered, removed } }: TeamPlan): Teammate[] => {
  const going = new Set([...lowered, ...removed].map(({ user }) => user));
  return people.filter(({ userId, role }) => role === "owner" && going.has(userId));
};

/** A change of a program must keep an owner. `pulumi destroy` may remove the last one, because administrators remain. */
export const keepsOwner = ({ run }: Context, { declared }: Pick<TeamPlan, "declared">): boolean =>
  run.runsProgram() && !declared.allowNoOwner;

export async function refuseNoOwner(context: Context, plan: TeamPlan, way: string): Promise<void> {
  const going = losing(plan);
  if (going.length === 0 || !keepsOwner(context, plan)) return;
  const { team, people, changes } = plan;
  const stays = people.some((one) => one.role === "owner" && !one.disabled && !going.includes(one));
  if (stays || (await gainsOwner(context, changes))) return;
  throw new DocsError(noOwner(team.teamId, listed(going), way));
}

export const noOwner = (teamId: string, owners: string, way: string): string =>
  `team ${teamId} would have no owner: this change removes or lowers ${owners}; ${way}`;

/** Whether a person who can sign in becomes an owner. */
async function gainsOwner(context: Context, { added }: Changes): Promise<boolean> {
  const ids = added.flatMap(({ user, role }) => (role === "owner" && !isEmail(user) ? [user] : []));
  const members = await Promise.all(ids.map((userId) => membersOf(context).read(userId)));
  return members.some((member) => member && !member.disabled);
}

/** Adds to a failure what was done before it, if that may have caused it. */
export function explainedFailure({ teamId }: Team, { done, failed }: Outcome): unknown {
  if (done.length === 0 || !losesRights(failed)) return failed;
  return new RightsLostError(`team ${teamId}: ${enumerated(done.map(resultOf), "; ")}`, failed);
}

/** The people of a team after accepted changes, for the case that the token may no longer read the team. */
export function peopleAfter(people: readonly Teammate[], done: readonly TeamChange[]): Teammate[] {
  const after = new Map(people.map((one) => [one.userId, one]));
  for (const { user, role } of done) {
    if (isEmail(user)) continue;
    if (role === undefined) after.delete(user);
    else after.set(user, { ...after.get(user), userId: user, role });
  }
  return [...after.values()];
}

/** Carries out the change. If the team has no owner afterwards, because others were lowered meanwhile, restores its owners. */
export async function changeTeam(context: Context, plan: TeamPlan): Promise<Outcome> {
  const { team, changes } = plan;
  const outcome = await team.change(changes);
  if (!keepsOwner(context, plan)) return outcome;
  const changed = new Set(outcome.done.map(({ user }) => user));
  const former = losing(plan).filter(({ userId }) => changed.has(userId));
  if (former.length === 0) return outcome;
  try {
    await team.verifyOwned(former);
    return outcome;
  } catch (failed) {
    if (failed instanceof RightsLostError) return { done: outcome.done, failed: failed.cause };
    const restored = new Set(former.map(({ userId }) => userId));
    return { done: outcome.done.filter(({ user }) => !restored.has(user)), failed };
  }
}

export function notDeclared(teamId: string, others: readonly Teammate[]): DocsError {
  return new DocsError(
    `team ${teamId} has people who are not declared: ${listed(others)}; declare them, add them to ignore, or declare ` +
      "removeExisting: true to remove them",
  );
}

export const listed = (people: readonly Teammate[]): string => people.map(nameOfTeammate).join(", ");

/** Roles by key: an e-mail in lower case, or an id. */
const keyed = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, role]) => [userKey(name), role]));

export function sameMembers(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(keyed(a as Members), keyed(b as Members));
}
