import { howPeopleJoin } from "../../access/members";
import { isEmail } from "../../access/user";
import { nearestUser } from "../../text/mistakes";
import type { RoleProjection } from "../projection/roles";
import type { Guard } from "./guard";

/** Refuses roles for non-members: the API cannot add members, so the up would fail after other changes. */
export const nonMembers: Guard = {
  findViolations({ organization: { members = {} }, roleProjection }) {
    return Object.keys(members)
      .filter((user) => !roleProjection.findMember(user) && roleProjection.isGranted(user))
      .map((user) => ({ path: ["members", user], text: describeNonMember(user, roleProjection) }));
  },
};

/** The advice to remove the line comes last: after a typing mistake, it would release the role of the right person. */
function describeNonMember(user: string, roleProjection: RoleProjection): string {
  const guess = nearestUser(user, isEmail(user) ? roleProjection.emails() : roleProjection.ids());
  const ways = [
    ...(guess === undefined ? [] : [`did you mean "${guess}"? Otherwise`]),
    ...(roleProjection.hidesEmails() && isEmail(user) ? ["use the user id of a member with a hidden e-mail, or"] : []),
    `remove the line: ${howPeopleJoin}`,
  ];
  return `${user} is not a member of the organization; ${ways.join(" ")}`;
}
