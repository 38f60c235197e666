import { z } from "zod";
import { discoverTeams, type LiveTeam, readTeams } from "../../access/discovery";
import { nameOfTeammate } from "../../access/teammate";
import { phaseOf, roleAt } from "../../access-plan/grants";
import { byPower } from "../../access-plan/place";
import { type TeamRole, teamRoles, team as teamSchema } from "../../api/groups/shared";
import { userKey } from "../../people/user";
import { teamId, userName } from "../../resources/shared/common";
import { refuseIgnoredMembers } from "../../resources/team-members/properties";
import { teamMembers } from "../../resources/team-members/team-members";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { type SafeText, safeText } from "../../text/safe-text";
import { compareNames, type Drafting, declarable, describeObject } from "../drafts/drafting";
import type { OrganizationFile } from "../file/types";
import type { RecordedChild } from "../live/recorded";
import { type Fields, type FileMistake, fieldsAt, findRepeatedUsers, listTeamIds } from "./checks";
import { declaredTeammate, peopleRemovedBy, type TeamPeople, teamGrant } from "./grants";
import { compare, mapOf, withName } from "./parts";
import type { AuditedObject, Guarded, Section, SectionChild } from "./section";

type Live = readonly LiveTeam[];

export interface TeamName {
  readonly id: string;
  /** Unknown if the team does not exist, or if it has no members: only a member's list of teams has titles. */
  readonly title?: string;
}

export interface UnmanagedMembership {
  readonly userId: string;
  readonly name: string;
  readonly team: TeamName;
  readonly role: string;
}

const { ignore, exclusive, allowNoOwner, onRelease } = teamMembers.inputs.shape;

const declaredTeam = z
  .strictObject({
    title: teamSchema.shape.title
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
    exclusive,
    allowNoOwner,
    onRelease,
  })
  .superRefine(refuseIgnoredMembers);

const peopleMaps = ["members", "memberships"];

export const teams = {
  shape: { teams: mapOf(teamId, declaredTeam, "Teams by id.").optional() },
  includable: peopleMaps,
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
  },
  audit: {
    kind: "memberships" as const,
    one: "team membership",
    many: "team memberships",
    subjects: { membership: { prefix: "", absence: "not in the team" } },
    listObjects: listMemberships,
    order: (a, b) => byPower(a.role, b.role) || compare(titleOf(a), titleOf(b)) || compare(a.name, b.name),
    symbol: "●",
    severityOf: ({ role }) => (role === "owner" ? "medium" : undefined),
    lists: {
      severe: { id: "owners", many: "owners of teams" },
      others: { id: "members", many: "members of teams" },
    },
    describe: ({ name, userId, team, role }) => safeText`${describeTeam(team)}: ${withName(name, userId)}, ${role}`,
  },
} satisfies Section<Live, undefined, UnmanagedMembership>;

/** The declared teams, and those from which the change may release recorded people. Titles are not read. */
function readGuardedTeams(context: Context, { organization: { teams = {} }, recorded }: Guarded): Promise<Live> {
  const mayRelease = ({ resource, outputs: { onRelease } }: RecordedChild) =>
    resource === "TeamMembership" || (resource === "TeamMembers" && onRelease !== "leave");
  const teamsToLeave = recorded.filter(mayRelease).map(({ outputs }) => String(outputs.teamId));
  return readTeams(context, [...Object.keys(teams), ...teamsToLeave]);
}

const listPeopleMaps = (file: Fields): string[][] =>
  listTeamIds(file).flatMap((id) => peopleMaps.map((map) => ["teams", id, map]));

/** Finds `members` and their options beside `memberships`: `members` manages everyone in the team. */
function findWrongMemberships(id: string, team: Fields): FileMistake[] {
  if (team.memberships === undefined) return [];
  if (team.members !== undefined) {
    const text = `team ${id} has members, which manages everyone in it; declare these people there, or remove members if the team is managed elsewhere`;
    return [{ path: ["teams", id, "memberships"], text, isAboutName: true, first: ["teams", id, "members"] }];
  }
  const options = ["ignore", "exclusive", "allowNoOwner", "onRelease"].filter((name) => team[name] !== undefined);
  const text = "this option is for members, and this team has memberships; remove it";
  return options.map((name) => ({ path: ["teams", id, name], text, isAboutName: true }));
}

/** Ids of teams have no slash, so the keys are unique. */
export const membershipKey = (teamId: string, user: string): string => `${teamId}/${userKey(user)}`;

function declareTeams(organization: OrganizationFile, now: Date): SectionChild[] {
  const moment = { now, removed: peopleRemovedBy(organization, now) };
  return Object.entries(organization.teams ?? {}).flatMap(([teamId, team]): SectionChild[] => {
    const { title: _, memberships = {}, members, ...options } = team;
    if (members) return [declareMembers({ teamId, members, ...options }, moment)];
    return listPresent(memberships, moment).map(([user, role]) => {
      return { resource: "TeamMembership", key: membershipKey(teamId, user), inputs: { teamId, user, role } };
    });
  });
}

