import { WriteCoalescer } from "../api/cache/write-coalescer";
import type { TeamRole } from "../api/groups/shared";
import { DocsError, isAboutContent, isRefused } from "../api/http/errors";
import { isEmail, userKey } from "../people/user";
import { notDeleted } from "../run/collection";
import { type Context, organizationScoped } from "../run/context";
import { type Failed, joinFailures, listNames } from "./carry-out";
import { freshEnough, howPeopleJoin, maxAgeBeforeRemoval, membersOf } from "./members";
import { Quorum } from "./quorum";
import {
  bodyOfChanges,
  type Changes,
  describeChange,
  describeRest,
  mostInOneCall,
  type TeamChange,
  type TeamOutcome,
} from "./team-changes";
import { TeamList } from "./team-list";
import { nameOfTeammate, type Teammate } from "./teammate";

/** A team of the organization. This is the only code that changes its members. */
export class TeamWriter {
  readonly list: TeamList;
  private readonly batch: WriteCoalescer<TeamChange>;
  private readonly ownership: Quorum;
  /** Ids of people whose removal the service accepted without proof that it was carried out. */
  private readonly unproven = new Set<string>();

  constructor(
    private readonly context: Context,
    readonly teamId: string,
  ) {
    this.list = new TeamList(context, teamId);
    const { list } = this;
    this.ownership = new Quorum(context, `owner of team ${teamId}`, {
      list: (anew) => list.readOwners(anew),
      confirm: (userId) => list.isOwner(userId),
      readsShow: async (userIds, hasRole, anew) => {
        // Fills the cache, which is asked below.
        await list.readOwners(anew);
        const isShown = (userId: string) => (list.people.cached(userId)?.role === "owner") === hasRole;
        return list.people.showsWrites(userIds) && userIds.every(isShown);
      },
    });
    this.batch = new WriteCoalescer({
      keyOf: ({ user }) => userKey(user),
      send: (changes) => this.send(changes),
      most: mostInOneCall,
    });
  }

  /**
   * Adds a person or changes the role. In a run of a program, an owner becomes a member only if the team keeps another owner. A
   * person who was in the team may still be an owner although the list omits the person, so the absence must be proven.
   */
  async set(userId: string, role: TeamRole, wasInTeam = false): Promise<void> {
    const write = () => this.batch.write({ user: userId, role });
    if (role === "owner") return this.ownership.raise(write);
    // Both reads show who has become an owner since the run read the team. Only `find` has an absence confirmed.
    const before = await (wasInTeam
      ? this.list.people.find(userId, freshEnough)
      : this.list.people.read(userId, freshEnough));
    return before?.role === "owner" ? this.lower(before, write) : write();
  }

  /** Removes a person, and verifies it if the answer does not prove the removal. */
  async remove(userId: string): Promise<void> {
    const write = () => this.batch.write({ user: userId });
    const before = await this.list.people.find(userId, maxAgeBeforeRemoval(this.context));
    await (before?.role === "owner" ? this.lower(before, write) : write());
    await this.verifyRemoved([userId]);
  }

  /**
   * Sends many changes with one call. If the service refuses the call, each change is sent alone, and the error names those that
   * fail. In that case nobody is lowered if somebody could not be added, and nobody is removed if any earlier change failed.
   */
  async change(changes: Changes): Promise<TeamOutcome> {
    const { added, lowered, removed } = changes;
    const all = [...added, ...lowered, ...removed];
    if (all.length === 0) return { done: [] };
    if (all.length > mostInOneCall) return this.changeEach(changes);
    try {
      await this.send(all);
    } catch (failed) {
      return isAboutContent(failed) ? this.changeEach(changes) : { done: [], failed };
    }
    return this.outcomeOf(all, removed);
  }

  /** Adds a person who is not a member of the organization, by e-mail. The membership is pending until the person has joined. */
  async addPending(email: string, role: TeamRole): Promise<void> {
    try {
      await this.batch.write({ user: email, role });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.tellPending(email, `, and the service refuses the e-mail ("${error.serviceMessage}")`);
    }
  }

  /** Withdraws a pending membership. If the service does not know the e-mail, there is nothing to withdraw. */
  async withdrawPending(email: string): Promise<void> {
    await this.batch.write({ user: email }).catch((error) => {
      if (!isRefused(error)) throw error;
    });
  }

  /** Checks after a change that the team has an owner; otherwise, the former owners become owners again. */
  verifyOwned(former: readonly Teammate[]): Promise<void> {
    const loss = { userIds: former.map(({ userId }) => userId), names: listNames(former.map(nameOfTeammate)) };
    return this.ownership.verify({ ...loss, restore: () => this.restoreOwners(former) }, undefined);
  }

  /** `pulumi destroy` may remove the last owner, because administrators remain; an up of a program may not. */
  private lower(owner: Teammate, write: () => Promise<void>): Promise<void> {
    if (!this.context.run.runsProgram()) return write();
    const names = nameOfTeammate(owner);
    const loss = {
      userIds: [owner.userId],
      names,
      restore: () => this.restoreOwners([owner]),
      refusal: `${names} is the last owner of team ${this.teamId}; make somebody else an owner first, or keep this one`,
    };
    return this.ownership.lower(loss, write);
  }

