import { rankOfRole } from "../../access-plan/roles";
import type { Member } from "../../api/groups/members";
import { userKey } from "../../people/user";
import type { PresentPerson } from "../../review/model/notes";
import { type Properties, propertiesIn } from "../../run/properties";
import { visible } from "../../text/visible";
import type { OrganizationFile } from "../file/types";
import type { GuardedLive } from "../live/live";
import { memberGrant, memberRoleAt } from "../sections/grants";
import type { RecordedChild } from "./recorded";

export type Live = GuardedLive;

/** A person who loses something by the change, and a description of the loss. */
export interface Loss {
  readonly person: string;
  readonly what: string;
}

/** The role of a person who is removed from the organization. */
const removed = Symbol("removed");

type Effect = NonNullable<OrganizationFile["onRemoval"]>;
type After = string | null | typeof removed;

/** The roles of all people as they will be after the change. `TeamProjection` does the same for teams. */
export class RoleProjection {
  /** Live members by id and by e-mail. */
  private readonly byName = new Map<string, Member>();
  /** Live members by the e-mails that the state records for roles. */
  private readonly inRoles = new Map<string, Member>();
  /** For each team by its id, live members by the e-mails that the state records for it. */
  private readonly inTeams = new Map<string, Map<string, Member>>();
  /** Recorded roles in teams, by team and key of the person. */
  private readonly teamRoles = new Map<string, Map<string, string>>();
  private readonly declared: ReadonlyMap<string, After | Effect>;
  /** Ids of people who are declared to sign in by single sign-on. */
  private readonly marked: ReadonlySet<string>;
  /** Ids of people whose previous role may be restored even if it is more powerful. */
  private readonly raisable: ReadonlySet<string>;
  private readonly rolesBefore = new Map<string, string | null>();
  private readonly previous = new Map<string, string | null>();

  constructor(
    private readonly organization: OrganizationFile,
    private readonly live: Live,
    recorded: readonly RecordedChild[],
    now: Date,
  ) {
    for (const member of live.members) this.indexMember(member);
    for (const child of recorded) this.indexRecorded(child);
    const roles = Object.entries(organization.members ?? {}).map(([user, declared]) => {
      return [this.keyOf(user), memberRoleAt(declared, now)] as const;
    });
    this.declared = new Map(roles);
    this.marked = this.declaredWith("sso");
    this.raisable = this.declaredWith("allowRaise");
  }

  private declaredWith(option: "sso" | "allowRaise"): ReadonlySet<string> {
    const members = Object.entries(this.organization.members ?? {});
    const having = members.filter(([, declared]) => memberGrant(declared)[option]);
    return new Set(having.map(([user]) => this.keyOf(user)));
  }

  /**
   * The member that a name means for roles, or in the given team. Resources find people by id, by live e-mail, and by recorded
   * e-mail. A recorded e-mail keeps its person: in roles always, in a team while the person is in it.
   */
  findMember(user: string, teamId?: string): Member | undefined {
    const key = userKey(user);
    if (teamId === undefined) return this.inRoles.get(key) ?? this.byName.get(key);
    const before = this.inTeams.get(teamId)?.get(key);
    if (before === undefined) return this.byName.get(key);
    const team = this.live.teams.find(({ id }) => id === teamId);
    // Of a team that was not read, the state says who is in it.
    const present = team?.people.some(({ userId }) => userId === before.user.id) ?? true;
    return present ? before : (this.byName.get(key) ?? before);
  }

  /** Ids of all people with a role. */
  idsWithRole(): string[] {
    return this.live.members.filter(({ role }) => role !== null).map(({ user }) => user.id);
  }

  administrators(): Member[] {
    return this.live.members.filter((member) => this.roleAfter(member) === "admin");
  }

  /** Live administrators who are not disabled. */
  administratorsBefore(): Member[] {
    return this.live.members.filter(({ role, disabled }) => role === "admin" && !disabled);
  }

  /** Whether the change removes every administrator who can sign in. False if none is live: then the token cannot see them. */
  leavesNoAdministrator(): boolean {
    return this.administratorsBefore().length > 0 && this.administrators().every(({ disabled }) => disabled);
  }

  /** Whether a declared person has a role after the change. */
  isGranted(user: string): boolean {
    const role = this.declared.get(this.keyOf(user));
    return role !== undefined && role !== "previous" && role !== "remove";
  }

  /** Whether a member is removed from the organization because the file no longer declares the person. */
  isDropped(member: Member): boolean {
    return !this.declared.has(member.user.id) && !this.stays(member);
  }

  /** Whether the state records a role of the person. */
  isManaged(user: string): boolean {
    return this.rolesBefore.has(this.keyOf(user));
  }

  /** The recorded role in a team; null if the person was not in it, `undefined` if the stack did not manage the team. */
  teamRole(user: string, teamId: string): string | null | undefined {
    const roles = this.teamRoles.get(teamId);
    return roles && (roles.get(this.keyOf(user, teamId)) ?? null);
  }

  /** The previous role of a managed person, the live role of others; `undefined` for a non-member. */
  previousRole(user: string): string | null | undefined {
    const id = this.keyOf(user);
    if (this.previous.has(id)) return this.previous.get(id);
    return this.rolesBefore.has(id) ? this.rolesBefore.get(id) : this.findMember(user)?.role;
  }

