import { howPeopleJoin } from "../../access/members";
import { isEmail } from "../../access/user";
import { nearestUser } from "../../text/mistakes";
import type { RoleProjection } from "../projection/roles";
import type { Guard } from "./guard";

/** People to whom nobody can give a role, which would fail in the middle of an up. */
export const nonMembers: Guard = {
  findViolations({ organization: { members = {} }, roleProjection }) {
    return Object.keys(members)
      .filter((user) => !roleProjection.member(user) && roleProjection.isGranted(user))
      .map((user) => ({ path: ["members", user], text: describeNonMember(user, roleProjection) }));
  },
};

/** Removing the line takes the role from the person who is meant, so that comes last. */
function describeNonMember(user: string, roleProjection: RoleProjection): string {
  const guess = nearestUser(user, isEmail(user) ? roleProjection.emails() : roleProjection.ids());
  const ways = [
    ...(guess === undefined ? [] : [`did you mean "${guess}"? Else`]),
    ...(roleProjection.hidesEmails() && isEmail(user) ? ["use the user id of somebody who hides the e-mail, or"] : []),
    `remove the line: ${howPeopleJoin}`,
  ];
  return `${user} is not a member of the organization; ${ways.join(" ")}`;
}
