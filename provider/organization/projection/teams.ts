import type { Teammate } from "../../access/teammate";
import { matcherOf } from "../../people/patterns";
import { userKey } from "../../people/user";
import type { PresentPerson } from "../../review/model/notes";
import { propertiesIn } from "../../run/properties";
import { visible } from "../../text/visible";
import type { OrganizationFile } from "../file/types";
import type { LiveTeam } from "../live/discovery";
import { declaredPeople, peopleRemovedBy, teamGrant, teamRoleAt } from "../sections/grants";
import type { RecordedChild } from "./recorded";
import { type Live, type Loss, nameOf, type RoleProjection } from "./roles";

type Members = NonNullable<NonNullable<OrganizationFile["teams"]>[string]["members"]>;

/** The members of all teams as they will be after the change. */
export class TeamProjection {
  constructor(
    private readonly roleProjection: RoleProjection,
    private readonly organization: OrganizationFile,
    private readonly live: Live,
    private readonly recorded: readonly RecordedChild[],
    private readonly now: Date,
  ) {}

  /** Ids of all people in teams with declared or recorded `TeamMembers`, and of people with a managed membership in other teams. */
  people(): string[] {
    return [...this.peopleInWholeTeams(), ...this.live.teams.flatMap((team) => this.peopleInMemberships(team))];
  }

  private peopleInWholeTeams(): string[] {
    const teams = this.live.teams.filter(({ id }) => this.organization.teams?.[id]?.members || this.recordedTeam(id));
    return teams.flatMap(({ people }) => people.map(({ userId }) => userId));
  }

  losses(): Loss[] {
    return this.live.teams.flatMap((team) => {
      const members = this.organization.teams?.[team.id]?.members;
      return members ? this.lossesIn(team, members) : [...this.lossesWithTeam(team), ...this.membershipLosses(team)];
    });
  }

  /**
   * Losses in teams that become managed with this change: a preview does not know their members. Without `removeExisting`,
   * unmanaged members are refused elsewhere, so they lose nothing here.
   */
  lossesInNewlyManagedTeams(): Loss[] {
    return this.live.teams.flatMap((team) => {
      const { members, removeExisting } = this.organization.teams?.[team.id] ?? {};
      if (!members) return this.membershipLosses(team, (userId) => !this.membershipsIn(team.id).has(userId));
      if (this.recordedTeam(team.id)) return [];
      const roles = this.rolesIn(team.id, members);
      const people = team.people.filter(({ userId }) => removeExisting || roles.has(userId));
      return this.lossesIn({ ...team, people }, members);
    });
  }

  /** Live members of teams that become managed with this change: those who are declared, and those who would be removed. */
  newlyManagedTeams(): Record<string, PresentPerson[]> {
    const teams = this.live.teams.flatMap(({ id, people }): [string, PresentPerson[]][] => {
      const { members: everybody, memberships, removeExisting } = this.organization.teams?.[id] ?? {};
      const members = everybody ?? memberships;
      if (!members || this.recordedTeam(id)) return [];
      const known = this.membershipsIn(id);
      if (!everybody && Object.keys(members).every((user) => known.has(this.roleProjection.keyOf(user, id)))) return [];
      const ignored = this.ignoredIn(id);
      const names = new Map(Object.keys(members).map((user) => [this.roleProjection.keyOf(user, id), user]));
      const some = people.filter((one) => names.has(one.userId) || (removeExisting && !ignored(one)));
      return [
        [id, some.map(({ userId, email, role }) => ({ user: names.get(userId) ?? email ?? userId, userId, role }))],
      ];
    });
    return Object.fromEntries(teams);
  }

  /** Ids of disabled people who get into a team, or become its owner. */
  disabledGainers(): string[] {
    return this.live.teams.flatMap(({ id, people }) => {
      const roles = this.rolesIn(id, declaredPeople(this.organization.teams?.[id] ?? {}).people);
      const before = (userId: string) => people.find((one) => one.userId === userId)?.role;
      const rises = [...roles].filter(([userId, role]) =>
        role === "owner" ? before(userId) !== "owner" : role === "member" && !before(userId),
      );
      return rises.map(([userId]) => userId).filter((userId) => this.roleProjection.findMember(userId)?.disabled);
    });
  }

  private lossesIn(team: LiveTeam, members: Members): Loss[] {
    const { id, people } = team;
    const title = this.titleOf(team);
    const ignored = this.ignoredIn(id);
    const single = this.membershipsIn(id);
    const roles = this.rolesIn(id, members);
    return people.flatMap((one) => {
      const after = roles.get(one.userId) ?? "remove";
      const person = this.personOf(one.userId);
      // The resource of a single person does not know who is ignored from now on.
      if (after === "remove")
        return ignored(one) && !single.has(one.userId) ? [] : [{ person, what: `leaves team ${title}` }];
      return one.role === "owner" && after !== "owner" ? [{ person, what: `no longer owns team ${title}` }] : [];
    });
  }

