import { type LiveTeam, readTeams } from "../../access/discovery";
import { userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { propertiesIn } from "../../run/properties";
import type { OrganizationFile } from "../file/types";
import { teamRoleAt } from "../sections/grants";
import type { Guarded } from "../sections/section";
import type { RecordedChild } from "./recorded";

export function readGuardedTeams(context: Context, { organization, recorded, now }: Guarded): Promise<LiveTeam[]> {
  const declared = teamsToRead(organization, recorded, now);
  const left = teamsThatLeft(organization, recorded);
  const titled = declared.filter((id) => organization.teams?.[id]?.title !== undefined);
  return readTeams(context, [...declared, ...left], [...titled, ...left]);
}

function teamsThatLeft({ teams = {} }: OrganizationFile, recorded: readonly RecordedChild[]): string[] {
  const managed = recorded.filter(
    ({ resource, outputs }) => resource === "TeamMembers" && outputs.onRelease !== "leave",
  );
  const single = recorded.filter(({ resource }) => resource === "TeamMembership");
  return [...managed, ...single].map(({ outputs }) => String(outputs.teamId)).filter((id) => !teams[id]?.members);
}

type TeamDeclared = NonNullable<OrganizationFile["teams"]>[string];

const hasOwner = (members: NonNullable<TeamDeclared["members"]>, now: Date): boolean =>
  Object.values(members).some((declared) => teamRoleAt(declared, now) === "owner");

/**
 * The declared teams that the guards need: all of them to count removals, and those with a title to compare it; otherwise the
 * teams that become managed, those without a declared owner, and those that somebody leaves: a recorded
 * e-mail may be another person's now, and a hidden one that of a declared person.
 */
export function teamsToRead(
  { guards, teams = {} }: OrganizationFile,
  recorded: readonly RecordedChild[],
  now: Date,
): string[] {
  const managed = new Map(
    recorded.flatMap(({ resource, outputs }) =>
      resource === "TeamMembers"
        ? [[String(outputs.teamId), Object.keys(propertiesIn(outputs.members)).map(userKey)]]
        : [],
    ),
  );
  const isNewOrLeft = (id: string, members: object) => {
    const declared = new Set(Object.keys(members).map(userKey));
    return managed.get(id)?.some((name) => !declared.has(name)) ?? true;
  };
  const counts = guards?.maxRemovals !== undefined;
  const needed = ([id, { title, members, memberships }]: [string, TeamDeclared]) =>
    title !== undefined ||
    memberships !== undefined ||
    (members !== undefined && (counts || isNewOrLeft(id, members) || !hasOwner(members, now)));
  return Object.entries(teams)
    .filter(needed)
    .map(([id]) => id);
}
