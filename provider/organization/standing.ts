import type { Member } from "../api/members";
import { propertiesIn } from "../declaration";
import { userKey } from "../directory";
import { matcherOf } from "../patterns";
import { rank } from "../resources/role";
import type { Teammate } from "../team";
import type { LiveOrganization, LiveTeam } from "./discovery";
import { memberGrant, memberRoleAt, teamGrant, teamRoleAt } from "./grants";
import type { RecordedChild } from "./recorded";
import type { OrganizationFile } from "./schema";

/** What is live, as far as guards ask for it. */
export type Live = Pick<LiveOrganization, "members" | "teams" | "saml" | "sites">;

/** What a change takes from somebody, in words. */
export interface Loss {
  readonly person: string;
  readonly what: string;
}

/** Nobody has the role any more, for the person is none of the organization's. */
const removed = Symbol("removed");

type Effect = NonNullable<OrganizationFile["onRemoval"]>;
type After = string | null | typeof removed;

/** What becomes of people's roles and memberships when an organization is brought about. */
export class Standing {
  private readonly byName = new Map<string, Member>();
  private readonly declared: ReadonlyMap<string, After | Effect>;
  private readonly rolesBefore = new Map<string, string | null>();
  private readonly previous = new Map<string, string | null>();

  constructor(
    private readonly organization: OrganizationFile,
    private readonly live: Live,
    private readonly recorded: readonly RecordedChild[],
    private readonly now: Date,
  ) {
    for (const member of live.members) this.learn(member);
    for (const child of recorded) this.remember(child);
    const roles = Object.entries(organization.members ?? {}).map(([user, declared]) => {
      return [this.keyOf(user), memberRoleAt(declared, now)] as const;
    });
    this.declared = new Map(roles);
  }

  /** The member whom a name stands for: an id, or an e-mail that is live or was when the stack last ran. */
  member(user: string): Member | undefined {
    return this.byName.get(userKey(user));
  }

  /** Everybody who has a role or is in a team that is managed. */
  holders(): number {
    const teams = this.live.teams.filter(({ id }) => this.organization.teams?.[id]?.members || this.hasManaged(id));
    const inTeams = teams.flatMap(({ people }) => people.map(({ userId }) => userId));
    const withRoles = this.live.members.filter(({ role }) => role !== null).map(({ user }) => user.id);
    return new Set([...inTeams, ...withRoles]).size;
  }

  administrators(): Member[] {
    return this.live.members.filter((member) => this.roleAfter(member) === "admin");
  }

  /** Administrators who are not disabled, until now. */
  administratorsBefore(): Member[] {
    return this.live.members.filter(({ role, disabled }) => role === "admin" && !disabled);
  }

  /** A service that shows no administrator at all shows too little to judge. */
  locksEverybodyOut(): boolean {
    return this.administratorsBefore().length > 0 && this.administrators().every(({ disabled }) => disabled);
  }

  /** Whether somebody is to have a role, of those who are declared. */
  isGranted(user: string): boolean {
    const role = this.declared.get(this.keyOf(user));
    return role !== undefined && role !== "previous" && role !== "remove";
  }

  /** Whether somebody who is not declared any more is removed from the organization for that. */
  isDropped(user: string): boolean {
    const member = this.member(user);
    return member !== undefined && !this.declared.has(member.user.id) && !this.stays(member);
  }

  /** Whether the stack has given somebody the role, as far as it knows. */
  isManaged(user: string): boolean {
    return this.rolesBefore.has(this.keyOf(user));
  }

  /** The role that was found when somebody was taken under management, or is found now; `undefined` of who is no member. */
  previousRole(user: string): string | null | undefined {
    const id = this.keyOf(user);
    if (this.previous.has(id)) return this.previous.get(id);
    return this.rolesBefore.has(id) ? this.rolesBefore.get(id) : this.member(user)?.role;
  }

  emails(): string[] {
    return this.live.members.flatMap(({ user }) => user.email ?? []);
  }

  hidesEmails(): boolean {
    return this.live.members.some(({ user }) => !user.email);
  }

