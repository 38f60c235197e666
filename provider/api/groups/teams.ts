import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { member, placeInTeam } from "./members";
import { identifier, page, pageQuery, permissionsOf, teamRole } from "./shared";

/** Members of teams. No operation creates a team or reads a single team member; lists are the only way to read. */

export const userIdOrEmail = identifier.describe("User id, or e-mail (case-insensitive).");

export const membership = z.strictObject({ role: teamRole });

/** Parts of a bulk update. A user in both `add` and `remove` is removed. */
export const teamMemberChanges = {
  add: z.array(userIdOrEmail).describe("User ids or e-mails of people to add to the team."),
  remove: z.array(userIdOrEmail).describe("User ids or e-mails of people to remove from the team; wins over `add`."),
  memberships: z.record(userIdOrEmail, membership).describe("Roles in the team, by user id or e-mail."),
};

export const teamMember = z
  .strictObject({
    organization: member.describe("The person as a member of the organization."),
    team: placeInTeam.describe("The place of the person in the team."),
    permissions: permissionsOf("view"),
  })
  .meta({ id: "TeamMember", description: "A member of a team." });
export type TeamMember = z.output<typeof teamMember>;

const listPath = "/v1/orgs/{organizationId}/teams/{teamId}/members" as const;

export const teamEndpoints = {
  listTeamMembers: endpoint({
    route: `GET ${listPath}`,
    does: "list the members of team {teamId}",
    query: pageQuery,
    reply: page(teamMember),
    answers: { organizationId: none, teamId: none },
  }),
  // The API document says 200 without content, the live service answers 204; the client accepts both.
  updateTeamMembers: endpoint({
    route: `PUT ${listPath}`,
    does: "update the members of team {teamId}",
    body: z.strictObject(teamMemberChanges).partial(),
    status: 204,
  }),
  putTeamMember: endpoint({
    route: `PUT ${listPath}/{userId}`,
    does: "put {userId} into team {teamId}",
    body: z.strictObject({ role: teamRole.optional() }).optional(),
    status: 204,
  }),
  removeTeamMember: endpoint({ route: `DELETE ${listPath}/{userId}`, does: "remove {userId} from team {teamId}" }),
};
