import type { Endpoints } from "../../api/endpoints";
import type { Member } from "../../api/groups/members";
import type { Role, Team, TeamRole, User } from "../../api/groups/shared";
import { badRequest, requireExisting } from "../http/errors";
import { bySequence, comparePageKeys, type Key, pageOf } from "../http/paging";
import type { Complete, RouteCall, Routes } from "../http/route";
import { spaceAnswer } from "../spaces/answer";
import type { SpaceRecord } from "../spaces/record";
import type { RecordContext, Service } from "../store/service";
import type { OrganizationRecord } from "../store/state";
import { callerId } from "./caller";
import {
  findMember,
  type MemberRecord,
  putInTeam,
  removeMember,
  type TeamRecord,
  type TeamsByUser,
  teamsByUser,
} from "./record";

export const memberRoutes = {
  listMembers: (call) => {
    const { sort = "joinedAt", order = "desc" } = call.query;
    if (sort === "name" && call.service.version === "0.146") throw badRequest('sort: use "joinedAt" or "lastSeenAt"');
    const key = (member: MemberRecord): Key => [sortKeyOf[sort](member), member.id];
    const all = sortedMembers(call.organization.members, key);
    // Sorted by `lastSeenAt`, the list has only members who were seen.
    const listed = sort === "lastSeenAt" ? all.filter(({ lastSeenAt }) => lastSeenAt !== undefined) : all;
    const teams = teamsByUser(call.organization);
    return pageOf(call, {
      records: filterMembers(listed, call.query),
      order,
      sort,
      key,
      item: (member) => memberAnswer(call, member, teams),
    });
  },

  getMember: (call) => memberAnswer(call, call.member),

  removeMember: ({ organization, path, service }) => {
    if (!organization.members.has(path.userId)) return false;
    if (service.readings.memberRemoval === "requested") return "requested";
    return removeMember(organization, path.userId);
  },

  updateMember: (call) => {
    const { role } = call.body;
    if (role !== undefined) call.member.role = role;
    return memberAnswer(call, call.member);
  },

  ping: ({ organization, service }) => {
    const id = callerId(organization, service);
    requireExisting(organization.members.get(id), "member", id).lastSeenAt = service.now().toISOString();
    return { serviceVisitorClaims: undefined };
  },

  markMemberSso: (call) => {
    call.member.sso = true;
    return memberAnswer(call, call.member);
  },

  listMemberSpaces: (call) => {
    const seen = [...call.organization.spaces.values()].flatMap((space) => {
      const permission = roleInSpace(space, call.member);
      return permission === null ? [] : [{ space, permission }];
    });
    const { order = "desc" } = call.query;
    return pageOf(call, {
      records: seen,
      order,
      key: ({ space }) => bySequence(space),
      item: ({ space, permission }) => ({ permission, space: spaceAnswer(call, space) }),
    });
  },

  listMemberTeams: (call) => {
    const { id } = call.member;
    const wanted = call.query.title?.toLowerCase() ?? "";
    const teams = teamsByUser(call.organization).get(id) ?? [];
    return pageOf(call, {
      records: teams.filter(({ title }) => title.toLowerCase().includes(wanted)),
      key: bySequence,
      item: (team) => ({ team: teamAnswer(team), member: { role: team.members.get(id)?.role ?? "member" } }),
    });
  },
} satisfies Partial<Routes>;

const sortKeyOf = {
  joinedAt: ({ joinedAt }: MemberRecord) => joinedAt,
  lastSeenAt: ({ lastSeenAt = "" }: MemberRecord) => lastSeenAt,
  name: ({ displayName }: MemberRecord) => displayName.toLowerCase(),
};

const lastSorted = new WeakMap<OrganizationRecord["members"], MemberRecord[]>();

/** Keeps the sorted list for the next page: a list that is in order takes one comparison for each member. */
function sortedMembers(members: OrganizationRecord["members"], key: (member: MemberRecord) => Key): MemberRecord[] {
  const last = lastSorted.get(members) ?? [];
  const isComplete = last.length === members.size && last.every((one) => members.get(one.id) === one);
  const all = isComplete ? last : [...members.values()];
  lastSorted.set(members, all);
  return all.sort((one, other) => comparePageKeys(key(one), key(other)));
}

type Filters = Pick<RouteCall<Endpoints["listMembers"]>["query"], "role" | "search">;

function filterMembers(members: readonly MemberRecord[], { role, search }: Filters): readonly MemberRecord[] {
  if (role === undefined && !search) return members;
  const wantedRole = role === "guest" ? null : role;
  const text = search?.toLowerCase() ?? "";
  return members.filter(
    (member) =>
      (wantedRole === undefined || member.role === wantedRole) &&
      [member.displayName, member.email ?? ""].some((one) => one.toLowerCase().includes(text)),
  );
}

