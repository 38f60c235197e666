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

/** Somebody in a team, as far as this process needs to know. */
export interface Teammate {
  readonly userId: string;
  readonly role: string;
  /** Unknown for somebody whom we have added ourselves; hidden where the service does not tell it. */
  readonly email?: string | undefined;
  /** The service does not tell the e-mail. */
  readonly hidden?: boolean | undefined;
  readonly displayName?: string | undefined;
  /** Somebody who cannot sign in. */
  readonly disabled?: boolean | undefined;
}

/** What is to become of one user in the team; without a role, the user is removed. */
export interface TeamChange {
  /** User id, or the e-mail of somebody who is not a member of the organization yet. */
  readonly user: string;
  readonly role?: TeamRole;
}

/** Changes of a team, in the order in which they are safe. */
export interface Changes {
  /** New people, and those who become owners. */
  readonly added: readonly TeamChange[];
  /** Owners who become members. */
  readonly lowered: readonly TeamChange[];
  readonly removed: readonly TeamChange[];
}

/** What became of many changes. */
export interface Outcome {
  /** Those that the service has taken. */
  readonly done: readonly TeamChange[];
  /** Missing where all were. */
  readonly failed?: unknown;
}

/** The most people that one call changes. */
const most = 1000;

/** A team of the organization: who is in it, and the one way to change that. */
export class Team {
  readonly people: Snapshot<Teammate>;
  private readonly batch: Batch<TeamChange>;
  /** The 404 that its list answered. */
  private missing: Error | undefined;
  private readonly ownership: Quorum;
  /** Removals that the service took without proof that it carried them out. */
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
   * Somebody in the team, `undefined` only where that is proven: a team that is not found, or an empty list, may as well
   * come from a wrong organization or a token that may not look.
   */
  async find(userId: string, maxAge?: number): Promise<Teammate | undefined> {
    const found = await this.listed(() => this.people.find(userId, maxAge));
    if (found === undefined) await this.prove([userId]);
    return found;
  }

  /** Somebody whom the list omits; the person's own teams tell the role, and neither name nor e-mail. */
  private async confirmed(userId: string): Promise<Teammate | undefined> {
    const role = (await teamsOf(this.context, userId))?.get(this.teamId);
    if (role === undefined) return undefined;
    // A list without anybody contradicts them altogether: then neither is believed.
    if ((await this.people.all()).length === 0) throw this.contradicted(userId);
    const member = await membersOf(this.context).read(userId);
    if (!member) throw this.contradicted(userId);
    return { ...ofUser(member), role };
  }

  /** Everybody in the team; `undefined` where the team is proven to be gone, by the teams of those who were in it. */
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
   * Adds somebody or changes the role; others remain owners if an owner is lowered in a run of a program. Somebody who was in
   * the team before may still be an owner if one list omits the person.
   */
  async set(userId: string, role: TeamRole, wasInTeam = false): Promise<void> {
    const write = () => this.batch.write({ user: userId, role });
    if (role === "owner") return this.ownership.raise(write);
    // Who was not in the team when it was read may be an owner by now.
    const before = await this.people[wasInTeam ? "find" : "read"](userId, freshEnough);
    return before?.role === "owner" ? this.lower(before, write) : write();
  }

  /** Removes somebody, and verifies it if the answer is no proof. */
  async remove(userId: string): Promise<void> {
    const write = () => this.batch.write({ user: userId });
    const before = await this.people.find(userId, this.context.run.runsProgram() ? freshEnough : undefined);
    await (before?.role === "owner" ? this.lower(before, write) : write());
    await this.verifyRemoved([userId]);
  }

  /** Reads those again whose removal the service has not proven. */
  private async verifyRemoved(userIds: readonly string[]): Promise<void> {
    const open = userIds.filter((userId) => this.unproven.has(userId));
    const people = await Promise.all(open.map((userId) => this.people.read(userId)));
    const still = people.filter((one) => one !== undefined);
    for (const userId of open) this.unproven.delete(userId);
    if (still.length === 0) return;
    throw notDeleted(enumerated(still.map(nameOfTeammate)), `the members of team ${this.teamId}`, "unknown");
  }

