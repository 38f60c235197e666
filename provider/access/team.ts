import { Batch } from "../api/cache/batch";
import { Snapshot } from "../api/cache/snapshot";
import type { Member } from "../api/groups/members";
import type { TeamRole } from "../api/groups/shared";
import type { TeamMember } from "../api/groups/teams";
import { DocsError, isAboutContent, isNotFound, isRefused } from "../api/http/errors";
import { notDeleted } from "../run/collection";
import { type Context, perOrganization } from "../run/context";
import { visible } from "../text/visible";
import { enumerated, type Failed, failureOf } from "./bulk";
import { freshEnough, howPeopleJoin, membersOf } from "./members";
import { Quorum, type UndoableLoss } from "./quorum";
import { refuseMissingPerson } from "./reviewed";
import { isEmail, userKey } from "./user";

/** A person in a team, as far as this run needs to know. */
export interface Teammate {
  readonly userId: string;
  readonly role: string;
  /** Absent for a person that this run has added, or if the e-mail is hidden. */
  readonly email?: string | undefined;
  /** The service does not return the e-mail. */
  readonly hidden?: boolean | undefined;
  readonly displayName?: string | undefined;
  /** The person cannot sign in. */
  readonly disabled?: boolean | undefined;
}

/** The intended role of one user in the team; without a role, the user is removed. */
export interface TeamChange {
  /** User id, or the e-mail of a person who is not a member of the organization yet. */
  readonly user: string;
  readonly role?: TeamRole;
}

/** Changes of a team, in the order in which they are safe. */
export interface Changes {
  /** New people, and people who become owners. */
  readonly added: readonly TeamChange[];
  /** Owners who become members. */
  readonly lowered: readonly TeamChange[];
  readonly removed: readonly TeamChange[];
}

/** The result of many changes. */
export interface Outcome {
  /** The changes that the service has accepted. */
  readonly done: readonly TeamChange[];
  /** The error; absent if all changes were accepted. */
  readonly failed?: unknown;
}

/** The maximum number of people that one call changes. */
const most = 1000;

/** A team of the organization: reads its members, and is the only code that changes them. */
export class Team {
  readonly people: Snapshot<Teammate>;
  private readonly batch: Batch<TeamChange>;
  /** The 404 that the service answered to a read of the team's list. */
  private missing: Error | undefined;
  private readonly ownership: Quorum;
  /** Ids of people whose removal the service accepted without proof that it was carried out. */
  private readonly unproven = new Set<string>();

  constructor(
    private readonly context: Context,
    readonly teamId: string,
  ) {
    const { client, organizationId } = context;
    this.people = new Snapshot<Teammate>({
      name: `the members of team ${teamId}`,
      async page(page) {
        const read = await client.listTeamMembers({
          organizationId,
          teamId,
          query: { limit: 1000, ...(page && { page }) },
        });
        return { ...read, items: read.items.map(teammate) };
      },
      keys: ({ userId }) => [userId],
      confirm: (userId) => this.confirmed(userId),
    });
    this.ownership = new Quorum(context.run, `owner of team ${teamId}`, (anew) => this.readOwners(anew));
    this.batch = new Batch({
      keyOf: ({ user }) => userKey(user),
      send: (changes) => this.send(changes),
      most,
    });
  }

  /**
   * Finds a person in the team. `undefined` means that the absence is proven: a team that is not found, or an empty list, can
   * also be caused by a wrong organization or by a token that may not see the team.
   */
  async find(userId: string, maxAge?: number): Promise<Teammate | undefined> {
    const found = await this.listed(() => this.people.find(userId, maxAge));
    if (found === undefined) await this.prove([userId]);
    return found;
  }

  /** Looks up a person that the list omits in the person's own teams, which have the role, but neither name nor e-mail. */
  private async confirmed(userId: string): Promise<Teammate | undefined> {
    const role = (await teamsOf(this.context, userId))?.get(this.teamId);
    if (role === undefined) return undefined;
    // An empty list contradicts the person's own teams, so neither answer is used.
    if ((await this.people.all()).length === 0) throw this.contradicted(userId);
    const member = await membersOf(this.context).read(userId);
    if (!member) throw this.contradicted(userId);
    return { ...ofUser(member), role };
  }

  /** Everybody in the team; `undefined` if the teams of its recorded members prove that the team is gone. */
  async everybody(recorded: readonly string[], maxAge?: number): Promise<Teammate[] | undefined> {
    const found = await this.listed(() => this.people.all(maxAge));
    if (!found?.length) {
      await this.prove(recorded);
      return found;
    }
    await Promise.all(recorded.map((userId) => this.people.find(userId)));
    return this.people.all();
  }

