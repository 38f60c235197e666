import type { Member } from "../api/members";
import { propertiesIn } from "../declaration";
import { userKey } from "../directory";
import { matcherOf } from "../patterns";
import { rank } from "../resources/role";
import type { LiveOrganization, LiveTeam } from "./discovery";
import { memberRoleAt, teamRoleAt } from "./grants";
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
    const inTeams = this.live.teams.flatMap(({ people }) => people.map(({ userId }) => userId));
    const withRoles = this.live.members.filter(({ role }) => role !== null).map(({ user }) => user.id);
    return new Set([...inTeams, ...withRoles]).size;
  }

  administrators(): Member[] {
    return this.live.members.filter((member) => this.roleAfter(member) === "admin");
  }

  administratorsBefore(): Member[] {
    return this.live.members.filter(({ role }) => role === "admin");
  }

  /** A service that shows no administrator at all shows too little to judge. */
  locksEverybodyOut(): boolean {
    return this.administratorsBefore().length > 0 && this.administrators().length === 0;
  }

  /** Whether somebody is to have a role, of those who are declared. */
  isGranted(user: string): boolean {
    const role = this.declared.get(this.keyOf(user));
    return role !== undefined && role !== "previous" && role !== "remove";
  }

  hidesEmails(): boolean {
    return this.live.members.some(({ user }) => !user.email);
  }

  /** Whether somebody is a member afterwards. */
  stays(member: Member): boolean {
    return this.roleAfter(member) !== removed;
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
      if (member && !this.byName.has(userKey(email))) this.byName.set(userKey(email), member);
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

  private lostIn({ id, title = id, people }: LiveTeam, members: NonNullable<TeamOf["members"]>): Loss[] {
    const ignored = matcherOf(this.organization.teams?.[id]?.ignore ?? []);
    const roles = new Map(
      Object.entries(members).map(([user, declared]) => [this.keyOf(user), teamRoleAt(declared, this.now)]),
    );
    return people.flatMap((one) => {
      const after = roles.get(one.userId) ?? "remove";
      const person = this.personOf(one.userId);
      if (after === "remove") return ignored(one) ? [] : [{ person, what: `leaves team ${title}` }];
      return one.role === "owner" && after !== "owner" ? [{ person, what: `owns team ${title} no more` }] : [];
    });
  }

  /** A team that has left the organization takes its people out, unless it was declared to leave them. */
  private lostWith({ id, title = id, people }: LiveTeam): Loss[] {
    const left = this.recorded.find(({ resource, outputs }) => resource === "TeamMembers" && outputs.teamId === id);
    if (!left || left.outputs.onDestroy === "leave") return [];
    const managed = new Set(Object.keys(propertiesIn(left.outputs.members)).map((user) => this.keyOf(user)));
    const some = people.filter(({ userId }) => managed.has(userId));
    return some.map(({ userId }) => ({ person: this.personOf(userId), what: `leaves team ${title}` }));
  }

  private personOf(userId: string): string {
    const member = this.member(userId);
    return member ? nameOf(member) : userId;
  }
}

type TeamOf = NonNullable<OrganizationFile["teams"]>[string];

/** As a reader knows somebody. */
export const nameOf = ({ user: { id, email } }: Member): string => email ?? id;