/** A user as the service shows one. For a user who is not (or no longer) a member, only the id is known. */
export function userAnswer({ organization, service }: RecordContext, userId: string): Complete<User> {
  const member = organization.members.get(userId);
  return {
    object: "user",
    id: userId,
    displayName: member?.displayName ?? userId,
    email: member && shownEmail(member, service),
    photoURL: undefined,
    urls: { location: `${service.url}/v1/users/${encodeURIComponent(userId)}` },
  };
}

function shownEmail({ id, email }: MemberRecord, { readings: { hiddenEmails } }: Service): string | undefined {
  if (hiddenEmails === true || email === undefined) return undefined;
  const isHidden = hiddenEmails !== false && (hiddenEmails.includes(id) || hiddenEmails.includes(email));
  return isHidden ? undefined : email;
}

export function memberAnswer(
  place: RecordContext,
  member: MemberRecord,
  teams: TeamsByUser = teamsByUser(place.organization),
): Complete<Member> {
  const { organization, service } = place;
  const spaces = [...organization.spaces.values()];
  const sites = member.role === null ? 0 : organization.sites.size;
  return {
    object: "member",
    id: member.id,
    role: member.role,
    user: userAnswer(place, member.id),
    disabled: member.disabled,
    joinedAt: member.joinedAt,
    lastSeenAt: member.lastSeenAt,
    sso: member.sso,
    spaces: spaces.filter((space) => roleInSpace(space, member) !== null).length,
    teams: teams.get(member.id)?.length ?? 0,
    // No operation lists the sites of a member.
    sites: service.version === "0.202" ? sites : undefined,
  };
}

/** The member's role for this space, otherwise the role in the organization. A guest has only roles for spaces. */
export function roleInSpace(space: SpaceRecord, { role, spaces }: MemberRecord): Role | null {
  return (Object.hasOwn(spaces, space.id) ? spaces[space.id] : role) ?? null;
}

export function teamAnswer({ id, title, members, createdAt }: TeamRecord): Complete<Team> {
  return {
    object: "team",
    id,
    title,
    members: members.size,
    // No operation of the document gives a team access to a space.
    spaces: 0,
    createdAt,
    permissions: { admin: true, view: true },
  };
}

export const teamRoutes = {
  listTeamMembers: (call) => {
    const teams = teamsByUser(call.organization);
    return pageOf(call, {
      records: peopleIn(call.team, call.organization),
      key: ({ membership }) => bySequence(membership),
      item: ({ member, membership: { role } }) => ({
        organization: memberAnswer(call, member, teams),
        team: { role },
        permissions: { view: true },
      }),
    });
  },

  updateTeamMembers: (call) => {
    const { team, organization } = call;
    const { add = [], remove = [], memberships = {} } = call.body;
    const additions: Addition[] = [
      ...add.map((key, index) => ({ key, role: undefined, at: `add[${index}]` })),
      ...Object.entries(memberships).map(([key, { role }]) => ({ key, role, at: "memberships" })),
    ];
    // Everything is checked before the first change, so a refused update changes nothing.
    for (const addition of additions) checkAddition(call, addition);
    for (const addition of additions) addToTeam(call, addition);
    // Last, so that a user in both is removed.
    for (const key of remove) removeFromTeam(key, team, organization);
  },

  // The API document does not show what an omitted role does to an owner; here the role stays.
  putTeamMember: ({ team, member, body }) => void putInTeam(team, member.id, body?.role),

  removeTeamMember: ({ team, path }) => team.members.delete(path.userId),
} satisfies Partial<Routes>;

function peopleIn(team: TeamRecord, { members }: OrganizationRecord) {
  return [...team.members].flatMap(([userId, membership]) => {
    const member = members.get(userId);
    return member ? [{ member, membership }] : [];
  });
}

type BulkCall = RouteCall<Endpoints["updateTeamMembers"]>;

interface Addition {
  readonly key: string;
  readonly role: TeamRole | undefined;
  /** Position in the body, for the error. */
  readonly at: string;
}

function checkAddition({ organization, service }: BulkCall, { key, at }: Addition): void {
  if (findMember(organization, key)) return;
  if (!key.includes("@")) throw badRequest(`${at}: there is no member "${key}"`);
  const { strangers } = service.readings;
  if (strangers === "400") throw badRequest(`${at}: no member of the organization has the e-mail "${key}"`);
}

function addToTeam({ organization, service, team }: BulkCall, { key, role }: Addition): void {
  const member = findMember(organization, key);
  if (member) putInTeam(team, member.id, role);
  else if (service.readings.strangers === "invite") invite(key.toLowerCase(), role, team, organization);
}

function invite(
  email: string,
  role: TeamRole | undefined,
  { id }: TeamRecord,
  { invitations }: OrganizationRecord,
): void {
  const teams = invitations.get(email) ?? new Map<string, TeamRole>();
  teams.set(id, role ?? teams.get(id) ?? "member");
  invitations.set(email, teams);
}

function removeFromTeam(key: string, team: TeamRecord, organization: OrganizationRecord): void {
  const member = findMember(organization, key);
  if (member) team.members.delete(member.id);
  else organization.invitations.get(key.toLowerCase())?.delete(team.id);
}