  /**
   * Adds a person or changes the role. In a run of a program, an owner becomes a member only if the team keeps another owner. A
   * person who was in the team may still be an owner although the list omits the person, so the absence must be proven.
   */
  async set(userId: string, role: TeamRole, wasInTeam = false): Promise<void> {
    const write = () => this.batch.write({ user: userId, role });
    if (role === "owner") return this.ownership.raise(write);
    // A person who was not in the team when the run read it may have become an owner since.
    const before = await this.people[wasInTeam ? "find" : "read"](userId, freshEnough);
    return before?.role === "owner" ? this.lower(before, write) : write();
  }

  /** Removes a person, and verifies it if the answer does not prove the removal. */
  async remove(userId: string): Promise<void> {
    const write = () => this.batch.write({ user: userId });
    const before = await this.people.find(userId, this.context.run.runsProgram() ? freshEnough : undefined);
    await (before?.role === "owner" ? this.lower(before, write) : write());
    await this.verifyRemoved([userId]);
  }

  /** Reads the people again whose removal the answers did not prove. */
  private async verifyRemoved(userIds: readonly string[]): Promise<void> {
    const open = userIds.filter((userId) => this.unproven.has(userId));
    const people = await Promise.all(open.map((userId) => this.people.read(userId)));
    const still = people.filter((one) => one !== undefined);
    for (const userId of open) this.unproven.delete(userId);
    if (still.length === 0) return;
    throw notDeleted(enumerated(still.map(nameOfTeammate)), `the members of team ${this.teamId}`, "unknown");
  }

  /**
   * Sends many changes with one call. If the service refuses it, each change is sent alone, and the error names those that
   * fail. In that case nobody is lowered if somebody could not be added, and nobody is removed if any change before failed.
   */
  async change(changes: Changes): Promise<Outcome> {
    const { added, lowered, removed } = changes;
    const all = [...added, ...lowered, ...removed];
    if (all.length === 0) return { done: [] };
    if (all.length <= most) {
      try {
        await this.send(all);
      } catch (failed) {
        if (!isAboutContent(failed)) return { done: [], failed };
        return this.changeEach(changes);
      }
      return this.outcomeOf(all, removed);
    }
    return this.changeEach(changes);
  }

  /** The service accepted all changes; verifies that the removals were carried out. */
  private async outcomeOf(done: readonly TeamChange[], removed: readonly TeamChange[]): Promise<Outcome> {
    try {
      await this.verifyRemoved(removed.map(({ user }) => user));
      return { done };
    } catch (failed) {
      return { done: done.filter((change) => !removed.includes(change)), failed };
    }
  }

  private async changeEach(changes: Changes): Promise<Outcome> {
    const { added, lowered, removed } = changes;
    const nonMembers = await this.findNonMembers(added);
    const done: TeamChange[] = [];
    for (const some of [added, lowered, removed]) {
      const failed = await this.tryEach(some, nonMembers, done);
      if (failed.length === 0) continue;
      return { done, failed: failureOf(failed, done.map(resultOf), restAfter(some, changes)) };
    }
    return this.outcomeOf(done, removed);
  }

  private async tryEach(
    changes: readonly TeamChange[],
    nonMembers: ReadonlySet<string>,
    done: TeamChange[],
  ): Promise<Failed[]> {
    const failed: Failed[] = [];
    const run = async (change: TeamChange) => {
      if (nonMembers.has(change.user)) throw this.notMember();
      await this.changeOne(change);
    };
    const tryOne = (change: TeamChange) =>
      run(change).then(
        () => done.push(change),
        (error) => failed.push({ name: change.user, error }),
      );
    await Promise.all(changes.map(tryOne));
    return failed;
  }

  /** Finds ids that no member has: the service refuses them, and every other change in the same call. */
  private async findNonMembers(added: readonly TeamChange[]): Promise<ReadonlySet<string>> {
    const present = new Set((await this.people.all()).map(({ userId }) => userId));
    const ids = added.map(({ user }) => user).filter((user) => !isEmail(user) && !present.has(user));
    const members = await Promise.all(ids.map((userId) => membersOf(this.context).read(userId)));
    return new Set(ids.filter((_, index) => members[index] === undefined));
  }

  private notMember(): DocsError {
    return new DocsError(`no member of organization ${this.context.organizationId}; ${howPeopleJoin}`);
  }

