import { howPeopleJoin } from "../../access/members";
import { isEmail, userKey } from "../../people/user";
import { withMark } from "../../text/foreign";
import { nearestUser } from "../../text/mistakes";
import type { RoleProjection } from "../projection/roles";
import { declaredPeople, peopleRemovedBy, teamRoleAt } from "../sections/grants";
import type { ProjectedChange, Violation } from "./change";
import type { Guard } from "./guard";

/** Refuses roles for non-members, and ids of non-members in teams: the API cannot add members, so the up would fail after other changes. */
export const nonMembers: Guard = {
  findViolations(change) {
    const { organization, roleProjection } = change;
    const withoutMember = Object.keys(organization.members ?? {})
      .filter((user) => !roleProjection.findMember(user) && roleProjection.isGranted(user))
      .map((user) => ({ path: ["members", user], text: describeNonMember(user, roleProjection) }));
    return [...withoutMember, ...findUnknownIds(change)];
  },
};

/** An e-mail without a member is pending. An id may be unknown if the person is in the team, or was when the stack changed it last. */
function findUnknownIds({ organization, live, roleProjection, now }: ProjectedChange): Violation[] {
  const gone = peopleRemovedBy(organization, now);
  return Object.entries(organization.teams ?? {}).flatMap(([id, team]) => {
    const { property, people } = declaredPeople(team);
    const inTeam = live.teams.find((one) => one.id === id)?.people;
    const isIn = (user: string) =>
      inTeam ? inTeam.some(({ userId }) => userId === user) : Boolean(roleProjection.teamRole(user, id));
    return Object.entries(people)
      .filter(([user, declared]) => teamRoleAt(declared, now) !== "remove" && !gone.has(userKey(user)))
      .filter(([user]) => !isEmail(user) && !roleProjection.findMember(user, id) && !isIn(user))
      .map(([user]) => ({ path: ["teams", id, property, user], text: describeNonMember(user, roleProjection) }));
  });
}

/** The advice to remove the line comes last: after a typing mistake, it would release the role of the right person. */
function describeNonMember(user: string, roleProjection: RoleProjection): string {
  const guess = nearestUser(user, isEmail(user) ? roleProjection.emails() : roleProjection.ids());
  const ways = [
    ...(guess === undefined ? [] : [`did you mean "${withMark(guess)}"? Otherwise`]),
    ...(roleProjection.hidesEmails() && isEmail(user) ? ["use the user id of a member with a hidden e-mail, or"] : []),
    `remove the line: ${howPeopleJoin}`,
  ];
  return `${withMark(user)} is not a member of the organization; ${ways.join(" ")}`;
}