  /** Unmanaged members of a team that becomes managed: the creation of `TeamMembers` would refuse to remove them. */
  unmanagedMembers(id: string): string[] {
    const declared = this.organization.teams?.[id];
    const live = this.live.teams.find((team) => team.id === id);
    if (!declared?.members || !live || declared.removeExisting || this.recordedTeam(id)) return [];
    const [ignored, roles] = [this.ignoredIn(id), this.rolesIn(id, declared.members)];
    const others = live.people.filter((one) => (roles.get(one.userId) ?? "remove") === "remove" && !ignored(one));
    return others.map(({ userId }) => {
      return `${this.personOf(userId)}${roles.has(userId) ? " (whose grant has ended)" : ""}`;
    });
  }

  /** The owners of a declared team that would lose its last owner; empty if that is allowed, or if only ended grants cause it. */
  lostLastOwners(id: string): string[] {
    const declared = this.organization.teams?.[id];
    const live = this.live.teams.find((team) => team.id === id);
    if (!declared?.members || !live || declared.allowNoOwner) return [];
    const [ignored, roles] = [this.ignoredIn(id), this.rolesIn(id, declared.members)];
    const given = Object.entries(declared.members).filter(([, grant]) => teamGrant(grant).role === "owner");
    const granted = new Set(given.map(([user]) => this.roleProjection.keyOf(user, id)));
    // The creation of a `TeamMembers` never removes unmanaged members, unless removeExisting allows it.
    const removes = this.recordedTeam(id) !== undefined || declared.removeExisting === true;
    const remains = (one: Teammate) => !roles.has(one.userId) && (ignored(one) || !removes) && this.stays(one.userId);
    const added = [...roles].some(([user, role]) => role === "owner" && this.canSignIn(user, id) && this.stays(user));
    const owners = live.people.filter(({ role }) => role === "owner");
    // Somebody who cannot sign in cannot manage the team.
    if (
      added ||
      owners.some((one) => !one.disabled && remains(one)) ||
      owners.every(({ userId }) => granted.has(userId))
    )
      return [];
    return owners.map(({ userId }) => this.personOf(userId));
  }

  /** Teams that the file no longer has and whose deletion would be refused, because it would remove the last owner. */
  removedTeamsLosingLastOwner(): { readonly team: string; readonly owners: readonly string[] }[] {
    return this.live.teams.flatMap((team) => {
      const recorded = this.recordedTeam(team.id);
      const declared = this.organization.teams?.[team.id]?.members;
      if (!recorded || declared || recorded.outputs.onDestroy === "leave" || recorded.outputs.allowNoOwner) return [];
      const going = new Set(this.peopleRemovedWith(team).map(({ userId }) => userId));
      const owners = team.people.filter(({ role }) => role === "owner");
      if (owners.length === 0 || owners.some(({ userId, disabled }) => !disabled && !going.has(userId))) return [];
      return [{ team: this.titleOf(team), owners: owners.map(({ userId }) => this.personOf(userId)) }];
    });
  }

  /** Teams that lose their last owner by a change of `memberships`. */
  teamsLosingLastOwner() {
    return this.live.teams.flatMap((team) => {
      const { members, memberships = {} } = this.organization.teams?.[team.id] ?? {};
      if (members) return [];
      const going = new Set(this.changedMemberships(team).map(({ one }) => one.userId));
      const owners = team.people.filter(({ role }) => role === "owner");
      const stays = owners.some(({ userId }) => !going.has(userId) && this.stays(userId));
      const roles = [...this.rolesIn(team.id, memberships)];
      const added = roles.some(
        ([user, role]) => role === "owner" && this.roleProjection.findMember(user) && this.stays(user),
      );
      if (stays || added || !owners.some(({ userId }) => going.has(userId))) return [];
      return [{ id: team.id, team: this.titleOf(team), owners: owners.map(({ userId }) => this.personOf(userId)) }];
    });
  }

  /**
   * Teams whose people were managed one by one until now, and whose last owner is no longer declared. The deletion of that
   * `TeamMembership` would be refused: it does not know what the team allows or ignores from now on.
   */
  wholeTeamsLosingLastOwner() {
    return this.live.teams.flatMap((team) => {
      const members = this.organization.teams?.[team.id]?.members;
      if (!members || this.lostLastOwners(team.id).length > 0) return [];
      const [ignored, roles] = [this.ignoredIn(team.id), this.rolesIn(team.id, members)];
      const recorded = this.membershipsIn(team.id);
      const isDeclared = ({ userId }: Teammate) => (roles.get(userId) ?? "remove") !== "remove";
      const owners = team.people.filter(({ role }) => role === "owner");
      const going = owners.filter((one) => recorded.has(one.userId) && !isDeclared(one));
      const stays = owners.some((one) => !going.includes(one) && ignored(one) && this.stays(one.userId));
      const added = [...roles].some(
        ([user, role]) => role === "owner" && this.roleProjection.findMember(user, team.id),
      );
      if (going.length === 0 || stays || added) return [];
      return [{ id: team.id, team: this.titleOf(team), owners: going.map(({ userId }) => this.personOf(userId)) }];
    });
  }