interface WholeTeam extends Pick<z.output<typeof declaredTeam>, "ignore"> {
  readonly teamId: string;
  readonly members: TeamPeople;
}

interface Moment {
  readonly now: Date;
  /** People, by key, who are removed from the organization. */
  readonly removed: ReadonlySet<string>;
}

function declareMembers({ teamId, members, ...options }: WholeTeam, moment: Moment): SectionChild {
  const present = listPresent(members, moment);
  const toBegin = Object.entries(members).flatMap(([user, declared]) =>
    isToBegin(declared, moment.now) ? [user] : [],
  );
  const begun = Object.entries(members).filter(([user]) => !toBegin.includes(user));
  const hadOwner = begun.some(([, declared]) => teamGrant(declared).role === "owner");
  const hasOwner = present.some(([, role]) => role === "owner");
  const inputs = {
    teamId,
    members: Object.fromEntries(present),
    ...options,
    // Until the grant begins, the person keeps the place in the team, or has none.
    ...(toBegin.length > 0 && { ignore: [...(options.ignore ?? []), ...toBegin] }),
    // A team may lose its last owner by the end of a grant, of which previews have warned for a day.
    ...(hadOwner && !hasOwner && { allowNoOwner: true }),
  };
  return { resource: "TeamMembers", key: teamId, inputs };
}

/** The people that the file puts into the team now, with their roles. */
function listPresent(people: TeamPeople, { now, removed }: Moment): [user: string, role: string][] {
  return Object.entries(people).flatMap(([user, declared]): [string, string][] => {
    const role = roleAt(teamGrant(declared), now);
    const isGone = role === "remove" || removed.has(userKey(user));
    return isGone || isToBegin(declared, now) ? [] : [[user, role]];
  });
}

const isToBegin = (declared: TeamPeople[string], now: Date): boolean =>
  phaseOf(teamGrant(declared), now) === "to begin";

type TeamDrafting = Drafting<Live, undefined>;

function draftTeams(drafting: TeamDrafting): Record<string, Properties> {
  const { live, notes } = drafting;
  return Object.fromEntries(
    live.flatMap((team): [string, Properties][] => {
      const what = describeObject("team", team.title ?? "", team.id);
      if (team.id === "__proto__" || !teamId.safeParse(team.id).success) {
        notes.push(`${what} is left out: a file cannot contain its id`);
        return [];
      }
      const { title } = declarable(what, teamSchema, { title: team.title }, notes);
      const members = draftMembers(team, what, drafting);
      return [[team.id, { ...(title !== undefined && { title }), ...(members && { members }) }]];
    }),
  );
}

/**
 * The members of a team: owners first, then by name. If a file cannot name one of them, it lists none: an up removes members
 * who are not declared.
 */
function draftMembers(team: LiveTeam, what: string, { people: names, notes }: TeamDrafting) {
  const nonMembers = team.people.filter(({ userId }) => !names.isMember(userId));
  if (nonMembers.length > 0)
    notes.push(
      `${what} has people who are not members of the organization: ${nonMembers.map(nameOfTeammate).join(", ")}`,
    );
  const named = team.people.map((one) => ({
    ...one,
    name: isTeamRole(one.role) ? names.nameOf(one.userId) : undefined,
  }));
  const unnamed = named.filter(({ name }) => name === undefined);
  if (unnamed.length > 0) {
    const who = unnamed.map(nameOfTeammate).join(", ");
    notes.push(`${what}: its members are left out, because a file cannot declare all of them: ${who}`);
    return undefined;
  }
  const listed = named.map(({ name, role }) => [name as string, role as TeamRole] as const);
  const rank = ([, role]: (typeof listed)[number]) => (role === teamRoles[0] ? 0 : 1);
  return Object.fromEntries(listed.sort((a, b) => rank(a) - rank(b) || compareNames(a, b)));
}

const isTeamRole = (role: string): boolean => (teamRoles as readonly string[]).includes(role);

export function teamNames(teams: Live): (id: string) => TeamName {
  const titles = new Map(teams.map(({ id, title }) => [id, title]));
  return (id) => {
    const title = titles.get(id);
    return { id, ...(title !== undefined && { title }) };
  };
}

function listMemberships(live: Live): AuditedObject<UnmanagedMembership>[] {
  const nameTeam = teamNames(live);
  return live.flatMap(({ id: team, people }) =>
    people.map((person) => {
      const { userId, email, displayName, role } = person;
      const shown = { userId, name: email ?? displayName ?? userId, team: nameTeam(team), role };
      return { subject: { kind: "membership", id: userId, team }, shown, person };
    }),
  );
}

const titleOf = ({ team }: UnmanagedMembership): string => team.title ?? team.id;

export const describeTeam = ({ id, title }: TeamName): SafeText =>
  title === undefined ? safeText`team ${id}` : safeText`team ${title} (${id})`;