  private changeOne({ user, role }: TeamChange): Promise<void> {
    if (!isEmail(user)) return this.batch.write({ user, ...(role && { role }) });
    return role ? this.ask(user, role) : this.withdraw(user);
  }

  /** Adds a person who is not a member of the organization, by e-mail. The membership is pending until the person has joined. */
  async ask(email: string, role: TeamRole): Promise<void> {
    refuseMissingPerson(this.context, email);
    try {
      await this.batch.write({ user: email, role });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.tellPending(email, `, and the service does not accept it ("${error.serviceMessage}")`);
    }
  }

  /**
   * Whether a person in the team, or about to be added, hides the e-mail, and so may be the owner of an e-mail that no member
   * seems to have.
   */
  async hides(newcomers: readonly string[] = []): Promise<boolean> {
    const people = await this.people.all();
    if (people.some(({ hidden }) => hidden)) return true;
    // The e-mails of people that this run has added are only in the list of members.
    const withoutEmail = people.filter(({ email }) => email === undefined).map(({ userId }) => userId);
    const read = (userId: string) => membersOf(this.context).read(userId);
    const [members, coming] = await Promise.all([
      Promise.all(withoutEmail.map(read)),
      // A non-member cannot join the team, so an unknown newcomer does not count.
      Promise.all(newcomers.map(read)),
    ]);
    return members.some((member) => !member?.user.email) || coming.some((member) => member && !member.user.email);
  }

  /** Withdraws a pending membership, unless the e-mail may belong to a person in the team. */
  async withdraw(email: string): Promise<void> {
    if ((await this.everybody([])) === undefined) {
      return this.context.run.tell(
        `${email} is not withdrawn from team ${this.teamId}: the service does not find the team`,
      );
    }
    if (await this.hides()) {
      return this.context.run.tell(
        `${email} is not withdrawn from team ${this.teamId}: a person in the team hides the e-mail, and may have this one`,
      );
    }
    try {
      await this.batch.write({ user: email });
    } catch (error) {
      // The service does not know the e-mail, so there is nothing to withdraw.
      if (!isRefused(error)) throw error;
    }
  }

  /** `pulumi destroy` may take the last owner, since administrators remain; a change of a program may not. */
  private lower(owner: Teammate, write: () => Promise<void>): Promise<void> {
    return this.context.run.runsProgram() ? this.ownership.lower(this.lossOf(owner), write) : write();
  }