  /** People with a recorded `TeamMembership` in the team: user ids, or e-mails of people who have not joined. */
  private membershipsIn(teamId: string): ReadonlySet<string> {
    const own = this.recorded.filter((one) => one.resource === "TeamMembership" && one.outputs.teamId === teamId);
    return new Set(
      own.map(({ outputs: { userId, user } }) => String(userId ?? this.roleProjection.keyOf(String(user), teamId))),
    );
  }

  private peopleInMemberships({ id, people }: LiveTeam): string[] {
    const declared = this.rolesIn(id, this.organization.teams?.[id]?.memberships ?? {});
    const recorded = this.membershipsIn(id);
    return people.map(({ userId }) => userId).filter((userId) => declared.has(userId) || recorded.has(userId));
  }

  /** People in `memberships` who lose something in a team: removed people, and owners who become members. */
  private changedMemberships({ id, people }: LiveTeam): { one: Teammate; leaves: boolean }[] {
    const declared = this.rolesIn(id, this.organization.teams?.[id]?.memberships ?? {});
    const recorded = this.membershipsIn(id);
    return people.flatMap((one): { one: Teammate; leaves: boolean }[] => {
      const after = declared.get(one.userId) ?? "remove";
      if (after === "remove") return recorded.has(one.userId) ? [{ one, leaves: true }] : [];
      return one.role === "owner" && after === "member" ? [{ one, leaves: false }] : [];
    });
  }

  private membershipLosses(team: LiveTeam, wanted: (userId: string) => boolean = () => true): Loss[] {
    const changed = this.changedMemberships(team).filter(({ one }) => wanted(one.userId));
    return changed.map(({ one, leaves }) => ({
      person: this.personOf(one.userId),
      what: leaves ? `leaves team ${this.titleOf(team)}` : `no longer owns team ${this.titleOf(team)}`,
    }));
  }

  private canSignIn(user: string, teamId: string): boolean {
    const member = this.roleProjection.findMember(user, teamId);
    return member !== undefined && !member.disabled;
  }

  private recordedTeam(teamId: string): RecordedChild | undefined {
    return this.recorded.find(({ resource, outputs }) => resource === "TeamMembers" && outputs.teamId === teamId);
  }

  private ignoredIn(teamId: string) {
    return matcherOf(this.organization.teams?.[teamId]?.ignore ?? []);
  }

  /** Whether the person is still in the organization. A non-member stays: there is nothing to be removed from. */
  private stays(userId: string): boolean {
    const member = this.roleProjection.findMember(userId);
    return member === undefined || this.roleProjection.stays(member);
  }

  /** Declared roles by user id, or by e-mail if the id is not known. The team loses people who leave the organization. */
  private rolesIn(teamId: string, members: Members) {
    const gone = peopleRemovedBy(this.organization, this.now);
    const roles = Object.entries(members).map(([user, declared]) => {
      const role = gone.has(userKey(user)) ? "remove" : teamRoleAt(declared, this.now);
      return [this.roleProjection.keyOf(user, teamId), role] as const;
    });
    return new Map(roles);
  }

  /** Losses by a team that the file no longer has: its declared members are removed, unless it had `onDestroy: leave`. */
  private lossesWithTeam(team: LiveTeam): Loss[] {
    const what = `leaves team ${this.titleOf(team)}`;
    return this.peopleRemovedWith(team).map(({ userId }) => ({ person: this.personOf(userId), what }));
  }

  private peopleRemovedWith({ id, people }: LiveTeam): readonly Teammate[] {
    const recorded = this.recordedTeam(id);
    if (!recorded || recorded.outputs.onDestroy === "leave") return [];
    const declared = Object.keys(propertiesIn(recorded.outputs.members));
    const managed = new Set(declared.map((user) => this.roleProjection.keyOf(user, id)));
    // Unmanaged members that a refresh has found stay when the team is released.
    const found: unknown[] = Array.isArray(recorded.outputs.found) ? recorded.outputs.found : [];
    // People who move to `memberships` stay as well.
    const single = this.rolesIn(id, this.organization.teams?.[id]?.memberships ?? {});
    const stays = (userId: string) => (single.get(userId) ?? "remove") !== "remove" || found.includes(userId);
    return people.filter(({ userId }) => managed.has(userId) && !stays(userId));
  }

  /** The title of a team, with the id if another team has the same title. */
  private titleOf({ id, title = id }: LiveTeam): string {
    const same = this.live.teams.filter((other) => other.title === title);
    return same.length > 1 ? `${visible(title)} (${id})` : visible(title);
  }

  private personOf(userId: string): string {
    const member = this.roleProjection.findMember(userId);
    return member ? nameOf(member) : visible(userId);
  }
}
