import type { LiveTeam } from "../../../access/discovery";
import { nameOfTeammate } from "../../../access/teammate";
import { type TeamRole, teamRoles, team as teamSchema } from "../../../api/groups/shared";
import { teamId } from "../../../resources/shared/common";
import type { Properties } from "../../../run/properties";
import { declarable, describeObject } from "../../drafts/declarable";
import { byName, type Drafting } from "../../drafts/drafting";

type TeamDrafting = Drafting<readonly LiveTeam[], undefined>;

export function draftTeams(drafting: TeamDrafting): Record<string, Properties> {
  const { live, notes } = drafting;
  return Object.fromEntries(
    live.flatMap((team): [string, Properties][] => {
      const what = describeObject("team", team.title ?? "", team.id);
      const wrong = team.id === "__proto__" || !teamId.safeParse(team.id).success;
      if (wrong) notes.push(`${what} is left out: a file cannot contain its id`);
      if (wrong) return [];
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
function draftMembers({ people: found }: LiveTeam, what: string, { people, notes }: TeamDrafting) {
  const nonMembers = found.filter(({ userId }) => !people.isMember(userId));
  if (nonMembers.length > 0) {
    notes.push(
      `${what} has people who are not members of the organization: ${nonMembers.map(nameOfTeammate).join(", ")}`,
    );
  }
  const named = found.map((one) => ({ ...one, name: isTeamRole(one.role) ? people.nameOf(one.userId) : undefined }));
  const lost = named.filter(({ name }) => name === undefined);
  if (lost.length > 0) {
    const who = lost.map(nameOfTeammate).join(", ");
    notes.push(`${what}: its members are left out, because a file cannot declare all of them: ${who}`);
    return undefined;
  }
  const listed = named.map(({ name, role }) => [name as string, role as TeamRole] as const);
  const first = ([, role]: (typeof listed)[number]) => (role === teamRoles[0] ? 0 : 1);
  return Object.fromEntries(listed.sort((a, b) => first(a) - first(b) || byName(a, b)));
}

const isTeamRole = (role: string): boolean => (teamRoles as readonly string[]).includes(role);
