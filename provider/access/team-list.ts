import { BatchedReader } from "../api/cache/batched-reader";
import { DocsError, isNotFound } from "../api/http/errors";
import type { Context } from "../run/context";
import { recentWrites } from "../run/writes";
import { membersOf } from "./members";
import { asTeammate, type Teammate, teammateOf } from "./teammate";

/**
 * The members of a team, read together (see batched-reader.ts). A person or a team counts as gone only if that is proven: a team
 * that is not found, or an empty list, can also be caused by a wrong organization or by a token that may not see the team.
 */
export class TeamList {
  readonly people: BatchedReader<Teammate>;

  constructor(
    private readonly context: Context,
    private readonly teamId: string,
  ) {
    const { client, organizationId } = context;
    this.people = new BatchedReader<Teammate>({
      name: `the members of team ${teamId}`,
      async page(page) {
        const read = await client.listTeamMembers({
          organizationId,
          teamId,
          query: { limit: 1000, ...(page && { page }) },
        });
        return { ...read, items: read.items.map(teammateOf) };
      },
      keys: ({ userId }) => [userId],
      confirm: (userId) => this.readFromOwnTeams(userId),
      writes: recentWrites(context, `team:${teamId}/`, ({ role }) => role),
    });
  }

  /** Finds a person in the team; `undefined` if the absence is proven. */
  async find(userId: string, maxAge?: number): Promise<Teammate | undefined> {
    const { found, isTeamFound } = await this.readList(() => this.people.find(userId, maxAge));
    if (found === undefined) await this.proveAbsence([userId], isTeamFound);
    return found;
  }

  /** Everybody in the team; `undefined` if the teams of its recorded members prove that the team is gone. */
  async findAll(recorded: readonly string[], maxAge?: number): Promise<Teammate[] | undefined> {
    const { found, isTeamFound } = await this.readList(() => this.people.all(maxAge));
    if (!found?.length) {
      await this.proveAbsence(recorded, isTeamFound);
      return found;
    }
    // Adds to the cache those that the list omits although they are in the team.
    await Promise.all(recorded.map((userId) => this.people.find(userId)));
    return this.people.all();
  }

  /** The owners who can sign in, by a list that was read after the last write; with `anew`, by one that is read now. */
  async readOwners(anew: boolean): Promise<Teammate[]> {
    if (anew || !this.people.isCurrent()) this.people.drop();
    const people = await this.people.all();
    return people.filter(({ userId, role, disabled }) => role === "owner" && !disabled && this.people.isListed(userId));
  }

  /** Whether a person that the list has as an owner is still a member of the organization who can sign in. */
  async isOwner(userId: string): Promise<boolean> {
    if (this.people.cached(userId)?.role !== "owner" || !this.people.isListed(userId)) return false;
    const member = await membersOf(this.context).reread(userId);
    return member !== undefined && !member.disabled;
  }

  /** Reads a person that the list omits: the role from the list of the person's own teams, the rest from the members. */
  private async readFromOwnTeams(userId: string): Promise<Teammate | undefined> {
    const role = (await readOwnTeams(this.context, userId))?.get(this.teamId);
    if (role === undefined) return undefined;
    // An empty list contradicts the person's own teams, so neither answer is used.
    if ((await this.people.all()).length === 0) throw this.contradicted(userId);
    const member = await membersOf(this.context).read(userId);
    if (!member) throw this.contradicted(userId);
    return asTeammate(member, role);
  }

  /** Runs a read of the list, to which the service may answer that it does not find the team. */
  private async readList<T>(read: () => Promise<T>): Promise<{ found?: T; isTeamFound: boolean }> {
    try {
      return { found: await read(), isTeamFound: true };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { isTeamFound: false };
    }
  }

  /** For a team that is not found or has an empty list: throws if one of the people still has the team among the own teams. */
  private async proveAbsence(userIds: readonly string[], isTeamFound: boolean): Promise<void> {
    if (isTeamFound && (await this.people.all()).length > 0) return;
    const isProven = async (userId: string) => {
      const teams = await readOwnTeams(this.context, userId);
      if (teams?.has(this.teamId)) throw this.contradicted(userId);
      if (!teams) return false;
      // An empty list of teams proves nothing, unless the person is a member of the organization.
      return teams.size > 0 || (await membersOf(this.context).read(userId)) !== undefined;
    };
    const proofs = await Promise.all(userIds.map(isProven));
    // Without such a proof, a 404 proves that the team is gone only if the token can read the members; otherwise this throws.
    if (!isTeamFound && !proofs.includes(true)) await membersOf(this.context).all();
  }

  private contradicted(userId: string): DocsError {
    return new DocsError(
      `the service lists nobody in team ${this.teamId}, but ${userId} is in it according to the list of that person's teams; check that ` +
        "the token may see the team, and try again",
    );
  }
}

/** The person's roles by team id; `undefined` if the person is proven not to be a member of the organization. */
async function readOwnTeams(context: Context, userId: string): Promise<ReadonlyMap<string, string> | undefined> {
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
