import type { Endpoints } from "../../api/endpoints";
import { badRequest } from "../http/errors";
import { compared, pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import { spaceAnswer } from "../spaces/answer";
import { memberAnswer, memberOf, roleIn, teamAnswer } from "./answer";
import { callerOf, visitorClaims } from "./caller";
import { type MemberRecord, removeMember, teamsByUser } from "./record";

/** Members: list, read, update, remove, ping, mark as single sign-on, and list the spaces and teams of a member. */
export const memberRoutes = {
  listMembers: (call) => {
    const { sort = "joinedAt", order = "desc" } = call.query;
    if (sort === "name" && call.service.version === "0.146") throw badRequest('sort: use "joinedAt" or "lastSeenAt"');
    const all = [...call.organization.members.values()];
    // The order of `lastSeenAt` has only those who were seen.
    const sorted = sort === "lastSeenAt" ? all.filter(({ lastSeenAt }) => lastSeenAt !== undefined) : all;
    const key = (member: MemberRecord) => [textOf[sort](member), member.id];
    const teams = teamsByUser(call.organization);
    return pageOf(call, {
      records: filterMembers(sorted, call.query).sort((one, other) => compared(key(one), key(other))),
      order,
      sort,
      key,
      item: (member) => memberAnswer(call, member, teams),
    });
  },

  getMember: (call) => memberAnswer(call, memberOf(call)),

  removeMember: ({ organization, path, service }) => {
    if (!organization.members.has(path.userId)) return false;
    if (service.readings.memberRemoval === "requested") return "requested";
    return removeMember(organization, path.userId);
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
    return pageOf(call, {
      records: (teamsByUser(call.organization).get(id) ?? []).filter(({ title }) =>
        title.toLowerCase().includes(wanted),
      ),
      key: ({ sequence }) => [sequence],
      item: (team) => ({ team: teamAnswer(team), member: { role: team.members.get(id)?.role ?? "member" } }),
    });
  },
} satisfies Partial<Routes>;

/** What each order of the list compares. */
const textOf = {
  joinedAt: ({ joinedAt }: MemberRecord) => joinedAt,
  lastSeenAt: ({ lastSeenAt = "" }: MemberRecord) => lastSeenAt,
  name: ({ displayName }: MemberRecord) => displayName.toLowerCase(),
};

type Filters = Pick<RouteCall<Endpoints["listMembers"]>["query"], "role" | "search">;

function filterMembers(members: MemberRecord[], { role, search }: Filters): MemberRecord[] {
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
