import type { Role } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { newId } from "../store/ids";
import type { Organization } from "../store/state";
import { findMember, type MemberRecord, putInTeam } from "./record";

/** A person who accepts an invitation, follows a join link or signs in for the first time. */
export interface Newcomer {
  readonly userId?: string;
  readonly displayName?: string;
  readonly email?: string;
  /** Role in the organization, `read` by default; `null` makes a guest. */
  readonly role?: Role | null;
  readonly sso?: boolean;
}

/** Adds a member; no operation of the API does this. The person joins the teams to which the e-mail was invited. */
export function join(organization: Organization, newcomer: Newcomer, now: Date): MemberRecord {
  const { userId = newId("user"), email, role = "read", sso = false } = newcomer;
  const there = findMember(organization, userId) ?? findMember(organization, email ?? userId);
  if (there) throw new DocsError(`"${there.id}" is a member of "${organization.id}" already; use another person`);
  const displayName = newcomer.displayName ?? email ?? userId;
  const joinedAt = now.toISOString();
  const member = { id: userId, displayName, email, role, disabled: false, sso, joinedAt, spaces: {} };
  organization.members.set(userId, member);
  acceptInvitations(organization, member);
  return member;
}

function acceptInvitations({ teams, invitations }: Organization, { id, email = "" }: MemberRecord): void {
  for (const [teamId, role] of invitations.get(email.toLowerCase()) ?? []) {
    const team = teams.get(teamId);
    if (team) putInTeam(team, id, role);
  }
  invitations.delete(email.toLowerCase());
}