  /** Runs a read of the list; returns `undefined` if the service does not find the team. */
  private async listed<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.missing = error;
      return undefined;
    }
  }

  /** Proves for each person, by the person's own teams, that the person is not in this team; throws if it cannot. */
  private async prove(userIds: readonly string[]): Promise<void> {
    if (!this.missing && (await this.people.all()).length > 0) return;
    const gone = async (userId: string) => {
      const teams = await teamsOf(this.context, userId);
      if (teams?.has(this.teamId)) throw this.contradicted(userId);
      // An empty list of teams proves nothing, unless the person is a member of the organization.
      if (teams?.size === 0 && !(await membersOf(this.context).read(userId))) return false;
      return teams !== undefined;
    };
    const answers = await Promise.all(userIds.map(gone));
    // If none of them is a member of the organization, or nobody was recorded, a readable list of members is the proof.
    if (this.missing && !answers.includes(true)) await membersOf(this.context).all();
  }

  private contradicted(userId: string): DocsError {
    return new DocsError(
      `the service lists nobody in team ${this.teamId}, but ${userId} is in it according to the list of that person's teams; check that ` +
        "the token may see the team, and try again",
    );
  }

  /** Checks after a change that the team has an owner; otherwise, the former owners become owners again. */
  verifyOwned(former: readonly Teammate[]): Promise<void> {
    const loss = { userIds: former.map(({ userId }) => userId), names: enumerated(former.map(nameOfTeammate)) };
    return this.ownership.verify({ ...loss, restore: () => this.restoreOwners(former) }, undefined);
  }

  private restoreOwners(owners: readonly Teammate[]): Promise<unknown> {
    return Promise.all(owners.map(({ userId }) => this.batch.write({ user: userId, role: "owner" })));
  }

  /** The owners who can sign in, from a list that is newer than the last write or, if `anew`, is read again. */
  private async readOwners(anew: boolean): Promise<Teammate[]> {
    if (anew || this.people.hasWrites()) this.people.drop();
    const people = await this.people.all();
    return people.filter(({ role, disabled }) => role === "owner" && !disabled);
  }

  private lossOf(owner: Teammate): UndoableLoss {
    const names = nameOfTeammate(owner);
    return {
      userIds: [owner.userId],
      names,
      restore: () => this.restoreOwners([owner]),
      refusal: `${names} is the last owner of team ${this.teamId}; make somebody else an owner first, or keep this one`,
    };
  }

  private async send(changes: readonly TeamChange[]): Promise<void> {
    let unproven: readonly string[];
    try {
      unproven = await this.call(changes);
    } catch (error) {
      this.people.drop();
      throw error;
    }
    for (const { user, role } of changes) this.ownership.note(user, role === "owner");
    for (const userId of unproven) this.unproven.add(userId);
    if (unproven.length > 0) this.people.drop();
    for (const { user, role } of changes) {
      // Only the service knows whether an e-mail without a member is in the team.
      if (isEmail(user) && role) this.tellPending(user);
      // The list is read again anyway, which includes the changed people.
      else if (unproven.length > 0) continue;
      else if (role) this.people.put({ ...this.people.known(user), userId: user, role });
      else this.people.remove({ userId: user, role: "" });
    }
  }

  private tellPending(email: string, reason = ""): void {
    this.context.run.tell(
      `${email} is not among the members of organization ${this.context.organizationId} whose e-mail can be seen${reason}: ` +
        `pending in team ${this.teamId} until a member has this e-mail`,
    );
  }

  /** Sends the changes. Returns the ids of people whose removal the answer does not prove: the answer to a bulk call never does. */
  private async call(changes: readonly TeamChange[]): Promise<string[]> {
    const { client, organizationId } = this.context;
    const path = { organizationId, teamId: this.teamId };
    const [only, ...more] = changes;
    if (only && more.length === 0 && !isEmail(only.user)) {
      const { user: userId, role } = only;
      if (role) await client.putTeamMember({ ...path, userId, body: { role } });
      else if ((await client.removeTeamMember({ ...path, userId })).deleted !== true) return [userId];
      return [];
    }
    await client.updateTeamMembers({ ...path, body: bodyOf(changes) });
    return changes.flatMap(({ user, role }) => (role || isEmail(user) ? [] : [user]));
  }
}

export const teamOf = perOrganization((context, teamId) => new Team(context, teamId));

/** Says which changes were not sent because these failed. */
function restAfter(failing: readonly TeamChange[], { added, lowered, removed }: Changes): string | undefined {
  if (failing === added && lowered.length > 0) return "nobody is lowered or removed before that";
  return failing !== removed && removed.length > 0 ? "nobody is removed before that" : undefined;
}

export const resultOf = ({ user, role }: TeamChange): string =>
  role ? `${user} is now ${role}` : `${user} is removed`;

/** The person's roles by team id; `undefined` if the person is proven not to be a member of the organization. */
async function teamsOf(context: Context, userId: string): Promise<ReadonlyMap<string, string> | undefined> {
  const { client, organizationId } = context;
  try {
    const roles = new Map<string, string>();
    for await (const { team, member } of client.listMemberTeams({ organizationId, userId, query: { limit: 1000 } }))
      roles.set(team.id, member.role);
    return roles;
  } catch (error) {
    if (!isNotFound(error) || (await membersOf(context).read(userId))) throw error;
    return undefined;
  }
}

/** New people must be in `add`: the API document does not say what a role means for a person who is not in the team. */
function bodyOf(changes: readonly TeamChange[]) {
  const kept = changes.flatMap(({ user, role }) => (role ? [{ user, role }] : []));
  const remove = changes.filter(({ role }) => role === undefined).map(({ user }) => user);
  return {
    ...(kept.length > 0 && {
      add: kept.map(({ user }) => user),
      memberships: Object.fromEntries(kept.map(({ user, role }) => [user, { role }])),
    }),
    ...(remove.length > 0 && { remove }),
  };
}

const teammate = ({ organization, team }: TeamMember): Teammate => ({ ...ofUser(organization), role: team.role });

function ofUser({ user, disabled }: Member): Omit<Teammate, "role"> {
  const { id: userId, email, displayName } = user;
  return { userId, email, hidden: email === undefined, displayName, disabled };
}

/** Names a person in a message: name and e-mail if they are known, and id. */
export function nameOfTeammate({ userId, email, displayName }: Teammate): string {
  const known = [displayName, email].filter(Boolean).join(", ");
  return visible(known ? `${known} (${userId})` : userId);
}
