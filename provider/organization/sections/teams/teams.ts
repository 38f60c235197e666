import { z } from "zod";
import { discoverTeams, type LiveTeam } from "../../../access/discovery";
import { team } from "../../../api/groups/shared";
import { userKey } from "../../../people/user";
import { teamId, userName } from "../../../resources/shared/common";
import { refuseIgnoredMembers } from "../../../resources/team-members/properties";
import { teamMembers } from "../../../resources/team-members/team-members";
import { visible } from "../../../text/visible";
import type { OrganizationFile } from "../../file/types";
import { readGuardedTeams } from "../../live/guarded-teams";
import { type Fields, type Finding, fieldsAt, findRepeatedUsers, listTeamIds } from "../checks";
import { type declaredPeople, declaredTeammate, peopleRemovedBy, teamGrant, teamRoleAt } from "../grants";
import { mapOf } from "../parts";
import type { Section, SectionChild } from "../section";
import { auditedTeams, type UnmanagedMembership } from "./audit";
import { draftTeams } from "./draft";

type Live = readonly LiveTeam[];

const { ignore, removeExisting, allowNoOwner, onRelease } = teamMembers.inputs.shape;

const declaredTeam = z
  .strictObject({
    title: team.shape.title
      .describe(
        "Title of the team, for readers. It is compared with the live title and shown in reviews, and never sent to the service.",
      )
      .optional(),
    members: mapOf(
      userName,
      declaredTeammate,
      "All members of the team, by user id or e-mail, with the role or a grant. If omitted, the members of the team are not managed.",
    ).optional(),
    memberships: mapOf(
      userName,
      declaredTeammate,
      "Single people in a team that is managed elsewhere, by user id or e-mail, with the role or a grant. Other members of the team stay as they are. A team has either this or `members`.",
    ).optional(),
    ignore,
    removeExisting,
    allowNoOwner,
    onRelease,
  })
  .superRefine(refuseIgnoredMembers);

/** The maps of a team with people as keys. */
const includable = ["members", "memberships"];

export const teams = {
  shape: { teams: mapOf(teamId, declaredTeam, "Teams by id.").optional() },
  includable,
  findMistakes: (file) => [
    ...listPeopleMaps(file).flatMap((path) => findRepeatedUsers(file, ...path)),
    ...listTeamIds(file).flatMap((id) => findWrongMemberships(id, fieldsAt(file, "teams", id))),
  ],
  declareChildren: declareTeams,
  live: {
    readAfter: (context, { members, saml }, options): Promise<Live> => {
      const known = saml.flatMap(({ defaultTeam }) => defaultTeam ?? []);
      return discoverTeams(context, members, { ...options, known });
    },
    readGuarded: readGuardedTeams,
  },
  writing: {
    draft: draftTeams,
    makeImportId: ({ teamId, user }) => (user === undefined ? String(teamId) : `${teamId}/${user}`),
    parts: { inside: "members" },
    commentOn: commentWithTitle,
  },
  audit: auditedTeams,
} satisfies Section<Live, undefined, UnmanagedMembership>;

const listPeopleMaps = (file: Fields): string[][] =>
  listTeamIds(file).flatMap((id) => includable.map((map) => ["teams", id, map]));

/** Finds `members` and their options beside `memberships`: `members` manages everyone in the team. */
function findWrongMemberships(id: string, team: Fields): Finding[] {
  if (team.memberships === undefined) return [];
  if (team.members !== undefined) {
    const text = `team ${id} has members, which manages everyone in it; declare these people there, or remove members if the team is managed elsewhere`;
    return [{ path: ["teams", id, "memberships"], text, unknown: true, first: ["teams", id, "members"] }];
  }
  const options = ["ignore", "removeExisting", "allowNoOwner", "onRelease"].filter((name) => team[name] !== undefined);
  const text = "this option is for members, and this team has memberships; remove it";
  return options.map((name) => ({ path: ["teams", id, name], text, unknown: true }));
}

function declareTeams(organization: OrganizationFile, now: Date): SectionChild[] {
  const gone = peopleRemovedBy(organization, now);
  const presentIn = (people: ReturnType<typeof declaredPeople>["people"]) =>
    Object.entries(people).flatMap(([user, declared]) => {
      const role = teamRoleAt(declared, now);
      return role === "remove" || gone.has(userKey(user)) ? [] : [[user, role] as const];
    });
  return Object.entries(organization.teams ?? {}).flatMap(([teamId, team]): SectionChild[] => {
    const { title: _, memberships = {}, members, ...options } = team;
    // Ids of teams have no slash, so the keys are unique.
    const single = presentIn(memberships).map(([user, role]): SectionChild => {
      return { resource: "TeamMembership", key: `${teamId}/${userKey(user)}`, inputs: { teamId, user, role } };
    });
    if (!members) return single;
    const present = presentIn(members);
    const owned = Object.values(members).some((declared) => teamGrant(declared).role === "owner");
    // The grant of the last owner ends like any other. Previews have warned of it for two weeks.
    const orphaned = owned && !present.some(([, role]) => role === "owner");
    const inputs = {
      teamId,
      members: Object.fromEntries(present),
      ...options,
      ...(orphaned && { allowNoOwner: true }),
    };
    return [{ resource: "TeamMembers", key: teamId, inputs }];
  });
}

/** The title of a team as a comment: readers do not know teams by their ids. */
function commentWithTitle({ resource, inputs }: SectionChild, { teams = {} }: OrganizationFile): string | undefined {
  const title = resource === "TeamMembers" ? teams[String(inputs.teamId)]?.title : undefined;
  return title === undefined ? undefined : visible(title);
}
