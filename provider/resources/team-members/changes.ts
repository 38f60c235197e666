import { enumerated } from "../../access/bulk";
import { isPersonManaged } from "../../access/management";
import { type ChangedPerson, refuseTwoPeople } from "../../access/members";
import { losesRights, RightsLostError, UncheckedError } from "../../access/quorum";
import { refuseSecondManager } from "../../access/same-person";
import { teamArea } from "../../access/subject";
import { type Team, teamOf } from "../../access/team";
import { type Changes, describeChange, type Outcome } from "../../access/team-changes";
import { namesOfTeammates, type Teammate } from "../../access/teammate";
import type { TeamRole } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { asksForEmail } from "../../people/patterns";
import { isEmail, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { findUnmanaged, type Live, rolesByKey } from "./live";
import { losingOwners, needsOwner, refuseNoOwner, type TeamPlan, wayOut } from "./owners";
import type { Inputs } from "./properties";

/** The changes that make a team what the program declares. */

export async function changesOf(context: Context, live: Live, declared: Inputs): Promise<Changes> {
  const { teamId, members } = declared;
  const team = teamOf(context, teamId);
  const named = Object.keys(members).map((name): [string, string | undefined] => [name, live.ids.get(userKey(name))]);
  await refuseSecondManager(context, teamArea(teamId), new Map(named));
  const unmanaged = findUnmanaged(live.people, live.ids, declared);
  const leaving = unmanaged.filter(({ userId }) => live.managed.has(userId));
  refuseHidden(team, leaving, live, declared);
  const notShown = unmanaged.filter(({ userId }) => !live.managed.has(userId));
  if (notShown.length > 0) {
    context.run.tell(
      `${namesOfTeammates(notShown)} stay in team ${teamId}: no preview has shown them yet; the next refresh shows them`,
    );
  }
  const given = roleChanges(live, declared);
  const withdrawn = await findWithdrawn(context, team, live, declared, given);
  const users = [...leaving.map(({ userId }) => userId), ...withdrawn];
  const removed = await withoutManaged(context, team, users, live.ids);
  await refuseTwoPeople(context, changedPeople(removed, live.people, live.ids));
  const changes = { ...given, removed: removed.map((user) => ({ user })) };
  await refuseNoOwner(context, { team, people: live.people, changes, declared }, wayOut.update);
  return changes;
}

/** The people to add or make owners, and the owners to make members. */
function roleChanges(live: Live, { members }: Inputs): Pick<Changes, "added" | "lowered"> {
  const roles = new Map(live.people.map(({ userId, role }) => [userId, role]));
  const wanted = Object.entries(rolesByKey(members)).map(([name, role]) => {
    const userId = live.ids.get(name);
    const now = userId === undefined ? live.pending.get(name) : roles.get(userId);
    return { user: userId ?? name, role, now };
  });
  const changed = wanted.filter(({ role, now }) => role !== now);
  const lowers = ({ now }: { now: string | undefined }) => now === "owner";
  const changeOf = ({ user, role }: { user: string; role: TeamRole }) => ({ user, role });
  return {
    added: changed.filter((one) => !lowers(one)).map(changeOf),
    lowered: changed.filter(lowers).map(changeOf),
  };
}

/** The pending e-mails to withdraw: those that are no longer declared, unless a person in the team may have one of them. */
async function findWithdrawn(
  context: Context,
  team: Team,
  live: Live,
  { members }: Inputs,
  { added }: Pick<Changes, "added">,
): Promise<string[]> {
  const declared = rolesByKey(members);
  const withdrawn = [...live.pending.keys()].filter((name) => !(name in declared));
  const newcomers = added.map(({ user }) => user).filter((user) => !isEmail(user));
  if (withdrawn.length === 0 || !(await team.list.hidesEmail(newcomers))) return withdrawn;
  context.run.tell(
    `the pending memberships of ${withdrawn.join(", ")} in team ${team.teamId} are not withdrawn: a person in the team, or a person ` +
      "who is added now, hides the e-mail and may have one of these",
  );
  return [];
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

/** The removed people with each name that the state has for them. */
export function changedPeople(
  removed: readonly string[],
  people: readonly Teammate[],
  ids: Iterable<readonly [string, string]>,
): ChangedPerson[] {
  const leaving = new Set(removed);
  const byId = new Map(people.filter(({ userId }) => leaving.has(userId)).map((one) => [one.userId, one]));
  return [...ids].flatMap(([name, userId]) =>
    byId.has(userId) ? [{ name, userId, email: byId.get(userId)?.email }] : [],
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
  // A person that the program declared by id so far cannot be the one that it declares by e-mail now.
  const doubtful = leaving.filter(({ hidden }) => hidden);
  const hidden = doubtful.filter(({ userId }) => {
    if (live.found.has(userId)) return unresolved.length + patterns.length > 0;
    return byName.has(userId) && unresolved.length > 0;
  });
  if (hidden.length === 0) return;
  const byEmail = [...patterns, ...unresolved];
  throw new DocsError(
    `team ${teamId}: ${namesOfTeammates(hidden)} hide their e-mail, so they may be among ${byEmail.join(", ")}; declare them by user id in ` +
      "members or in ignore, or remove them from the team in the app",
  );
}

/** Carries out the change. If the team has no owner afterwards, because others were lowered meanwhile, restores its owners. */
export async function changeTeam(context: Context, plan: TeamPlan): Promise<Outcome> {
  const { team, changes } = plan;
  const outcome = await team.change(changes);
  if (!needsOwner(context, plan)) return outcome;
  const changed = new Set(outcome.done.map(({ user }) => user));
  const former = losingOwners(plan).filter(({ userId }) => changed.has(userId));
  if (former.length === 0) return outcome;
  try {
    await team.verifyOwned(former);
    return outcome;
  } catch (failed) {
    if (failed instanceof RightsLostError) return { done: outcome.done, failed: failed.cause };
    if (failed instanceof UncheckedError) return { done: outcome.done, failed };
    const restored = new Set(former.map(({ userId }) => userId));
    return { done: outcome.done.filter(({ user }) => !restored.has(user)), failed };
  }
}

/** Names the changes that were made in a failure that they may have caused. */
export function explainFailure({ teamId }: Team, { done, failed }: Outcome): unknown {
  if (done.length === 0 || !losesRights(failed)) return failed;
  return new RightsLostError(`team ${teamId}: ${enumerated(done.map(describeChange), "; ")}`, failed);
}

export function notDeclared(teamId: string, others: readonly Teammate[]): DocsError {
  return new DocsError(
    `team ${teamId} has people who are not declared: ${namesOfTeammates(others)}; declare them, add them to ignore, or set ` +
      "removeExisting to true, which removes them",
  );
}
