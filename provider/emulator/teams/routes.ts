import type { Endpoints } from "../../api/endpoints";
import type { TeamRole } from "../../api/groups/shared";
import { badRequest } from "../http/errors";
import { bySequence, pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import { findMember, putInTeam, type TeamRecord } from "../members/record";
import { memberAnswer } from "../members/routes";
import type { Organization } from "../store/state";

/** Members of teams. */
export const teamRoutes = {
  listTeamMembers: (call) =>
    pageOf(call, {
      records: peopleIn(call.team, call.organization),
      key: ({ membership }) => bySequence(membership),
      item: ({ member, membership: { role } }) => ({
        organization: memberAnswer(call, member),
        team: { role },
        permissions: { view: true },
      }),
    }),

  updateTeamMembers: (call) => {
    const { team, organization } = call;
    const { add = [], remove = [], memberships = {} } = call.body;
    const additions: Addition[] = [
      ...add.map((key, index) => ({ key, role: undefined, at: `add[${index}]` })),
      ...Object.entries(memberships).map(([key, { role }]) => ({ key, role, at: "memberships" })),
    ];
    // Everything is checked before the first change, so a refused update changes nothing.
    for (const addition of additions) refuseStranger(call, addition);
    for (const addition of additions) addToTeam(call, addition);
    // Last, so that a user in both is removed.
    for (const key of remove) removeFromTeam(key, team, organization);
  },

  // The API document does not show what an omitted role does to an owner; here the role stays.
  putTeamMember: ({ team, member, body }) => void putInTeam(team, member.id, body?.role),

  removeTeamMember: ({ team, path }) => team.members.delete(path.userId),
} satisfies Partial<Routes>;

function peopleIn(team: TeamRecord, { members }: Organization) {
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

function refuseStranger({ organization, service }: BulkCall, { key, at }: Addition): void {
  if (findMember(organization, key)) return;
  if (!key.includes("@")) throw badRequest(`${at}: there is no member "${key}"`);
  if (service.readings.strangers !== "400") return;
  throw badRequest(`${at}: no member of the organization has the e-mail "${key}"`);
}

function addToTeam({ organization, service, team }: BulkCall, { key, role }: Addition): void {
  const member = findMember(organization, key);
  if (member) putInTeam(team, member.id, role);
  else if (service.readings.strangers === "invite") invite(key.toLowerCase(), role, team, organization);
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
