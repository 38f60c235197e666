import type { LiveTeam } from "../../../access/discovery";
import { byPower } from "../../../access-plan/place";
import { type SafeText, safeText } from "../../../text/safe-text";
import { compare, splitLists, withName } from "../objects";
import type { Audited, AuditedObject } from "../section";

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

export const auditedTeams = {
  kind: "memberships" as const,
  one: "team membership",
  many: "team memberships",
  subjects: { membership: { prefix: "", absence: "not in the team" } },
  listObjects: listMemberships,
  order: (a, b) => byPower(a.role, b.role) || compare(titleOf(a), titleOf(b)) || compare(a.name, b.name),
  lists: splitLists(
    { symbol: "●", describe: describeMembership },
    isOwner,
    { id: "owners", one: "owner of a team", many: "owners of teams", severity: "medium" },
    { id: "members", one: "member of a team", many: "members of teams" },
  ),
} satisfies Audited<Live, UnmanagedMembership>;

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

function isOwner({ role }: UnmanagedMembership): boolean {
  return role === "owner";
}

export const describeTeam = ({ id, title }: TeamName): SafeText =>
  title === undefined ? safeText`team ${id}` : safeText`team ${title} (${id})`;

function describeMembership({ name, userId, team, role }: UnmanagedMembership): SafeText {
  return safeText`${describeTeam(team)}: ${withName(name, userId)}, ${role}`;
}
