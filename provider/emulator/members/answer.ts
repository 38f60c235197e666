import type { Member } from "../../api/groups/members";
import type { Role, Team, User } from "../../api/groups/shared";
import type { Complete } from "../http/complete";
import { existing } from "../http/errors";
import type { PathCall } from "../http/route";
import type { SpaceRecord } from "../spaces/record";
import type { Place, Service } from "../store/service";
import type { Organization } from "../store/state";
import { type MemberRecord, type TeamRecord, teamsByUser } from "./record";

export const memberOf = ({ organization, path }: PathCall<"userId">): MemberRecord =>
  existing(organization.members.get(path.userId), "member", path.userId);

export const teamOf = ({ organization, path }: PathCall<"teamId">): TeamRecord =>
  existing(organization.teams.get(path.teamId), "team", path.teamId);

/** A user as the service shows one. For a user who is not (or no longer) a member, only the id is known. */
export function userAnswer({ organization, service }: Place, userId: string): Complete<User> {
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
  const hidden = hiddenEmails !== false && (hiddenEmails.includes(id) || hiddenEmails.includes(email));
  return hidden ? undefined : email;
}

/** A member as the service shows one. */
export function memberAnswer(
  place: Place,
  member: MemberRecord,
  teams = teamsByUser(place.organization),
): Complete<Member> {
  const { organization, service } = place;
  return {
    object: "member",
    id: member.id,
    role: member.role,
    user: userAnswer(place, member.id),
    disabled: member.disabled,
    joinedAt: member.joinedAt,
    lastSeenAt: member.lastSeenAt,
    sso: member.sso,
    spaces: spaceCount(organization, member),
    teams: teams.get(member.id)?.length ?? 0,
    sites: service.version === "0.202" ? siteCount(organization, member) : undefined,
  };
}

/** A member has the organization role in every space without a role of its own; a guest only sees spaces with such a role. */
export function roleIn(space: SpaceRecord, { role, spaces }: MemberRecord): Role | null {
  return (Object.hasOwn(spaces, space.id) ? spaces[space.id] : role) ?? null;
}

function spaceCount({ spaces }: Organization, member: MemberRecord): number {
  if (member.role !== null) return spaces.size;
  return Object.keys(member.spaces).filter((id) => spaces.has(id)).length;
}

/** No operation lists the sites of a member. */
function siteCount({ sites }: Organization, { role }: MemberRecord): number {
  return role === null ? 0 : sites.size;
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
