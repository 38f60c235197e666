import type { Endpoints } from "../../api/endpoints";
import type { TeamRole } from "../../api/groups/shared";
import { badRequest, notFound } from "../http/errors";
import { pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import { memberAnswer, teamOf } from "../members/answer";
import { findMember, putInTeam, type TeamRecord, teamsByUser } from "../members/record";
import type { Organization } from "../store/state";

/** Members of teams. */
export const teamRoutes = {
  listTeamMembers: (call) => {
    const team = teamOf(call);
    const teams = teamsByUser(call.organization);
    return pageOf(call, {
      records: peopleIn(team, call.organization),
      key: ({ membership }) => [membership.sequence],
      item: ({ member, membership: { role } }) => ({
        organization: memberAnswer(call, member, teams),
        team: { role },
        permissions: { view: true },
      }),
    });
  },

  updateTeamMembers: (call) => {
    const team = teamOf(call);
    // Everything is checked before the first change, so a refused update changes nothing.
    for (const change of prepareChanges(call, team)) change();
  },

  putTeamMember: (call) => {
    const team = teamOf(call);
    const { userId } = call.path;
    if (!call.organization.members.has(userId)) throw notFound("member", userId);
    // The API document does not show what an omitted role does to an owner; here the role stays.
    putInTeam(team, userId, call.body?.role);
  },

  removeTeamMember: (call) => teamOf(call).members.delete(call.path.userId),
} satisfies Partial<Routes>;

function peopleIn(team: TeamRecord, { members }: Organization) {
  return [...team.members].flatMap(([userId, membership]) => {
    const member = members.get(userId);
    return member ? [{ member, membership }] : [];
  });
}

type BulkCall = RouteCall<Endpoints["updateTeamMembers"]>;

/** Changes in the request: additions and roles first, then removals, so that a user in both is removed. */
function prepareChanges(call: BulkCall, team: TeamRecord): (() => void)[] {
  const { add = [], remove = [], memberships = {} } = call.body;
  const roles = Object.entries(memberships).map(([key, { role }], index) => ({ key, role, at: "memberships", index }));
  const added = add.map((key, index) => ({ key, role: undefined, at: `add[${index}]`, index }));
  const removed = new Set(remove.map((key) => identityOf(key, call.organization)));
  const kept = [...added, ...roles].filter(({ key }) => !removed.has(identityOf(key, call.organization)));
  return [
    ...kept.map(({ key, role, at }) => prepareAddition(call, team, { key, role, at })),
    ...remove.map((key) => () => void removeFromTeam(key, team, call.organization)),
  ];
}

/** An identity that is the same for a user's id and e-mail. */
const identityOf = (key: string, people: Organization) => findMember(people, key)?.id ?? key.toLowerCase();

interface Addition {
  readonly key: string;
  readonly role: TeamRole | undefined;
  /** Position in the body, for the error. */
  readonly at: string;
}

function prepareAddition(
  { organization, service }: BulkCall,
  team: TeamRecord,
  { key, role, at }: Addition,
): () => void {
  const member = findMember(organization, key);
  if (member) return () => putInTeam(team, member.id, role);
  const { strangers } = service.readings;
  if (!key.includes("@")) throw badRequest(`${at}: there is no member "${key}"`);
  if (strangers === "400") throw badRequest(`${at}: no member of the organization has the e-mail "${key}"`);
  return strangers === "invite" ? () => invite(key.toLowerCase(), role, team, organization) : () => undefined;
}

function invite(email: string, role: TeamRole | undefined, { id }: TeamRecord, { invitations }: Organization): void {
  const teams = invitations.get(email) ?? new Map<string, TeamRole>();
  teams.set(id, role ?? teams.get(id) ?? "member");
  invitations.set(email, teams);
}

function removeFromTeam(key: string, team: TeamRecord, organization: Organization): void {
  const member = findMember(organization, key);
  if (member) team.members.delete(member.id);
  else organization.invitations.get(key.toLowerCase())?.delete(team.id);
}