  ids(): string[] {
    return this.live.members.map(({ user }) => user.id);
  }

  emails(): string[] {
    return this.live.members.flatMap(({ user }) => user.email ?? []);
  }

  hidesEmails(): boolean {
    return this.live.members.some(({ user }) => !user.email);
  }

  /** Whether the person is still a member after the change. */
  stays(member: Member): boolean {
    return this.roleAfter(member) !== removed;
  }

  /** Whether the person needs a SAML provider after the change, by the live or the declared mark. */
  needsSso(member: Member): boolean {
    return (member.sso || this.marked.has(member.user.id)) && this.stays(member);
  }

  losses(): Loss[] {
    return this.live.members.flatMap((member) => this.lossOf(member));
  }

  /** Losses of people whose role was not managed so far. A preview does not show them, because the state has no previous role. */
  lossesOfNewlyManaged(): Loss[] {
    return this.live.members
      .filter(({ user }) => !this.rolesBefore.has(user.id))
      .flatMap((member) => this.lossOf(member));
  }

  /** The live roles of people whose role becomes managed with this change. */
  newlyManagedPeople(): PresentPerson[] {
    const declared = Object.keys(this.organization.members ?? {}).filter((user) => this.isGranted(user));
    return declared.flatMap((user) => {
      const member = this.findMember(user);
      if (!member || this.rolesBefore.has(member.user.id)) return [];
      return [{ user, userId: member.user.id, role: member.role ?? "guest" }];
    });
  }

  /** Ids of disabled people whose role rises. */
  disabledGainers(): string[] {
    const rises = ({ role }: Member, after: After) => after !== removed && rankOfRole(after) > rankOfRole(role);
    const gaining = this.live.members.filter((one) => one.disabled && rises(one, this.roleAfter(one)));
    return gaining.map(({ user }) => user.id);
  }

  private lossOf(member: Member): Loss[] {
    const after = this.roleAfter(member);
    if (after === removed) return [{ person: nameOf(member), what: "is removed from the organization" }];
    if (rankOfRole(after) >= rankOfRole(member.role)) return [];
    return [{ person: nameOf(member), what: `${member.role} becomes ${after ?? "guest"}` }];
  }

  /** The id of a user, or the name if no member has it. */
  keyOf(user: string, teamId?: string): string {
    return this.findMember(user, teamId)?.user.id ?? userKey(user);
  }

  private indexMember(member: Member): void {
    const { id, email } = member.user;
    this.byName.set(id, member);
    if (email !== undefined) this.byName.set(userKey(email), member);
  }

  private indexRecorded({ resource, outputs }: RecordedChild): void {
    const known = this.namesOf(resource, outputs);
    for (const [email, id] of Object.entries(propertiesIn(outputs.userIds))) {
      const member = this.byName.get(String(id));
      if (member) known.set(userKey(email), member);
    }
    if (resource === "TeamMembership") this.indexMembership(known, outputs);
    if (resource === "TeamMembers") {
      const teamId = String(outputs.teamId);
      const roles = Object.entries(propertiesIn(outputs.members));
      this.teamRoles.set(teamId, new Map(roles.map(([user, role]) => [this.keyOf(user, teamId), String(role)])));
    }
    if (resource !== "MemberRoles") return;
    for (const [user, role] of Object.entries(propertiesIn(outputs.roles))) {
      this.rolesBefore.set(this.keyOf(user), role as string | null);
    }
    for (const [id, role] of Object.entries(propertiesIn(outputs.previousRoles)))
      this.previous.set(id, role as string | null);
  }

  private indexMembership(known: Map<string, Member>, { teamId, user, userId, role = "member" }: Properties): void {
    const team = String(teamId);
    const member = this.byName.get(String(userId));
    if (member) known.set(userKey(String(user)), member);
    const roles = this.teamRoles.get(team) ?? new Map<string, string>();
    this.teamRoles.set(team, roles.set(this.keyOf(String(user), team), String(role)));
  }

  private namesOf(resource: string, { teamId }: Properties): Map<string, Member> {
    if (resource === "MemberRoles") return this.inRoles;
    const known = this.inTeams.get(String(teamId)) ?? new Map<string, Member>();
    this.inTeams.set(String(teamId), known);
    return known;
  }

  private roleAfter({ user: { id }, role }: Member): After {
    const declared = this.declared.get(id);
    const ends = declared === "previous" || declared === "remove";
    if (declared !== undefined && !ends) return declared === "guest" ? null : declared;
    // A person who was never managed keeps the role.
    if (!this.rolesBefore.has(id)) return role;
    return this.roleAtEnd(id, role, ends ? declared : this.organization.onRemoval);
  }

  private roleAtEnd(id: string, role: string | null, effect: Effect = "guest"): After {
    if (effect === "leave") return role;
    if (effect === "remove") return removed;
    if (effect === "guest") return null;
    const before = this.previous.has(id) ? this.previous.get(id) : this.rolesBefore.get(id);
    return rankOfRole(before ?? null) < rankOfRole(role) || this.raisable.has(id) ? (before ?? null) : role;
  }
}

/** The e-mail of a person, or the id if the e-mail is hidden, safe for a terminal. */
export const nameOf = ({ user: { id, email } }: Member): string => visible(email ?? id);
