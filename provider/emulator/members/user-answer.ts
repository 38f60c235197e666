import type { User } from "../../api/groups/shared";
import type { Complete } from "../http/complete";
import type { Place, Service } from "../store/service";
import type { MemberRecord } from "./record";

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
