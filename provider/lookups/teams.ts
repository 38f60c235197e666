import { z } from "zod";
import { listNames } from "../access/carry-out";
import { discoverTeams, type LiveTeam } from "../access/discovery";
import { membersOf } from "../access/members";
import { givenId, identifier } from "../api/groups/shared";
import { teamEndpoints as endpoints, type TeamMember } from "../api/groups/teams";
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
 */
export const getTeamMembers = lookup({
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

async function teamTitled(context: Context, title: string): Promise<LiveTeam> {
  const teams = await askOnce(context, "teams", async () => discoverTeams(context, await membersOf(context).all()));
  const [team, another] = teams.filter((one) => one.title === title);
  if (!team) throw noSuchTeam(context, title, teams);
  if (!another) return team;
  throw new DocsError(
    `several teams are titled "${title}": ${listNames(teams.filter((one) => one.title === title).map(({ id }) => id))}; ` +
      "use teamId",
  );
}

function noSuchTeam({ organizationId }: Context, title: string, teams: readonly LiveTeam[]): DocsError {
  const titles = teams.map((team) => String(team.title)).sort();
  const guess = nearest(title, titles);
  const known = titles.length > 0 ? `the teams with members are ${listNames(titles)}.` : "no member is in any team.";
  const hint = guess === undefined ? known : `did you mean "${guess}"?`;
  return new DocsError(
    `no team of organization ${organizationId} that has members is titled "${title}"; ` +
      `${hint} A team without members is only found by its teamId`,
  );
}
