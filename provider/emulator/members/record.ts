import { z } from "zod";
import type { SamlProvider } from "../../api/groups/saml";
import { type Role, role, type TeamRole } from "../../api/groups/shared";
import { checkInput, Refusal } from "../http/errors";
import { newId } from "../store/ids";

export interface MemberRecord {
  readonly id: string;
  displayName: string;
  readonly email?: string | undefined;
  /** `null` is a guest. */
  role: Role | null;
  disabled: boolean;
  sso: boolean;
  /** ISO 8601 in UTC with milliseconds, like `lastSeenAt`: texts then sort like times. */
  readonly joinedAt: string;
  lastSeenAt?: string | undefined;
  /** Roles in single spaces, by space id. A guest sees only these spaces. */
  spaces: Record<string, Role>;
}

export interface TeamRecord {
  readonly id: string;
  readonly sequence: number;
  title: string;
  readonly createdAt: string;
  /** Number of people ever added; the source of `sequence` in memberships. */
  additions: number;
  /** By user id. */
  readonly members: Map<string, MembershipRecord>;
}

export interface MembershipRecord {
  role: TeamRole;
  readonly sequence: number;
}

export interface SamlRecord extends Pick<SamlProvider, "id" | "label" | "createdAt"> {
  readonly sequence: number;
  entityID?: string | undefined;
  certificate?: string | undefined;
  ssoURL?: string | undefined;
  defaultTeam?: string | undefined;
  defaultRole: Role | null;
}

export interface PeopleRecords {
  readonly members: Map<string, MemberRecord>;
  readonly teams: Map<string, TeamRecord>;
  /** Non-members that were added to teams by e-mail: e-mail in lower case -> team id -> role. No answer shows them. */
  readonly invitations: Map<string, Map<string, TeamRole>>;
}

/** Finds a member by user id or (case-insensitive) e-mail. */
export function findMember({ members }: PeopleRecords, key: string): MemberRecord | undefined {
  const member = members.get(key);
  if (member || !key.includes("@")) return member;
  const email = key.toLowerCase();
  for (const one of members.values()) if (one.email?.toLowerCase() === email) return one;
  return undefined;
}

export type TeamsByUser = ReadonlyMap<string, readonly TeamRecord[]>;

const knownTeams = new WeakMap<PeopleRecords["teams"], { readonly version: string; readonly byUser: TeamsByUser }>();

/** Teams by user id, in the order of creation. Kept until somebody joins or leaves a team, because it takes long for thousands of teams. */
export function teamsByUser({ teams }: PeopleRecords): TeamsByUser {
  let [additions, people] = [0, 0];
  for (const team of teams.values()) {
    additions += team.additions;
    people += team.members.size;
  }
  // A new team, an addition and a removal each change one of these numbers, and additions never decrease.
  const version = `${teams.size} ${additions} ${people}`;
  const cached = knownTeams.get(teams);
  if (cached?.version === version) return cached.byUser;
  const byUser = new Map<string, TeamRecord[]>();
  for (const team of teams.values()) {
    for (const userId of team.members.keys()) byUser.set(userId, [...(byUser.get(userId) ?? []), team]);
  }
  knownTeams.set(teams, { version, byUser });
  return byUser;
}

export function removeMember(people: PeopleRecords, userId: string): boolean {
  for (const { members } of teamsByUser(people).get(userId) ?? []) members.delete(userId);
  return people.members.delete(userId);
}

/** Adds the user to the team or changes the role. Without `role`, an existing role stays, and a new one is `member`. */
export function putInTeam(team: TeamRecord, userId: string, role?: TeamRole): void {
  const membership = team.members.get(userId);
  if (!membership) team.members.set(userId, { role: role ?? "member", sequence: ++team.additions });
  else if (role) membership.role = role;
}

/** Author, and owner of the token, in an organization without an administrator. */
export const unknownUser = "user_unknown";

/** A person who accepts an invitation, follows a join link or signs in for the first time. */
const newcomer = z.strictObject({
  userId: z.string().optional(),
  displayName: z.string().optional(),
  email: z.email().optional(),
  role: role.nullish().describe("Role in the organization, `read` by default; `null` makes a guest."),
});
export type Newcomer = Readonly<z.input<typeof newcomer>>;

/** Adds a member; no operation of the API does this. The person joins the teams to which the e-mail was invited. */
export function join(people: PeopleRecords, joining: unknown, now: Date): MemberRecord {
  const { userId = newId("user"), email, role = "read", displayName = email ?? userId } = checkInput(newcomer, joining);
  const existing = findMember(people, userId) ?? findMember(people, email ?? userId);
  if (existing) throw new Refusal(409, `"${existing.id}" is a member already; use another person`);
  const joinedAt = now.toISOString();
  const member = { id: userId, displayName, email, role, disabled: false, sso: false, joinedAt, spaces: {} };
  people.members.set(userId, member);
  const invited = email?.toLowerCase() ?? "";
  for (const [teamId, role] of people.invitations.get(invited) ?? []) {
    const team = people.teams.get(teamId);
    if (team) putInTeam(team, userId, role);
  }
  people.invitations.delete(invited);
  return member;
}