  /**
   * Many changes with one call. Where the service refuses it, the changes at fault are found and named; then nobody is
   * lowered while somebody could not be added, and nobody is removed while somebody could not be lowered.
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

  /** What was sent was taken; whether removals were carried out is verified. */
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
    const strangers = await this.strangersIn(added);
    const done: TeamChange[] = [];
    for (const some of [added, lowered, removed]) {
      const failed = await this.each(some, strangers, done);
      if (failed.length === 0) continue;
      return { done, failed: failureOf(failed, done.map(resultOf), restAfter(some, changes)) };
    }
    return this.outcomeOf(done, removed);
  }

  private async each(
    changes: readonly TeamChange[],
    strangers: ReadonlySet<string>,
    done: TeamChange[],
  ): Promise<Failed[]> {
    const failed: Failed[] = [];
    const run = async (change: TeamChange) => {
      if (strangers.has(change.user)) throw this.notMember();
      await this.one(change);
    };
    const one = (change: TeamChange) =>
      run(change).then(
        () => done.push(change),
        (error) => failed.push({ name: change.user, error }),
      );
    await Promise.all(changes.map(one));
    return failed;
  }

  /** Ids that no member has: the service would refuse each alone, and everything that goes with it. */
  private async strangersIn(added: readonly TeamChange[]): Promise<ReadonlySet<string>> {
    const present = new Set((await this.people.all()).map(({ userId }) => userId));
    const ids = added.map(({ user }) => user).filter((user) => !isEmail(user) && !present.has(user));
    const members = await Promise.all(ids.map((userId) => membersOf(this.context).read(userId)));
    return new Set(ids.filter((_, index) => members[index] === undefined));
  }

  private notMember(): DocsError {
    return new DocsError(`no member of organization ${this.context.organizationId}; ${howPeopleJoin}`);
  }

  private one({ user, role }: TeamChange): Promise<void> {
    if (!isEmail(user)) return this.batch.write({ user, ...(role && { role }) });
    return role ? this.ask(user, role) : this.withdraw(user);
  }

  /** Asks for somebody who is not a member of the organization, by e-mail: the answer shows when the person has joined. */
  async ask(email: string, role: TeamRole): Promise<void> {
    refuseMissingPerson(this.context, email);
    try {
      await this.batch.write({ user: email, role });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.tellPending(email, `, and the service does not take it ("${error.serviceMessage}")`);
    }
  }

  /**
   * Whether somebody in the team, or who is about to be, hides the e-mail, and so may be whom an e-mail names that no
   * member has.
   */
  async hides(newcomers: readonly string[] = []): Promise<boolean> {
    const people = await this.people.all();
    if (people.some(({ hidden }) => hidden)) return true;
    // Of those whom this process has added, only the list of members tells it.
    const untold = people.filter(({ email }) => email === undefined).map(({ userId }) => userId);
    const read = (userId: string) => membersOf(this.context).read(userId);
    const [members, coming] = await Promise.all([
      Promise.all(untold.map(read)),
      // Who is no member can not join the team either.
      Promise.all(newcomers.map(read)),
    ]);
    return members.some((member) => !member?.user.email) || coming.some((member) => member && !member.user.email);
  }

  /** Takes back what was asked for, where that can not be somebody who is in the team. */
  async withdraw(email: string): Promise<void> {
    if ((await this.everybody([])) === undefined) {
      return this.context.run.tell(
        `${email} is not withdrawn from team ${this.teamId}, which the service does not find`,
      );
    }
    if (await this.hides()) {
      return this.context.run.tell(
        `${email} is not withdrawn from team ${this.teamId}: somebody in it hides the e-mail, who may have this one`,
      );
    }
    try {
      await this.batch.write({ user: email });
    } catch (error) {
      // A service that knows nobody by this e-mail has nothing to take back.
      if (!isRefused(error)) throw error;
    }
  }

  /** `pulumi destroy` may take the last owner, since administrators remain; a change of a program may not. */
  private lower(owner: Teammate, write: () => Promise<void>): Promise<void> {
    return this.context.run.runsProgram() ? this.ownership.lower(this.lossOf(owner), write) : write();
  }

  /** What the list answers, `undefined` where there is no such team. */
  private async listed<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.missing = error;
      return undefined;
    }
  }

  /** Each person's own teams say whether that person has left: whoever else has left says nothing of the team. */
  private async prove(userIds: readonly string[]): Promise<void> {
    if (!this.missing && (await this.people.all()).length > 0) return;
    const gone = async (userId: string) => {
      const teams = await teamsOf(this.context, userId);
      if (teams?.has(this.teamId)) throw this.contradicted(userId);
      // Somebody in no team at all says nothing, unless it is somebody whom the service knows.
      if (teams?.size === 0 && !(await membersOf(this.context).read(userId))) return false;
      return teams !== undefined;
    };
    const answers = await Promise.all(userIds.map(gone));
    // None of them is a member of the organization any more, or there was nobody: its list can be read, and that is proof.
    if (this.missing && !answers.includes(true)) await membersOf(this.context).all();
  }

  private contradicted(userId: string): DocsError {
    return new DocsError(
      `the service lists nobody in team ${this.teamId}, but the teams of ${userId} have it; check that the token may see ` +
        "the team, and try again",
    );
  }

  /** After a change: if nobody owns the team, because the others lost it meanwhile, these people become owners again. */
  verifyOwned(former: readonly Teammate[]): Promise<void> {
    const loss = { userIds: former.map(({ userId }) => userId), names: enumerated(former.map(nameOfTeammate)) };
    return this.ownership.verify({ ...loss, restore: () => this.restoreOwners(former) }, undefined);
  }

  private restoreOwners(owners: readonly Teammate[]): Promise<unknown> {
    return Promise.all(owners.map(({ userId }) => this.batch.write({ user: userId, role: "owner" })));
  }

  /** The owners who can sign in, by a list that was read after the last write, or is read now. */
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
      // Whether somebody without an account is in the team by now, only the service knows.
      if (isEmail(user) && role) this.tellPending(user);
      // Then everybody is read again, those who were changed included.
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

  /** Returns the ids of those whose removal the answer does not prove: that of a bulk call never does. */
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

/** What waits for those who failed. */
function restAfter(failing: readonly TeamChange[], { added, lowered, removed }: Changes): string | undefined {
  if (failing === added && lowered.length > 0) return "nobody is lowered or removed before that";
  return failing !== removed && removed.length > 0 ? "nobody is removed before that" : undefined;
}

export const resultOf = ({ user, role }: TeamChange): string =>
  role ? `${user} is now ${role}` : `${user} is removed`;

/** Somebody's roles by team id; `undefined` for somebody who is proven to be no member of the organization. */
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

/** Whoever is new needs `add`; what a role means for somebody who is not in the team, the API document does not say. */
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

/** A person in a message: name and e-mail where they are known, and id. */
export function nameOfTeammate({ userId, email, displayName }: Teammate): string {
  const known = [displayName, email].filter(Boolean).join(", ");
  return visible(known ? `${known} (${userId})` : userId);
}
