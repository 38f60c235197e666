import { z } from "zod";
import { enumerated } from "../access/bulk";
import { membersOf } from "../access/members";
import { givenId, identifier, type Team } from "../api/groups/shared";
import { teams as endpoints, type TeamMember } from "../api/groups/teams";
import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { nearest } from "../text/mistakes";
import { askOnce, inOrganization, limit, lookup } from "./lookup";

/**
 * The members of a team, with their roles in it: one request for each 1,000.
 *
 * A search by `title` takes more requests, because the API cannot list teams: they are found through the members of the
 * organization. It reads all members (pages of 1,000), and takes one or two requests for each team. These reads happen once,
 * also if a program searches several teams. A team without members cannot be found.
 *
 * @internal
 */
export const teamMembers = lookup({
  name: "getTeamMembers",
  arguments: z
    .strictObject({
      ...inOrganization,
      teamId: givenId
        .describe("Id of the team, as shown in its address in the app. Use either this or `title`.")
        .optional(),
      title: identifier.describe("Exact title of the team, which no other team may have.").optional(),
    })
    .refine(({ teamId, title }) => (teamId === undefined) !== (title === undefined), "use either teamId or title"),
  result: endpoints.listTeamMembers.reply.shape.items,
  read: async (context, { teamId, title = "" }) => membersIn(context, teamId ?? (await teamTitled(context, title)).id),
});

function membersIn(context: Context, teamId: string): Promise<TeamMember[]> {
  const { client, organizationId } = context;
  return askOnce(context, `members of team ${teamId}`, () => {
    return client.listTeamMembers({ organizationId, teamId, query: { limit } }).all();
  });
}

async function teamTitled(context: Context, title: string): Promise<Team> {
  const teams = await askOnce(context, "teams", () => teamsOf(context));
  const [team, another] = teams.filter((one) => one.title === title);
  if (!team) throw noSuchTeam(context, title, teams);
  if (!another) return team;
  throw new DocsError(
    `several teams are titled "${title}": ${enumerated(teams.filter((one) => one.title === title).map(({ id }) => id))}; ` +
      "use teamId",
  );
}

function noSuchTeam({ organizationId }: Context, title: string, teams: readonly Team[]): DocsError {
  const titles = teams.map((team) => team.title).sort();
  const guess = nearest(title, titles);
  const known = titles.length > 0 ? `the teams with members are ${enumerated(titles)}` : "no member is in any team";
  return new DocsError(
    `no team of organization ${organizationId} that has members is titled "${title}"; ` +
      `${guess ? `did you mean "${guess}"?` : `${known}.`} A team without members is only found by its teamId`,
  );
}

/**
 * The teams that have members. The list of members says in how many teams each one is. A member whose teams are all known needs
 * no request, so the number of requests grows with the teams, not with the members.
 */
async function teamsOf(context: Context): Promise<Team[]> {
  const { client, organizationId } = context;
  const inTeams = (await membersOf(context).all()).filter(({ teams }) => teams > 0);
  const unexplained = new Map(inTeams.map(({ user, teams }) => [user.id, teams]));
  const teams = new Map<string, Team>();
  for (let userId = mostOf(unexplained); userId !== undefined; userId = mostOf(unexplained)) {
    unexplained.delete(userId);
    const found = await client.listMemberTeams({ organizationId, userId, query: { limit } }).all();
    const others = found.filter(({ team }) => !teams.has(team.id)).map(({ team }) => team);
    for (const team of others) teams.set(team.id, team);
    const shared = others.filter(({ members }) => members > 1);
    const people = await Promise.all(shared.map(({ id }) => membersIn(context, id)));
    for (const { organization } of people.flat()) explain(unexplained, organization.user.id);
  }
  return [...teams.values()];
}

/** The member with the most teams that are not known yet. */
function mostOf(unexplained: ReadonlyMap<string, number>): string | undefined {
  let most: { userId?: string; teams: number } = { teams: 0 };
  for (const [userId, teams] of unexplained) if (teams > most.teams) most = { userId, teams };
  return most.userId;
}

function explain(unexplained: Map<string, number>, userId: string): void {
  const teams = unexplained.get(userId) ?? 0;
  if (teams > 1) unexplained.set(userId, teams - 1);
  else unexplained.delete(userId);
}
