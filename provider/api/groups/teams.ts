import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { member } from "./members";
import { identifier, openEnum, page, pageQuery, teamRole, teamRoles } from "./shared";

/** Members of teams. Teams themselves are made elsewhere, and a single team member can only be read from the list. */

/** A person, as a client names one: by user id or by e-mail. */
export const userKey = identifier.describe("User id, or e-mail in any case.");

export const membership = z.strictObject({ role: teamRole });

/** What a bulk update can ask for; a user in both `add` and `remove` is removed. */
export const teamMemberChanges = {
  add: z.array(userKey).describe("User ids or e-mails of people to add to the team."),
  remove: z
    .array(userKey)
    .describe("User ids or e-mails of people to remove from the team, also where `add` has them."),
  memberships: z.record(userKey, membership).describe("Roles in the team, by user id or e-mail."),
};

export const teamMember = z.strictObject({
  organization: member,
  team: z.strictObject({ role: openEnum(teamRoles) }),
  permissions: z.strictObject({ view: z.boolean() }),
});
export type TeamMember = z.output<typeof teamMember>;

const t = "/v1/orgs/{organizationId}/teams/{teamId}/members" as const;

export const teams = {
  listTeamMembers: endpoint({
    route: `GET ${t}`,
    does: "list the members of team {teamId}",
    query: pageQuery,
    reply: page(teamMember),
    answers: { organizationId: none, teamId: none },
  }),
  // The document says 200 without content for this one, the live service 204; the client takes both.
  updateTeamMembers: endpoint({
    route: `PUT ${t}`,
    does: "update the members of team {teamId}",
    body: z.strictObject({
      add: teamMemberChanges.add.optional(),
      remove: teamMemberChanges.remove.optional(),
      memberships: teamMemberChanges.memberships.optional(),
    }),
    status: 204,
  }),
  putTeamMember: endpoint({
    route: `PUT ${t}/{userId}`,
    does: "put {userId} into team {teamId}",
    body: z.strictObject({ role: teamRole.optional() }).optional(),
    status: 204,
  }),
  removeTeamMember: endpoint({ route: `DELETE ${t}/{userId}`, does: "remove {userId} from team {teamId}" }),
};
