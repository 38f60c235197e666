import type { Teammate } from "../access/team";
import type { Member } from "../api/groups/members";
import type { LiveOrganization, LiveTeam } from "../organization/live/live";

export interface TeamName {
  readonly id: string;
  /** Unknown of a team that is not there, or that has nobody who could tell it. */
  readonly title?: string;
}

export interface Membership {
  readonly team: LiveTeam;
  readonly person: Teammate;
}

/** Everybody but guests. */
export const withRole = (members: readonly Member[]): Member[] => members.filter(({ role }) => role !== null);

export const membershipsIn = ({ teams }: LiveOrganization): Membership[] =>
  teams.flatMap((team) => team.people.map((person) => ({ team, person })));

/** Gives teams by their ids the titles that they have. */
export function teamNames({ teams }: LiveOrganization): (id: string) => TeamName {
  const titles = new Map(teams.map(({ id, title }) => [id, title]));
  return (id) => {
    const title = titles.get(id);
    return { id, ...(title !== undefined && { title }) };
  };
}