  private restoreOwners(owners: readonly Teammate[]): Promise<unknown> {
    return Promise.all(owners.map(({ userId }) => this.batch.write({ user: userId, role: "owner" })));
  }

  private async verifyRemoved(userIds: readonly string[]): Promise<void> {
    const unverified = userIds.filter((userId) => this.unproven.has(userId));
    for (const userId of unverified) this.unproven.delete(userId);
    const people = await Promise.all(unverified.map((userId) => this.list.people.confirmRemoval(userId)));
    const remaining = people.filter((one) => one !== undefined);
    if (remaining.length === 0) return;
    throw notDeleted(listNames(remaining.map(nameOfTeammate)), `the members of team ${this.teamId}`);
  }

  /** The service accepted all changes; verifies that the removals were carried out. */
  private async outcomeOf(done: readonly TeamChange[], removed: readonly TeamChange[]): Promise<TeamOutcome> {
    try {
      await this.verifyRemoved(removed.map(({ user }) => user));
      return { done };
    } catch (failed) {
      return { done: done.filter((change) => !removed.includes(change)), failed };
    }
  }

  private async changeEach(changes: Changes): Promise<TeamOutcome> {
    const nonMembers = await this.findNonMembers(changes.added);
    const done: TeamChange[] = [];
    for (const part of ["added", "lowered", "removed"] as const) {
      const failed = await this.tryEach(changes[part], nonMembers, done);
      if (failed.length === 0) continue;
      return { done, failed: joinFailures(failed, done.map(describeChange), describeRest(part, changes)) };
    }
    return this.outcomeOf(done, changes.removed);
  }

  private async tryEach(
    changes: readonly TeamChange[],
    nonMembers: ReadonlySet<string>,
    done: TeamChange[],
  ): Promise<Failed[]> {
    const failed: Failed[] = [];
    const notMember = `no member of organization ${this.context.organizationId}; ${howPeopleJoin}`;
    const tryOne = async (change: TeamChange) => {
      try {
        if (nonMembers.has(change.user)) throw new DocsError(notMember);
        await this.changeOne(change);
        done.push(change);
      } catch (error) {
        failed.push({ name: change.user, error });
      }
    };
    await Promise.all(changes.map(tryOne));
    return failed;
  }

  /** Finds ids that no member has: the service refuses them, and every other change in the same call. */
  private async findNonMembers(added: readonly TeamChange[]): Promise<ReadonlySet<string>> {
    const present = new Set((await this.list.people.all()).map(({ userId }) => userId));
    const ids = added.map(({ user }) => user).filter((user) => !isEmail(user) && !present.has(user));
    const members = await Promise.all(ids.map((userId) => membersOf(this.context).read(userId)));
    return new Set(ids.filter((_, index) => members[index] === undefined));
  }

  private changeOne({ user, role }: TeamChange): Promise<void> {
    if (!isEmail(user)) return this.batch.write({ user, ...(role && { role }) });
    return role ? this.addPending(user, role) : this.withdrawPending(user);
  }

  /** Sends changes with one call, and brings the cached list up to date. */
  private async send(changes: readonly TeamChange[]): Promise<void> {
    const { people } = this.list;
    let unproven: readonly string[];
    try {
      unproven = await this.call(changes);
    } catch (error) {
      people.drop();
      throw error;
    }
    for (const { user, role } of changes) this.ownership.noteWrite(user, role === "owner");
    for (const userId of unproven) this.unproven.add(userId);
    for (const { user, role } of changes) {
      // Only the service knows whether an e-mail without a member is in the team.
      if (isEmail(user) && role) this.tellPending(user);
      // The answer does not prove the changes, so the list is read again, and must show them.
      else if (unproven.length > 0) people.expect(user, role ?? null);
      else if (role) people.put({ ...people.cached(user), userId: user, role });
      // Only the id counts.
      else people.remove({ userId: user, role: "" });
    }
  }

  private tellPending(email: string, reason = ""): void {
    this.context.run.tell(
      `${email}: no member of organization ${this.context.organizationId} shows this e-mail${reason}; ` +
        `the membership in team ${this.teamId} is pending until a member has it`,
    );
  }

  /** Sends the changes. Returns the ids of people whose removal the answer does not prove: the answer to a bulk call never does. */
  private async call(changes: readonly TeamChange[]): Promise<string[]> {
    const { client, organizationId } = this.context;
    const path = { organizationId, teamId: this.teamId };
    const [only, ...more] = changes;
    if (only && more.length === 0 && !isEmail(only.user)) {
      const { user: userId, role } = only;
      if (role) {
        await client.putTeamMember({ ...path, userId, body: { role } });
        return [];
      }
      const { deleted } = await client.removeTeamMember({ ...path, userId });
      return deleted === true ? [] : [userId];
    }
    await client.updateTeamMembers({ ...path, body: bodyOfChanges(changes) });
    return changes.flatMap(({ user, role }) => (role || isEmail(user) ? [] : [user]));
  }
}

export const teamOf = organizationScoped((context, teamId) => new TeamWriter(context, teamId));
