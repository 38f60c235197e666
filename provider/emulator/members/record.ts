import type { Role, TeamRole } from "../../api/groups/shared";
import { Ordered } from "../store/ordered";

/** People of an organization: members, teams and memberships. The maps update counts and indexes with each change. */

export interface MemberRecord {
  /** The user id. */
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
  readonly members: Map<string, Membership>;
}

export interface Membership {
  role: TeamRole;
  readonly sequence: number;
}

export interface People {
  readonly members: Members;
  readonly teams: Teams;
  /** Non-members that were added to teams by e-mail: e-mail in lower case -> team id -> role. No answer shows them. */
  readonly invitations: Map<string, Map<string, TeamRole>>;
}

/** A map that reports each change, so that indexes stay right even if a test changes the map directly. */
abstract class WatchedMap<K, V> extends Map<K, V> {
  protected abstract changed(key: K, before: V | undefined, after: V | undefined): void;

  override set(key: K, value: V): this {
    const before = this.get(key);
    super.set(key, value);
    if (before !== value) this.changed(key, before, value);
    return this;
  }

  override delete(key: K): boolean {
    const before = this.get(key);
    const deleted = super.delete(key);
    if (deleted) this.changed(key, before, undefined);
    return deleted;
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }
}

/** Teams by id, with an index of the teams of each user. */
export class Teams extends WatchedMap<string, TeamRecord> {
  private readonly ofUser = new Map<string, Set<TeamRecord>>();

  /** Teams of the user, in the order in which the user joined them. */
  of(userId: string): ReadonlySet<TeamRecord> {
    return this.ofUser.get(userId) ?? nothing;
  }

  create(team: Omit<TeamRecord, "members" | "additions">): TeamRecord {
    const created: TeamRecord = {
      ...team,
      additions: 0,
      members: new TeamMembers((...change) => this.updateTeamsOf(...change)),
    };
    (created.members as TeamMembers).team = created;
    this.set(team.id, created);
    return created;
  }

  private updateTeamsOf(team: TeamRecord, userId: string, isIn: boolean): void {
    const teams = this.ofUser.get(userId) ?? new Set();
    if (isIn) teams.add(team);
    else teams.delete(team);
    if (teams.size > 0) this.ofUser.set(userId, teams);
    else this.ofUser.delete(userId);
  }

  protected override changed(_: string, before: TeamRecord | undefined): void {
    before?.members.clear();
  }
}

const nothing: ReadonlySet<TeamRecord> = new Set();

class TeamMembers extends WatchedMap<string, Membership> {
  team: TeamRecord | undefined;

  constructor(private readonly moved: (team: TeamRecord, userId: string, isIn: boolean) => void) {
    super();
  }

  protected override changed(userId: string, _: Membership | undefined, after: Membership | undefined): void {
    if (this.team) this.moved(this.team, userId, after !== undefined);
  }
}

/** Members by user id, in three orders, with an index by e-mail. A deleted member is removed from all teams; a new one joins the teams of its invitations. */
export class Members extends WatchedMap<string, MemberRecord> {
  private readonly orders = {
    joinedAt: new Ordered<MemberRecord>(({ joinedAt }) => joinedAt, false),
    lastSeenAt: new Ordered<MemberRecord>(({ lastSeenAt }) => lastSeenAt ?? "", true),
    name: new Ordered<MemberRecord>(({ displayName }) => displayName.toLowerCase(), true),
  };
  private readonly byEmail = new Map<string, MemberRecord>();

  constructor(
    private readonly teams: Teams,
    private readonly invitations: People["invitations"],
  ) {
    super();
  }

  in(order: keyof Members["orders"]): readonly MemberRecord[] {
    return this.orders[order].read();
  }

  textOf(order: keyof Members["orders"], member: MemberRecord): string {
    return this.orders[order].text(member);
  }

  /** Finds a member by user id or (case-insensitive) e-mail. */
  find(key: string): MemberRecord | undefined {
    return this.get(key) ?? this.byEmail.get(key.toLowerCase());
  }

  protected override changed(id: string, before: MemberRecord | undefined, after: MemberRecord | undefined): void {
    for (const order of Object.values(this.orders)) {
      if (before) order.remove(before);
      if (after) order.add(after);
    }
    if (before?.email) this.byEmail.delete(before.email.toLowerCase());
    if (after?.email) this.byEmail.set(after.email.toLowerCase(), after);
    if (after) this.acceptInvitations(after);
    else for (const team of [...this.teams.of(id)]) team.members.delete(id);
  }

  private acceptInvitations({ id, email }: MemberRecord): void {
    const key = email?.toLowerCase() ?? "";
    for (const [teamId, role] of this.invitations.get(key) ?? []) {
      const team = this.teams.get(teamId);
      if (team) putInTeam(team, id, role);
    }
    this.invitations.delete(key);
  }
}

export function newPeople(): People {
  const teams = new Teams();
  const invitations: People["invitations"] = new Map();
  return { members: new Members(teams, invitations), teams, invitations };
}

/** Adds the user to the team or changes the role. Without `role`, an existing role stays, and a new one is `member`. */
export function putInTeam(team: TeamRecord, userId: string, role?: TeamRole): void {
  const membership = team.members.get(userId);
  if (!membership) team.members.set(userId, { role: role ?? "member", sequence: ++team.additions });
  else if (role) membership.role = role;
}

export function firstAdministrator({ members }: People): string | undefined {
  for (const { id, role } of members.values()) if (role === "admin") return id;
  return undefined;
}

declare module "../store/state" {
  interface Organization extends People {
    /** User id of the member who owns the token: the first administrator by default. */
    caller: string | undefined;
  }
}
