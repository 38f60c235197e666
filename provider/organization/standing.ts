import type { Member } from "../api/members";
import { propertiesIn } from "../declaration";
import { userKey } from "../directory";
import { rank } from "../resources/role";
import type { LiveOrganization } from "./discovery";
import { memberGrant, memberRoleAt } from "./grants";
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

/** What becomes of people's roles when an organization is brought about; of their teams, see Rosters. */
export class Standing {
  private readonly byName = new Map<string, Member>();
  private readonly declared: ReadonlyMap<string, After | Effect>;
  /** Ids of those who are declared to sign in by single sign-on. */
  private readonly marked: ReadonlySet<string>;
  private readonly rolesBefore = new Map<string, string | null>();
  private readonly previous = new Map<string, string | null>();

  constructor(
    private readonly organization: OrganizationFile,
    private readonly live: Live,
    recorded: readonly RecordedChild[],
    now: Date,
  ) {
    for (const member of live.members) this.learn(member);
    for (const child of recorded) this.remember(child);
    const roles = Object.entries(organization.members ?? {}).map(([user, declared]) => {
      return [this.keyOf(user), memberRoleAt(declared, now)] as const;
    });
    this.declared = new Map(roles);
    const marked = Object.entries(organization.members ?? {}).filter(([, declared]) => memberGrant(declared).sso);
    this.marked = new Set(marked.map(([user]) => this.keyOf(user)));
  }

  /** The member whom a name stands for: an id, or an e-mail that is live or was when the stack last ran. */
  member(user: string): Member | undefined {
    return this.byName.get(userKey(user));
  }

  /** Ids of everybody who has a role. */
  withRoles(): string[] {
    return this.live.members.filter(({ role }) => role !== null).map(({ user }) => user.id);
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
    return (member.sso || this.marked.has(member.user.id)) && this.stays(member);
  }

  losses(): Loss[] {
    return this.live.members.flatMap((member) => {
      const after = this.roleAfter(member);
      if (after === removed) return [{ person: nameOf(member), what: "is removed from the organization" }];
      if (rank(after) >= rank(member.role)) return [];
      return [{ person: nameOf(member), what: `${member.role} becomes ${after ?? "guest"}` }];
    });
  }

  /** The id of a user, or the name where nobody is known by it. */
  keyOf(user: string): string {
    return this.member(user)?.user.id ?? userKey(user);
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
}

/** As a reader knows somebody. */
export const nameOf = ({ user: { id, email } }: Member): string => email ?? id;
