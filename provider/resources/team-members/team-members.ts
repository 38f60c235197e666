import { listNames } from "../../access/carry-out";
import { freshEnough } from "../../access/members";
import { losesRights, rightsLost, UncheckedError } from "../../access/quorum";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import { type Team, teamOf } from "../../access/team";
import { type Changes, describeChange, type Outcome, type TeamChange } from "../../access/team-changes";
import { namesOfTeammates, type Teammate } from "../../access/teammate";
import { DocsError } from "../../api/http/errors";
import { defineResource } from "../../lifecycle/definition";
import { isEmail, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { identify, type Live, liveAfter, outputsOf, pendingIn, recordedIds, sameMembers, valuesOf } from "./live";
import { changesOf, losingOwners, managed, planTeam, refuseNoOwner, type TeamPlan, wayOut } from "./plan";
import { type Inputs, inputs, outputs } from "./properties";

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
  inputs,
  outputs,
  equal: { members: sameMembers },
  ...managed,
  // The program now declares a person that a refresh found, or the state does not say whether a pending e-mail was sent to the service.
  outdated: ({ found = [], userIds = {}, pending = [], members: recorded }, { members }) => {
    const known = new Set(Object.keys(recorded).map(userKey));
    return (
      Object.keys(members).some((name) => found.includes(userIds[userKey(name)] ?? name)) ||
      pending.some((name) => !known.has(name))
    );
  },
  atPreview: async (context, declared, recorded) => recorded ?? readUnmanaged(context, declared),

  lifecycle: {
    async create(context, declared): Promise<{ id: string; live: Live }> {
      const { people, ids, others } = await readUnmanaged(context, declared);
      const found = new Set(others.map(({ userId }) => userId));
      return { id: declared.teamId, live: { people, ids, pending: new Map(), found } };
    },

    async observe(context, _id, recorded, declared): Promise<Live | undefined> {
      const people = await teamOf(context, recorded.teamId).list.findAll(recordedIds(recorded), freshEnough);
      if (people === undefined) return undefined;
      const names = [...Object.keys(declared.members), ...Object.keys(recorded.members), ...(recorded.pending ?? [])];
      const { ids, unmanaged } = await identify(context, people, names, recorded);
      const shown = new Set([...unmanaged.map(({ userId }) => userId), ...(recorded.found ?? [])]);
      const found = people.map(({ userId }) => userId).filter((userId) => shown.has(userId));
      return { people, ids, pending: pendingIn(recorded, ids), found: new Set(found) };
    },

    async *sync(context, _id, live, declared) {
      const team = teamOf(context, declared.teamId);
      const { people, ids } = live;
      const start = { definition: managed, team, people, ids, declared, recorded: context.recorded };
      const planned = await planTeam(context, start);
      await refuseNoOwner(context, planned, wayOut.update);
      const changes = changesOf(planned.plan);
      const { done, failed } = await changeTeam(context, planned, changes);
      const read = await team.list.people.all().then(
        (people) => ({ people, failed }),
        (error: unknown) => {
          const people = losesRights(error) ? peopleAfter(live.people, done) : live.people;
          return { people, failed: failed ?? error };
        },
      );
      yield liveAfter(live, declared, read.people, changes, { done, failed: read.failed });
      if (read.failed) throw explainFailure(team, { done, failed: read.failed });
    },

    values: (live, { members }) => ({ members: valuesOf(live, members) }),

    outputs: outputsOf,

    async remove(context, _id, recorded) {
      const { onRelease, members, pending = [] } = recorded;
      if (onRelease === "leave" || Object.keys(members).length + pending.length === 0) return;
      const team = teamOf(context, recorded.teamId);
      const people = await team.list.findAll(
        recordedIds(recorded),
        context.run.runsProgram() ? freshEnough : undefined,
      );
      if (people === undefined) return;
      const planned = await planTeam(context, { definition: managed, team, people, recorded });
      await refuseNoOwner(context, planned, wayOut.delete);
      const { failed } = await changeTeam(context, planned, changesOf(planned.plan));
      if (failed) throw failed;
    },
  },
});

/** Reads a team that becomes managed. Refuses people who are not declared, or names the people that the creation removes. */
async function readUnmanaged(context: Context, declared: Inputs) {
  const people = await teamOf(context, declared.teamId).list.people.all(freshEnough);
  const { ids, unmanaged: others } = await identify(context, people, Object.keys(declared.members), declared);
  const { teamId, removeExisting } = declared;
  if (others.length === 0) return { people, ids, others };
  const names = namesOfTeammates(others);
  if (!removeExisting)
    throw new DocsError(
      `team ${teamId} has people who are not declared: ${names}; declare them, add them to ignore, or set ` +
        "removeExisting to true, which removes them",
    );
  context.run.tellOnce(`team ${teamId}: removeExisting removes ${names}`);
  return { people, ids, others };
}

/** The people of a team after accepted changes, for the case that the token may no longer read the team. */
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
async function changeTeam(context: Context, planned: TeamPlan, changes: Changes): Promise<Outcome> {
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

/** Names the changes that were made in a failure that they may have caused. */
function explainFailure({ teamId }: Team, { done, failed }: Outcome): unknown {
  if (done.length === 0 || !losesRights(failed)) return failed;
  return rightsLost(`team ${teamId}: ${listNames(done.map(describeChange), "; ")}`, failed);
}