  /** Whether somebody is a member afterwards. */
  stays(member: Member): boolean {
    return this.roleAfter(member) !== removed;
  }

  /** Whether somebody needs a SAML provider afterwards, by the live mark or by the declared one. */
  signsInBySso(member: Member): boolean {
    const marked = Object.entries(this.organization.members ?? {}).some(
      ([user, declared]) => memberGrant(declared).sso && this.keyOf(user) === member.user.id,
    );
    return (member.sso || marked) && this.stays(member);
  }

  losses(): Loss[] {
    return [...this.lostRoles(), ...this.lostMemberships()];
  }

  private learn(member: Member): void {
    const { id, email } = member.user;
    this.byName.set(id, member);
    if (email !== undefined) this.byName.set(userKey(email), member);
  }

  private remember({ resource, outputs }: RecordedChild): void {
    for (const [email, id] of Object.entries(propertiesIn(outputs.userIds))) {
      const member = this.byName.get(String(id));
      // An id stays with its person in the roles; in a team, somebody may have left and another one come.
      const stays = resource === "MemberRoles";
      if (member && (stays || !this.byName.has(userKey(email)))) this.byName.set(userKey(email), member);
    }
    if (resource !== "MemberRoles") return;
    for (const [user, role] of Object.entries(propertiesIn(outputs.roles))) {
      this.rolesBefore.set(this.keyOf(user), role as string | null);
    }
    for (const [id, role] of Object.entries(propertiesIn(outputs.previousRoles)))
      this.previous.set(id, role as string | null);
  }

  private keyOf(user: string): string {
    return this.member(user)?.user.id ?? userKey(user);
  }

  private roleAfter({ user: { id }, role }: Member): After {
    const declared = this.declared.get(id);
    const ends = declared === "previous" || declared === "remove";
    if (declared !== undefined && !ends) return declared === "guest" ? null : declared;
    // Whom the stack never managed, it leaves alone.
    if (!this.rolesBefore.has(id)) return role;
    return this.roleAtEnd(id, role, ends ? declared : this.organization.onRemoval);
  }

  private roleAtEnd(id: string, role: string | null, effect: Effect = "guest"): After {
    if (effect === "leave") return role;
    if (effect === "remove") return removed;
    if (effect === "guest") return null;
    const before = this.previous.has(id) ? this.previous.get(id) : this.rolesBefore.get(id);
    return rank(before ?? null) < rank(role) ? (before ?? null) : role;
  }

  private lostRoles(): Loss[] {
    return this.live.members.flatMap((member) => {
      const after = this.roleAfter(member);
      if (after === removed) return [{ person: nameOf(member), what: "is removed from the organization" }];
      if (rank(after) >= rank(member.role)) return [];
      return [{ person: nameOf(member), what: `${member.role} becomes ${after ?? "guest"}` }];
    });
  }

  private lostMemberships(): Loss[] {
    return this.live.teams.flatMap((team) => {
      const members = this.organization.teams?.[team.id]?.members;
      return members ? this.lostIn(team, members) : this.lostWith(team);
    });
  }

  private lostIn(team: LiveTeam, members: NonNullable<TeamOf["members"]>): Loss[] {
    const { id, people } = team;
    const title = this.titleOf(team);
    const ignored = this.ignoredIn(id);
    const roles = this.rolesIn(members);
    return people.flatMap((one) => {
      const after = roles.get(one.userId) ?? "remove";
      const person = this.personOf(one.userId);
      if (after === "remove") return ignored(one) ? [] : [{ person, what: `leaves team ${title}` }];
      return one.role === "owner" && after !== "owner" ? [{ person, what: `owns team ${title} no more` }] : [];
    });
  }

  /** People of a team that the stack has not managed yet who are not declared in it: its creation would refuse to remove them. */
  undeclaredIn(id: string): string[] {
    const declared = this.organization.teams?.[id];
    const live = this.live.teams.find((team) => team.id === id);
    if (!declared?.members || !live || declared.removeExisting || this.hasManaged(id)) return [];
    const [ignored, roles] = [this.ignoredIn(id), this.rolesIn(declared.members)];
    const others = live.people.filter((one) => (roles.get(one.userId) ?? "remove") === "remove" && !ignored(one));
    return others.map(({ userId }) => {
      return `${this.personOf(userId)}${roles.has(userId) ? " (whose grant is over)" : ""}`;
    });
  }

