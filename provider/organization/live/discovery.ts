import { type Teammate, teamOf } from "../../access/team";
import type { Member } from "../../api/groups/members";
import type { SamlProvider } from "../../api/groups/saml";
import type { Team } from "../../api/groups/shared";
import { DocsError, isNotFound } from "../../api/http/errors";
import type { Context } from "../../run/context";

/** Told how far it is; `what` says what is counted. */
export type Progress = (done: number, total: number, what: string) => void;

export interface ReadOptions {
  /** Teams to read beside those that are found: ones without members can not be found. */
  readonly teamIds?: readonly string[];
  readonly progress?: Progress;
}

interface DiscoveryOptions extends ReadOptions {
  /** Teams that something else has named, such as the default team of a SAML provider, with their titles where it tells them; they may be gone. */
  readonly known?: readonly KnownTeam[];
}

type KnownTeam = Pick<Team, "id"> & Partial<Pick<Team, "title">>;

export interface LiveTeam {
  readonly id: string;
  /** Unknown of a team without members that only its id has named: no operation reads a team. */
  readonly title: string | undefined;
  readonly people: readonly Teammate[];
}

/** What is live of the people, and of what names their teams. */
export interface LivePeople {
  readonly members: readonly Member[];
  readonly teams: readonly LiveTeam[];
  readonly saml: readonly SamlProvider[];
}

const limit = 1000;

/**
 * The teams of these members, which are all members of the organization. No operation lists teams, so they are found
 * through people: each member tells the number of teams that there are to find, and whom the teams found so far explain
 * needs no question. A team without members can not be seen that way; `teamIds` adds it.
 */
export async function discoverTeams(
  context: Context,
  members: readonly Member[],
  { teamIds = [], known = [], progress }: DiscoveryOptions = {},
): Promise<LiveTeam[]> {
  const discovery = new Discovery(context, members, progress);
  await discovery.addNamed(teamIds, known);
  await discovery.ask(discovery.untitled());
  for (let next = discovery.next(); next.length > 0; next = discovery.next()) await discovery.ask(next);
  return discovery.result();
}

/** The teams of these ids alone, as far as they are there; the titles of some of them, which who is in them knows. */
export async function readTeams(
  context: Context,
  teamIds: readonly string[],
  titled: readonly string[],
): Promise<LiveTeam[]> {
  const known = teamIds.map((id) => ({ id }));
  const discovery = new Discovery(context, [], undefined);
  await discovery.addNamed([], known);
  await discovery.addTitles(titled);
  return discovery.result();
}

/** Questions that are asked before the answers to any of them count. */
const mostAtOnce = 32;
/** Of the teams that seem to be left, so many are asked for at once: two people who are asked may be in the same one. */
const share = 1 / 4;

class Discovery {
  private readonly teams = new Map<string, LiveTeam>();
  /** How many teams of somebody are not known yet. */
  private readonly unexplained: Map<string, number>;
  private readonly inTeams: number;

  constructor(
    private readonly context: Context,
    members: readonly Member[],
    private readonly progress: Progress | undefined,
  ) {
    const inTeams = members.filter(({ teams }) => teams > 0);
    this.unexplained = new Map(inTeams.map(({ user, teams }) => [user.id, teams]));
    this.inTeams = inTeams.length;
  }

  async addNamed(teamIds: readonly string[], known: readonly KnownTeam[]): Promise<void> {
    const titles = new Map(known.map(({ id, title }) => [id, title]));
    const others = [...titles.keys()].filter((id) => !teamIds.includes(id));
    await Promise.all([
      ...[...new Set(teamIds)].map((id) => this.add(id, titles.get(id)).catch((error) => this.refuseGone(id, error))),
      ...others.map((id) => this.add(id, titles.get(id)).catch(unlessGone)),
    ]);
  }

  /** Who is in a team knows its title: one of each that has none yet. */
  untitled(teamIds: readonly string[] = [...this.teams.keys()]): string[] {
    const untitled = teamIds.flatMap((id) => this.teams.get(id) ?? []).filter(({ title }) => title === undefined);
    return untitled.flatMap(({ people }) => people.slice(0, 1)).map(({ userId }) => userId);
  }

  async addTitles(teamIds: readonly string[]): Promise<void> {
    const found = await Promise.all([...new Set(this.untitled(teamIds))].map((userId) => this.teamsOf(userId)));
    for (const { id, title } of found.flat()) {
      const before = this.teams.get(id);
      if (before) this.teams.set(id, { ...before, title: before.title ?? title });
    }
  }

  /** Those to ask next, each in another team if the list of members is a guide: people who arrive together often are. */
  next(): string[] {
    const most = Math.max(0, ...this.unexplained.values());
    // Who is in many unknown teams answers for many others.
    const best = [...this.unexplained].filter(([, teams]) => teams > most / 2).map(([userId]) => userId);
    const count = Math.min(best.length, mostAtOnce, Math.max(1, Math.floor(this.teamsLeft() * share)));
    return Array.from({ length: count }, (_, index) => best[Math.floor((index * best.length) / count)] as string);
  }

  async ask(userIds: readonly string[]): Promise<void> {
    const found = await Promise.all([...new Set(userIds)].map((userId) => this.teamsOf(userId)));
    const teams = new Map(found.flat().map((team) => [team.id, team]));
    await Promise.all([...teams.values()].map(({ id, title }) => this.add(id, title)));
    for (const userId of userIds) this.unexplained.delete(userId);
    this.tell();
  }

  result(): LiveTeam[] {
    const key = ({ title = "", id }: LiveTeam) => `${title}\n${id}`;
    return [...this.teams.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  private async add(id: string, title: string | undefined): Promise<void> {
    const before = this.teams.get(id);
    if (before) {
      this.teams.set(id, { ...before, title: before.title ?? title });
      return;
    }
    const people = await teamOf(this.context, id).people.all();
    this.teams.set(id, { id, title, people });
    for (const { userId } of people) this.explain(userId);
    this.tell();
  }

  private explain(userId: string): void {
    const left = (this.unexplained.get(userId) ?? 0) - 1;
    if (left > 0) this.unexplained.set(userId, left);
    else this.unexplained.delete(userId);
  }

  /** As many as there are if those that are left are as large as those that are known. */
  private teamsLeft(): number {
    const sizes = [...this.teams.values()].map(({ people }) => people.length);
    const places = [...this.unexplained.values()].reduce((sum, teams) => sum + teams, 0);
    const size = sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
    return size > 0 ? places / size : 1;
  }

  /** Nothing of somebody who has left meanwhile. */
  private async teamsOf(userId: string): Promise<Team[]> {
    const { client, organizationId } = this.context;
    const found = client.listMemberTeams({ organizationId, userId, query: { limit } }).all();
    return ((await found.catch(unlessGone)) ?? []).map(({ team }) => team);
  }

  private refuseGone(id: string, error: unknown): never {
    if (!isNotFound(error)) throw error;
    throw new DocsError(
      `organization ${this.context.organizationId} has no team "${id}"; use the id of a team, as its address in the app shows it`,
      { cause: error },
    );
  }

  private tell(): void {
    this.progress?.(this.inTeams - this.unexplained.size, this.inTeams, "people in teams");
  }
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
