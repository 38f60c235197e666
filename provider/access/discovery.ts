import type { Member } from "../api/groups/members";
import type { SamlProvider } from "../api/groups/saml";
import type { Team } from "../api/groups/shared";
import { DocsError, ignoreNotFound, isNotFound } from "../api/http/errors";
import type { Context } from "../run/context";
import { teamOf } from "./team";
import type { Teammate } from "./teammate";

/** Receives the progress of a reading; `what` names the counted things. */
export type ShowProgress = (done: number, total: number, what: string) => void;

export interface ReadOptions {
  /** Teams to read in addition: teams without members cannot be found through people. */
  readonly teamIds?: readonly string[];
  readonly progress?: ShowProgress;
}

interface DiscoveryOptions extends ReadOptions {
  /** Teams that other objects refer to, such as the default team of a SAML provider; with titles, if known. They may no longer exist. */
  readonly known?: readonly KnownTeam[];
}

export type KnownTeam = Pick<Team, "id"> & Partial<Pick<Team, "title">>;

export interface LiveTeam {
  readonly id: string;
  /** Unknown for a team without members that was read by id: no operation reads the team itself. */
  readonly title: string | undefined;
  readonly people: readonly Teammate[];
}

/** The live people, their teams, and the SAML providers, which refer to teams. */
export interface LivePeople {
  readonly members: readonly Member[];
  readonly teams: readonly LiveTeam[];
  readonly saml: readonly SamlProvider[];
}

const limit = 1000;

/**
 * Finds the teams of all members of the organization. No operation lists teams, so they are found through people. The list of
 * members has the number of each member's teams, so a member whose teams are all known needs no request. Teams without members
 * cannot be found this way; `teamIds` adds them.
 */
export async function discoverTeams(
  context: Context,
  members: readonly Member[],
  { teamIds = [], known = [], progress }: DiscoveryOptions = {},
): Promise<LiveTeam[]> {
  const discovery = new Discovery(context, members, progress);
  await discovery.addNamed(teamIds, known);
  await discovery.readTeamsOf(discovery.membersOfUntitledTeams());
  for (let next = discovery.chooseMembers(); next.length > 0; next = discovery.chooseMembers())
    await discovery.readTeamsOf(next);
  return discovery.result();
}

/** Reads the people of these teams, without the titles. Teams that do not exist are left out. */
export async function readTeams(context: Context, teamIds: readonly string[]): Promise<LiveTeam[]> {
  const discovery = new Discovery(context, []);
  const teams = teamIds.map((id) => ({ id }));
  await discovery.addNamed([], teams);
  return discovery.result();
}

/** Reads the titles of the teams for which `isNeeded` is true, one request each: only a member's list of teams has them. */
export async function withTitles(
  context: Context,
  teams: readonly LiveTeam[],
  isNeeded: (team: LiveTeam) => boolean,
): Promise<LiveTeam[]> {
  const userIds = oneOfEach(teams.filter(isNeeded));
  const read = await Promise.all(userIds.map((userId) => teamsOf(context, userId)));
  const titles = new Map(read.flat().map(({ id, title }) => [id, title]));
  return teams.map((team) => ({ ...team, title: titles.get(team.id) ?? team.title }));
}

/** Maximum number of members whose teams are requested at the same time. */
const mostAtOnce = 32;
/** Requests at the same time, as a share of the teams that are probably still unknown: more would often find the same team twice. */
const share = 1 / 4;

class Discovery {
  private readonly teams = new Map<string, LiveTeam>();
  /** By user id, how many teams of the person were not read yet; without people whose teams were all read. */
  private readonly unknownTeams: Map<string, number>;
  private readonly countInTeams: number;

  constructor(
    private readonly context: Context,
    members: readonly Member[],
    private readonly progress?: ShowProgress,
  ) {
    const inTeams = members.filter(({ teams }) => teams > 0);
    this.unknownTeams = new Map(inTeams.map(({ user, teams }) => [user.id, teams]));
    this.countInTeams = inTeams.length;
  }

  /** Adds teams by id. Those of `teamIds` must exist, because the user named them; `known` teams may be gone. */
  async addNamed(teamIds: readonly string[], known: readonly KnownTeam[]): Promise<void> {
    const titles = new Map(known.map(({ id, title }) => [id, title]));
    const mayBeGone = [...titles.keys()].filter((id) => !teamIds.includes(id));
    await Promise.all([
      ...[...new Set(teamIds)].map((id) => this.add(id, titles.get(id)).catch((error) => this.refuseGone(id, error))),
      ...mayBeGone.map((id) => this.add(id, titles.get(id)).catch(ignoreNotFound)),
    ]);
  }

  /** One member of each team without a title: the list of a member's teams has the titles. */
  membersOfUntitledTeams(): string[] {
    return oneOfEach([...this.teams.values()].filter(({ title }) => title === undefined));
  }

  /** The members to ask next, spread over the list: people who joined together are often in the same team. */
  chooseMembers(): string[] {
    const most = Math.max(0, ...this.unknownTeams.values());
    // A person in many unread teams shares them with many others, so one answer helps for all of these.
    const best = [...this.unknownTeams].filter(([, teams]) => teams > most / 2).map(([userId]) => userId);
    const count = Math.min(best.length, mostAtOnce, Math.max(1, Math.floor(this.estimateUnknownTeams() * share)));
    return Array.from({ length: count }, (_, index) => best[Math.floor((index * best.length) / count)] as string);
  }

  async readTeamsOf(userIds: readonly string[]): Promise<void> {
    const read = await Promise.all([...new Set(userIds)].map((userId) => teamsOf(this.context, userId)));
    const teams = new Map(read.flat().map((team) => [team.id, team]));
    await Promise.all([...teams.values()].map(({ id, title }) => this.add(id, title)));
    for (const userId of userIds) this.unknownTeams.delete(userId);
    this.reportProgress();
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
    const people = await teamOf(this.context, id).list.people.all();
    this.teams.set(id, { id, title, people });
    for (const { userId } of people) this.countKnownTeam(userId);
    this.reportProgress();
  }

  private countKnownTeam(userId: string): void {
    const unknownCount = (this.unknownTeams.get(userId) ?? 0) - 1;
    if (unknownCount > 0) this.unknownTeams.set(userId, unknownCount);
    else this.unknownTeams.delete(userId);
  }

  /** The estimated number of unknown teams, if they are as large as the known ones. */
  private estimateUnknownTeams(): number {
    const sizes = [...this.teams.values()].map(({ people }) => people.length);
    const places = [...this.unknownTeams.values()].reduce((sum, teams) => sum + teams, 0);
    const size = sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
    return size > 0 ? places / size : 1;
  }

  private refuseGone(id: string, error: unknown): never {
    if (!isNotFound(error)) throw error;
    throw new DocsError(
      `organization ${this.context.organizationId} has no team "${id}"; use the id of a team, which is in its address in the app`,
      { cause: error },
    );
  }

  private reportProgress(): void {
    this.progress?.(this.countInTeams - this.unknownTeams.size, this.countInTeams, "people in teams");
  }
}

/** The ids of one member of each team, without repetitions. */
const oneOfEach = (teams: readonly LiveTeam[]): string[] => [
  ...new Set(teams.flatMap(({ people }) => people.slice(0, 1)).map(({ userId }) => userId)),
];

/** The teams of a member; empty if the member has left the organization meanwhile. */
async function teamsOf({ client, organizationId }: Context, userId: string): Promise<Team[]> {
  const teams = client.listMemberTeams({ organizationId, userId, query: { limit } }).all();
  return ((await teams.catch(ignoreNotFound)) ?? []).map(({ team }) => team);
}
