import { Batch } from "./api/batch";
import type { TeamRole } from "./api/shared";
import { Snapshot } from "./api/snapshot";
import type { TeamMember } from "./api/teams";
import { type Context, oncePerProcess } from "./context";
import { isEmail, userKey } from "./directory";
import { runsProgram } from "./program";
import { lowering, type Office, raising } from "./succession";

/** Somebody in a team, as far as this process needs to know. */
export interface Teammate {
  readonly userId: string;
  readonly role: string;
  /** Unknown for somebody whom we have added ourselves; hidden where the service does not tell it. */
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
}

/** What is to become of one user in the team; without a role, the user is removed. */
export interface TeamChange {
  /** User id, or the e-mail of somebody who is not a member of the organization yet. */
  readonly user: string;
  readonly role?: TeamRole;
}

/** The most people that one call changes. */
const most = 1000;

/** A team of the organization: who is in it, and the one way to change that. */
export class Team {
  readonly people: Snapshot<Teammate>;
  private readonly batch: Batch<TeamChange>;

  constructor(
    private readonly context: Context,
    readonly teamId: string,
  ) {
    const { client, organizationId } = context;
    this.people = new Snapshot<Teammate>({
      async page(page) {
        const read = await client.listTeamMembers({
          organizationId,
          teamId,
          query: { limit: 1000, ...(page && { page }) },
        });
        return { ...read, items: read.items.map(teammate) };
      },
      keys: ({ userId }) => [userId],
    });
    this.batch = new Batch({
      keyOf: ({ user }) => userKey(user),
      send: (changes) => this.send(changes),
      most,
    });
  }

  /** Adds somebody or changes the role; others remain owners where an owner is lowered in a run of a program. */
  set(user: string, role: TeamRole): Promise<void> {
    const write = () => this.batch.write({ user, role });
    return role === "owner" ? raising(this.ownership, write) : this.guarded(user, write);
  }

  /** Removes somebody. */
  remove(user: string): Promise<void> {
    return this.guarded(user, () => this.batch.write({ user }));
  }

  private get ownership(): string {
    return `owners ${this.context.organizationId} ${this.teamId}`;
  }

  /** `pulumi destroy` may take the last owner, since administrators remain; a change of a program may not. */
  private async guarded(user: string, write: () => Promise<void>): Promise<void> {
    if (!runsProgram()) return write();
    const before = await this.people.read(user);
    return before?.role === "owner" ? lowering(this.officeOf(before), write) : write();
  }

  private officeOf(owner: Teammate): Office {
    return {
      key: this.ownership,
      othersRemain: async () => {
        this.people.drop();
        const people = await this.people.all();
        return people.some(({ userId, role }) => role === "owner" && userId !== owner.userId);
      },
      refusal:
        `${nameOfTeammate(owner)} is the last owner of team ${this.teamId}; make somebody else an owner first, or keep ` +
        "this one",
    };
  }

  private async send(changes: readonly TeamChange[]): Promise<void> {
    try {
      await this.call(changes);
    } catch (error) {
      this.people.drop();
      throw error;
    }
    for (const { user, role } of changes) {
      // Whether somebody without an account is in the team by now, only the service knows.
      if (isEmail(user)) continue;
      if (role) this.people.put({ userId: user, role });
      else this.people.remove({ userId: user, role: "" });
    }
  }

  private async call(changes: readonly TeamChange[]): Promise<void> {
    const { client, organizationId } = this.context;
    const path = { organizationId, teamId: this.teamId };
    const [only, ...more] = changes;
    if (only && more.length === 0 && !isEmail(only.user)) {
      if (only.role) await client.putTeamMember({ ...path, userId: only.user, body: { role: only.role } });
      else await client.removeTeamMember({ ...path, userId: only.user });
      return;
    }
    await client.updateTeamMembers({ ...path, body: bodyOf(changes) });
  }
}

export const teamOf = oncePerProcess((context, teamId) => new Team(context, teamId));

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

function teammate({ organization: { user }, team }: TeamMember): Teammate {
  return { userId: user.id, role: team.role, email: user.email, displayName: user.displayName };
}

/** A person in a message: name and e-mail where they are known, and id. */
export function nameOfTeammate({ userId, email, displayName }: Teammate): string {
  const known = [displayName, email].filter(Boolean).join(", ");
  return known ? `${known} (${userId})` : userId;
}