  /** The owners of a declared team where nobody would own it any more; none where that is allowed, or a grant's end. */
  lastOwnersOf(id: string): string[] {
    const declared = this.organization.teams?.[id];
    const live = this.live.teams.find((team) => team.id === id);
    if (!declared?.members || !live || declared.allowNoOwner || !this.hasManaged(id)) return [];
    const [ignored, roles] = [this.ignoredIn(id), this.rolesIn(declared.members)];
    const given = Object.values(declared.members).filter((grant) => teamGrant(grant).role === "owner");
    const added = [...roles].some(([user, role]) => role === "owner" && this.member(user));
    const ended = given.length > 0 && ![...roles.values()].includes("owner");
    const owners = live.people.filter(({ role }) => role === "owner");
    if (added || ended || owners.some((one) => !roles.has(one.userId) && ignored(one))) return [];
    return owners.map(({ userId }) => this.personOf(userId));
  }

  /** The last owners of teams that have left the file, whom their deletion refuses to take out. */
  ownersThatLeave(): { readonly team: string; readonly owners: readonly string[] }[] {
    return this.live.teams.flatMap((team) => {
      const left = this.recorded.find(
        ({ resource, outputs }) => resource === "TeamMembers" && outputs.teamId === team.id,
      );
      const declared = this.organization.teams?.[team.id]?.members;
      if (!left || declared || left.outputs.onDestroy === "leave" || left.outputs.allowNoOwner) return [];
      const going = new Set(this.leavingWith(team).map(({ userId }) => userId));
      const owners = team.people.filter(({ role }) => role === "owner");
      if (owners.length === 0 || owners.some(({ userId }) => !going.has(userId))) return [];
      return [{ team: this.titleOf(team), owners: owners.map(({ userId }) => this.personOf(userId)) }];
    });
  }

  private hasManaged(teamId: string): boolean {
    return this.recorded.some(({ resource, outputs }) => resource === "TeamMembers" && outputs.teamId === teamId);
  }

  private ignoredIn(teamId: string) {
    return matcherOf(this.organization.teams?.[teamId]?.ignore ?? []);
  }

  /** By user id, where it is known. */
  private rolesIn(members: NonNullable<TeamOf["members"]>) {
    const roles = Object.entries(members).map(([user, declared]) => {
      return [this.keyOf(user), teamRoleAt(declared, this.now)] as const;
    });
    return new Map(roles);
  }

  /** A team that has left the organization takes its people out, unless it was declared to leave them. */
  private lostWith(team: LiveTeam): Loss[] {
    const what = `leaves team ${this.titleOf(team)}`;
    return this.leavingWith(team).map(({ userId }) => ({ person: this.personOf(userId), what }));
  }

  private leavingWith({ id, people }: LiveTeam): readonly Teammate[] {
    const left = this.recorded.find(({ resource, outputs }) => resource === "TeamMembers" && outputs.teamId === id);
    if (!left || left.outputs.onDestroy === "leave") return [];
    const managed = new Set(Object.keys(propertiesIn(left.outputs.members)).map((user) => this.keyOf(user)));
    // Whom a refresh has found stays when the team is given up.
    const found: unknown[] = Array.isArray(left.outputs.found) ? left.outputs.found : [];
    return people.filter(({ userId }) => managed.has(userId) && !found.includes(userId));
  }

  /** Titles are what readers know, and two teams may have one. */
  private titleOf({ id, title = id }: LiveTeam): string {
    const same = this.live.teams.filter((other) => other.title === title);
    return same.length > 1 ? `${title} (${id})` : title;
  }

  private personOf(userId: string): string {
    const member = this.member(userId);
    return member ? nameOf(member) : userId;
  }
}

type TeamOf = NonNullable<OrganizationFile["teams"]>[string];

/** As a reader knows somebody. */
export const nameOf = ({ user: { id, email } }: Member): string => email ?? id;
