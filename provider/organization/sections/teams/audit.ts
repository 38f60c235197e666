import type { LiveTeam } from "../../../access/discovery";
import type { Teammate } from "../../../access/teammate";
import { byPower } from "../../../access-plan/place";
import { type SafeText, safeText } from "../../../text/safe-text";
import { compare, splitLists, withName } from "../objects";
import type { Audited, ManagedSubjects, Subject } from "../section";

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

interface Membership {
  readonly team: LiveTeam;
  readonly person: Teammate;
}

export const auditedTeams = {
  kind: "memberships" as const,
  one: "team membership",
  many: "team memberships",
  subjects: { membership: { prefix: "", absence: "not in the team" } },
  listSubjects: (live) => membershipsIn(live).map(subjectOf),
  count: (live) => membershipsIn(live).length,
  findUnmanaged: findUnmanagedMemberships,
  countIgnored: (live, managed) => undeclaredIn(live, managed).filter((one) => isIgnored(one, managed)).length,
  lists: splitLists(
    { symbol: "●", describe: describeMembership },
    isOwner,
    { id: "owners", one: "owner of a team", many: "owners of teams", severity: "medium" },
    { id: "members", one: "member of a team", many: "members of teams" },
  ),
} satisfies Audited<Live, UnmanagedMembership>;

const membershipsIn = (teams: Live): Membership[] =>
  teams.flatMap((team) => team.people.map((person) => ({ team, person })));

const subjectOf = ({ team, person }: Membership): Subject => ({
  kind: "membership",
  id: person.userId,
  team: team.id,
});

const undeclaredIn = (live: Live, managed: ManagedSubjects): Membership[] =>
  membershipsIn(live).filter((one) => !managed.has(subjectOf(one)));

const isIgnored = ({ team, person }: Membership, managed: ManagedSubjects): boolean => managed.ignores(team.id, person);

export function teamNames(teams: Live): (id: string) => TeamName {
  const titles = new Map(teams.map(({ id, title }) => [id, title]));
  return (id) => {
    const title = titles.get(id);
    return { id, ...(title !== undefined && { title }) };
  };
}

function findUnmanagedMemberships(live: Live, managed: ManagedSubjects): UnmanagedMembership[] {
  const nameTeam = teamNames(live);
  return undeclaredIn(live, managed)
    .filter((one) => !isIgnored(one, managed))
    .map(({ team, person: { userId, email, displayName, role } }) => {
      return { userId, name: email ?? displayName ?? userId, team: nameTeam(team.id), role };
    })
    .sort((a, b) => byPower(a.role, b.role) || compare(titleOf(a), titleOf(b)) || compare(a.name, b.name));
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
