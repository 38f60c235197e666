import { howPeopleJoin } from "../../access/members";
import { isEmail } from "../../people/user";
import { withMark } from "../../text/foreign";
import { nearestUser } from "../../text/mistakes";
import type { GuardedLive } from "../live/live";
import type { Guard } from "./guard";

/** Refuses roles for non-members, and ids of non-members in teams: the API cannot add members, so the up would fail after other changes. */
export const nonMembers: Guard = {
  findViolations(change) {
    return change.lines
      .filter(({ planned }) => planned?.state === "absent")
      .map(({ path, user }) => ({ path, text: describeNonMember(user, change.live) }));
  },
};

/** The advice to remove the line comes last: after a typing mistake, it would release the role of the right person. */
function describeNonMember(user: string, { members }: GuardedLive): string {
  const guess = nearestUser(user, namesLike(user, members));
  const isHidden = isEmail(user) && members.some((member) => !member.user.email);
  const ways = [
    ...(guess === undefined ? [] : [`did you mean "${withMark(guess)}"? Otherwise`]),
    ...(isHidden ? ["use the user id of a member with a hidden e-mail, or"] : []),
    `remove the line: ${howPeopleJoin}`,
  ];
  return `${withMark(user)} is not a member of the organization; ${ways.join(" ")}`;
}

/** The names of the same kind, ids or e-mails. */
const namesLike = (user: string, members: GuardedLive["members"]): string[] =>
  members.flatMap(({ user: { id, email } }) => (isEmail(user) ? (email ?? []) : id));
