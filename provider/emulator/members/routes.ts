import type { Endpoints } from "../../api/endpoints";
import { badRequest } from "../http/errors";
import { pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import { spaceAnswer } from "../spaces/answer";
import { memberAnswer, memberOf, roleIn, teamAnswer } from "./answer";
import { callerOf, visitorClaims } from "./caller";
import type { MemberRecord } from "./record";

/**
 * Members: list, read, update, remove, ping, mark as single sign-on, and list the spaces and teams of a member.
 * @internal
 */
export const memberRoutes = {
  listMembers: (call) => {
    const { sort = "joinedAt", order = "desc" } = call.query;
    const { members } = call.organization;
    if (sort === "name" && call.service.version === "0.146") throw badRequest('sort: use "joinedAt" or "lastSeenAt"');
    return pageOf(call, {
      records: filterMembers(sort === "lastSeenAt" ? seenOf(members.in(sort)) : members.in(sort), call.query),
      order,
      sort,
      key: (member) => [members.textOf(sort, member), member.id],
      item: (member) => memberAnswer(call, member),
    });
  },

  getMember: (call) => memberAnswer(call, memberOf(call)),

  removeMember: ({ organization, path, service }) => {
    if (!organization.members.has(path.userId)) return false;
    if (service.readings.memberRemoval === "requested") return "requested";
    return organization.members.delete(path.userId);
  },

  updateMember: (call) => {
    const member = memberOf(call);
    const { role } = call.body;
    if (role !== undefined) member.role = role;
    return memberAnswer(call, member);
  },

  ping: ({ organization, service }) => {
    const member = callerOf(organization, service);
    member.lastSeenAt = service.now().toISOString();
    return { serviceVisitorClaims: visitorClaims(member, service) };
  },

  markMemberSso: (call) => {
    const member = memberOf(call);
    member.sso = true;
    return memberAnswer(call, member);
  },

  listMemberSpaces: (call) => {
    const member = memberOf(call);
    const seen = [...call.organization.spaces.values()].flatMap((space) => {
      const permission = roleIn(space, member);
      return permission === null ? [] : [{ space, permission }];
    });
    const { order = "desc" } = call.query;
    return pageOf(call, {
      records: seen,
      order,
      key: ({ space }) => [space.sequence],
      item: ({ space, permission }) => ({ permission, space: spaceAnswer(call, space) }),
    });
  },

  listMemberTeams: (call) => {
    const { id } = memberOf(call);
    const wanted = call.query.title?.toLowerCase() ?? "";
    const teams = [...call.organization.teams.of(id)].filter(({ title }) => title.toLowerCase().includes(wanted));
    return pageOf(call, {
      records: teams.sort((a, b) => a.sequence - b.sequence),
      key: ({ sequence }) => [sequence],
      item: (team) => ({ team: teamAnswer(team), member: { role: team.members.get(id)?.role ?? "member" } }),
    });
  },
} satisfies Partial<Routes>;

/** The members that were seen. They come last in the order of `lastSeenAt`. */
function seenOf(members: readonly MemberRecord[]): readonly MemberRecord[] {
  const first = members.findIndex(({ lastSeenAt }) => lastSeenAt !== undefined);
  return first < 0 ? [] : members.slice(first);
}

type Filters = Pick<RouteCall<Endpoints["listMembers"]>["query"], "role" | "search">;

function filterMembers(members: readonly MemberRecord[], { role, search }: Filters): readonly MemberRecord[] {
  if (role === undefined && !search) return members;
  const wantedRole = role === "guest" ? null : role;
  // For 100,000 texts, a case-insensitive pattern takes half the time of lower-case copies.
  const text = search && new RegExp(search.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
  return members.filter(
    (member) =>
      (wantedRole === undefined || member.role === wantedRole) &&
      (!text || text.test(member.displayName) || (member.email !== undefined && text.test(member.email))),
  );
}
