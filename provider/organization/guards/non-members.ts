import { howPeopleJoin } from "../../access/members";
import { isEmail } from "../../access/user";
import { nearestUser } from "../../text/mistakes";
import type { Standing } from "../projection/roles";
import type { Guard } from "./guard";

/** People to whom nobody can give a role, which would fail in the middle of an up. */
export const nonMembers: Guard = {
  findViolations({ organization: { members = {} }, standing }) {
    return Object.keys(members)
      .filter((user) => !standing.member(user) && standing.isGranted(user))
      .map((user) => ({ path: ["members", user], text: describeNonMember(user, standing) }));
  },
};

/** Removing the line takes the role from the person who is meant, so that comes last. */
function describeNonMember(user: string, standing: Standing): string {
  const guess = nearestUser(user, isEmail(user) ? standing.emails() : standing.ids());
  const ways = [
    ...(guess === undefined ? [] : [`did you mean "${guess}"? Else`]),
    ...(standing.hidesEmails() && isEmail(user) ? ["use the user id of somebody who hides the e-mail, or"] : []),
    `remove the line: ${howPeopleJoin}`,
  ];
  return `${user} is not a member of the organization; ${ways.join(" ")}`;
}
