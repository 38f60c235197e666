import { listNames } from "../../access/carry-out";
import { freshEnough, maxAgeBeforeRemoval } from "../../access/members";
import { isTokenRefused, UncheckedError, uncheckedWithoutRights } from "../../access/quorum";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import { type TeamWriter, teamOf } from "../../access/team";
import { type Changes, describeChange, type TeamChange, type TeamOutcome } from "../../access/team-changes";
import { namesOfTeammates, type Teammate } from "../../access/teammate";
import { DocsError } from "../../api/http/errors";
import { defineResource } from "../../lifecycle/definition";
import { samePatterns } from "../../people/patterns";
import { isEmail, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { identify, type Live, liveAfter, pendingIn, recordedIds, sameMembers, teamOutputs, valuesOf } from "./live";
import { losingOwners, planTeam, refuseNoOwner, type TeamPlan, teamChanges, teamMembersAccess, wayOut } from "./plan";
import { type TeamMembersInputs, teamMembersInputs, teamMembersOutputs } from "./properties";

/**
 * All members of one team. Unmanaged members are removed only after a preview has shown them.
 *
 * @remarks
 * Its id is the id of the team.
 *
 * `onRelease` decides what a deletion does. By default, it removes the declared people from the team, and nobody else.
 *
 * @example
 * ```ts
 * new docs.TeamMembers("writers", {
 *   teamId: "team_writers",
 *   members: { "ada@acme.test": "owner", "grace@acme.test": "member" },
 *   ignore: ["*@contractor.test"],
 * });
 * ```
 */
export const teamMembers = defineResource({
  name: "TeamMembers",
  inputs: teamMembersInputs,
  outputs: teamMembersOutputs,
  equal: { members: sameMembers, ignore: samePatterns },
  ...teamMembersAccess,
  outdated: ({ found = [], userIds = {}, pending = [], members: recorded }, { members }) => {
    const recordedNames = new Set(Object.keys(recorded).map(userKey));
    const declaresFoundPerson = Object.keys(members).some((name) => found.includes(userIds[userKey(name)] ?? name));
    // A change that failed may have sent this e-mail to the service.
    const hasDoubtfulPending = pending.some((name) => !recordedNames.has(name));
    return declaresFoundPerson || hasDoubtfulPending;
  },
  async atPreview(context, declared, recorded) {
    if (!recorded) await readNewTeam(context, declared);
  },

  lifecycle: {
    async create(context, declared): Promise<{ id: string; live: Live }> {
      const { people, ids, absent, unmanaged } = await readNewTeam(context, declared);
      const found = new Set(unmanaged.map(({ userId }) => userId));
      return { id: declared.teamId, live: { people, ids, absent, pending: new Map(), found } };
    },

    async observe(context, _id, recorded, declared): Promise<Live | undefined> {
      const people = await teamOf(context, recorded.teamId).list.findAll(recordedIds(recorded), freshEnough);
      if (people === undefined) return undefined;
      const names = [...Object.keys(declared.members), ...Object.keys(recorded.members), ...(recorded.pending ?? [])];
      const { ids, absent, unmanaged } = await identify(context, people, names, recorded);
      // People who were found before stay in the list until an update, also if they are declared now.
      const foundIds = new Set([...unmanaged.map(({ userId }) => userId), ...(recorded.found ?? [])]);
      const found = people.map(({ userId }) => userId).filter((userId) => foundIds.has(userId));
      return { people, ids, absent, pending: pendingIn(recorded, ids), found: new Set(found) };
    },

    async *sync(context, _id, live, declared) {
      const team = teamOf(context, declared.teamId);
      const { people, ids, absent } = live;
      // The plan takes from the recorded state who has left, which the live state knows better.
      const recorded = context.recorded && { ...context.recorded, absent: teamOutputs(live).absent };
      const definition = teamMembersAccess;
      const planned = await planTeam(context, { definition, team, people, ids, absent, declared, recorded });
      await refuseNoOwner(context, planned, wayOut.update);
      const changes = teamChanges(planned.plan);
      const outcome = await changeTeam(context, planned, changes);
      const after = await readAfter(team, people, outcome);
      const { done } = outcome;
      const failed = outcome.failed ?? after.failed;
      yield liveAfter(live, declared, after.people, changes, { done, failed });
      if (failed) throw explainFailure(team, { done, failed });
    },

    values: (live, { members }) => ({ members: valuesOf(live, members) }),

    outputs: teamOutputs,

    async remove(context, _id, recorded) {
      const { onRelease, members, pending = [] } = recorded;
      if (onRelease === "leave" || Object.keys(members).length + pending.length === 0) return;
      const team = teamOf(context, recorded.teamId);
      const people = await team.list.findAll(recordedIds(recorded), maxAgeBeforeRemoval(context));
      if (people === undefined) return;
      const planned = await planTeam(context, { definition: teamMembersAccess, team, people, recorded });
      await refuseNoOwner(context, planned, wayOut.delete);
      const { failed } = await changeTeam(context, planned, teamChanges(planned.plan));
      if (failed) throw failed;
    },
  },
});

/** Reads a team that becomes managed. Refuses people who are not declared, or tells the user that the creation removes them. */
async function readNewTeam(context: Context, declared: TeamMembersInputs) {
  const people = await teamOf(context, declared.teamId).list.people.all(freshEnough);
  const read = { people, ...(await identify(context, people, Object.keys(declared.members), declared)) };
  const { teamId, exclusive } = declared;
  const { unmanaged } = read;
  if (unmanaged.length === 0) return read;
  const names = namesOfTeammates(unmanaged);
  if (!exclusive)
    throw new DocsError(
      `team ${teamId} has people who are not declared: ${names}; declare them, add them to ignore, or set ` +
        "exclusive to true, which removes them",
    );
  context.run.tellOnce(`team ${teamId}: exclusive removes ${names}`);
  return read;
}

/** Reads the people of a team after a change. If they cannot be read, returns the failure, and the people as far as known. */
async function readAfter(team: TeamWriter, before: readonly Teammate[], { done }: TeamOutcome) {
  try {
    return { people: await team.list.people.all(), failed: undefined };
  } catch (failed) {
    return { people: isTokenRefused(failed) ? peopleAfter(before, done) : before, failed };
  }
}

/** The people of a team after accepted changes. If the token may no longer read the team, no later read can show them. */
function peopleAfter(people: readonly Teammate[], done: readonly TeamChange[]): Teammate[] {
  const after = new Map(people.map((one) => [one.userId, one]));
  for (const { user, role } of done) {
    if (isEmail(user)) continue;
    if (role === undefined) after.delete(user);
    else after.set(user, { ...after.get(user), userId: user, role });
  }
  return [...after.values()];
}

/** Carries out the change. If the team has no owner afterwards, because others were lowered meanwhile, restores its owners. */
async function changeTeam(context: Context, planned: TeamPlan, changes: Changes): Promise<TeamOutcome> {
  const { team, plan } = planned;
  refuseUnreviewed(context, plan);
  const outcome = await team.change(changes);
  const changed = new Set(outcome.done.map(({ user }) => user));
  const former = losingOwners(context, planned).filter(({ userId }) => changed.has(userId));
  if (former.length === 0) return outcome;
  try {
    await team.verifyOwned(former);
    return outcome;
  } catch (failed) {
    if (failed instanceof UncheckedError) return { done: outcome.done, failed };
    const restored = new Set(former.map(({ userId }) => userId));
    return { done: outcome.done.filter(({ user }) => !restored.has(user)), failed };
  }
}

/** If the changes that were made may have caused the failure, the failure names them. */
function explainFailure({ teamId }: TeamWriter, { done, failed }: TeamOutcome): unknown {
  if (done.length === 0 || !isTokenRefused(failed)) return failed;
  return uncheckedWithoutRights(`team ${teamId}: ${listNames(done.map(describeChange), "; ")}`, failed);
}
