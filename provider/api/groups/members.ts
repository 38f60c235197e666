import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { containing, equalRole } from "../schema/filters";
import {
  count,
  dateTime,
  identifier,
  liveRole,
  openEnum,
  page,
  pageQuery,
  role,
  roles,
  team,
  teamRoles,
  user,
} from "./shared";
import { space } from "./spaces";

/** Members of an organization. No operation creates one: people join by invitation, by link or by single sign-on. */

export const orders = ["asc", "desc"] as const;

/** Properties of a member that a client can set. */
export const memberSettings = {
  role: role
    .nullable()
    .describe("Role in the organization: admin, create, review, edit, comment or read; null makes the member a guest."),
};

export const member = z
  .strictObject({
    object: z.literal("member"),
    id: identifier.describe("Id of the member, which is the id of the user."),
    role: liveRole.describe("Role in the organization; none for a guest."),
    user: user.describe("The user who is the member."),
    disabled: z.boolean().describe("Whether the member is disabled."),
    joinedAt: dateTime.describe("When the member joined the organization."),
    lastSeenAt: dateTime.optional().describe("When the member was last active."),
    sso: z.boolean().describe("Whether the member signs in with single sign-on."),
    spaces: count.describe("Number of spaces of the member."),
    teams: count.describe("Number of teams of the member."),
    // Required from version 0.202 of the service on, unknown before.
    sites: count.optional().describe("Number of sites of the member."),
  })
  .meta({ id: "Member", description: "A member of the organization." });
export type Member = z.output<typeof member>;

export const memberSpace = z
  .strictObject({
    permission: openEnum(roles).describe("Role of the member in the space."),
    space: space.describe("The space."),
  })
  .meta({ id: "MemberSpace", description: "A space of a member, with the role of the member in it." });
export const placeInTeam = z.strictObject({
  role: openEnum(teamRoles).describe("Role in the team: `owner` or `member`."),
});
export const memberTeam = z
  .strictObject({
    team: team.describe("The team."),
    member: placeInTeam.describe("The place of the member in the team."),
  })
  .meta({ id: "MemberTeam", description: "A team of a member, with the role of the member in it." });

const order = z.enum(orders).optional().describe("`asc` or `desc`; default `desc`.");

const orgPath = "/v1/orgs/{organizationId}" as const;
const itemPath = `${orgPath}/members/{userId}` as const;
const oneMember = { reply: member, answers: { organizationId: none, userId: "user.id" } } as const;

export const memberEndpoints = {
  listMembers: endpoint({
    route: `GET ${orgPath}/members`,
    does: "list the members of organization {organizationId}",
    query: pageQuery.extend({
      order,
      role: z
        .enum([...roles, "guest"])
        .optional()
        .describe("Only members with this role; `guest` means members without a role."),
      search: z.string().optional().describe("Only members whose name or e-mail contains this text."),
      sort: z
        .enum(["joinedAt", "lastSeenAt", "name"])
        .optional()
        .describe("`joinedAt` (default), `lastSeenAt` (omits members never seen) or, in newer versions, `name`."),
    }),
    reply: page(member),
    answers: { organizationId: none },
    filters: { order: none, role: equalRole, search: containing("user.displayName", "user.email"), sort: none },
  }),
  getMember: endpoint({ route: `GET ${itemPath}`, does: "read member {userId}", ...oneMember }),
  removeMember: endpoint({ route: `DELETE ${itemPath}`, does: "remove member {userId}" }),
  updateMember: endpoint({
    route: `PATCH ${itemPath}`,
    does: "update member {userId}",
    body: z.strictObject(memberSettings).partial(),
    ...oneMember,
  }),
  ping: endpoint({
    route: `POST ${orgPath}/ping`,
    does: "record a visit to organization {organizationId}",
    reply: z.strictObject({ serviceVisitorClaims: z.string().optional() }),
    answers: { organizationId: none },
    repeatable: true,
  }),
  markMemberSso: endpoint({
    route: `POST ${itemPath}/sso`,
    does: "mark member {userId} as a member by single sign-on",
    ...oneMember,
    repeatable: true,
  }),
  listMemberSpaces: endpoint({
    route: `GET ${itemPath}/spaces`,
    does: "list the spaces of member {userId}",
    query: pageQuery.extend({ order }),
    reply: page(memberSpace),
    answers: { organizationId: "items.space.organization", userId: none },
    filters: { order: none },
  }),
  listMemberTeams: endpoint({
    route: `GET ${itemPath}/teams`,
    does: "list the teams of member {userId}",
    query: pageQuery.extend({
      title: z.string().optional().describe("Only teams whose title contains this text, in any case."),
    }),
    reply: page(memberTeam),
    answers: { organizationId: none, userId: none },
    filters: { title: containing("team.title") },
  }),
};
