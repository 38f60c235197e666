import type { Role } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { newId } from "../store/ids";
import type { Organization } from "../store/state";
import type { MemberRecord } from "./record";

/** Somebody who accepts an invitation, follows a join link or signs in for the first time. */
export interface Newcomer {
  readonly userId?: string;
  readonly displayName?: string;
  readonly email?: string;
  /** `read` when left out; `null` makes a guest. */
  readonly role?: Role | null;
  readonly sso?: boolean;
}

/** Makes a member, which no operation of the API does. Teams that the e-mail was added to take the person in. */
export function join(organization: Organization, newcomer: Newcomer, now: Date): MemberRecord {
  const { userId = newId("user"), email, role = "read", sso = false } = newcomer;
  const there = organization.members.named(userId) ?? organization.members.named(email ?? userId);
  if (there) throw new DocsError(`"${there.id}" is a member of "${organization.id}" already; use another person`);
  const displayName = newcomer.displayName ?? email ?? userId;
  const joinedAt = now.toISOString();
  const member = { id: userId, displayName, email, role, disabled: false, sso, joinedAt, spaces: {} };
  organization.members.set(userId, member);
  return member;
}
