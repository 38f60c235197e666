import { z } from "zod";
import { howPeopleJoin } from "../../access/members";
import { otherPerson } from "../../access/reviewed";
import type { AccessFinding } from "../../access-plan/findings";
import { endOf } from "../../access-plan/grants";
import { keyOfPlace, unknown } from "../../access-plan/place";
import { isEmail, sameUser, userKey } from "../../people/user";
import { withMark } from "../../text/foreign";
import { nearestUser } from "../../text/mistakes";
import { repeatsIn } from "../sections/checks";
import { declaredTeammates, memberGrant, teamGrant } from "../sections/grants";
import { type Line, type PlannedChange, placeIn, type Violation } from "./change";
import { laterLines } from "./later-grants";
import { nameOfPerson, personNamed } from "./people";

/** Guards about who is meant by a name in the file. */

export const awaySettings = {
  absent: z
    .enum(["refuse"])
    .describe(
      "Set to `refuse` to refuse every change while a declared person has left the organization. By default, a warning names the line, which has no effect.",
    )
    .optional(),
  pending: z
    .enum(["refuse"])
    .describe(
      "Set to `refuse` to refuse e-mails that no member has. By default, they are pending until somebody joins with the e-mail.",
    )
    .optional(),
};

/** Refuses ids that neither a member nor the state has: they are mistyped, and the up would fail after other changes. */
export function nonMembers({ lines, live }: PlannedChange): Violation[] {
  const ids = live.members.map(({ user }) => user.id);
  return lines
    .filter(({ planned }) => planned?.state === "non-member")
    .map(({ path, user }) => {
      const guess = nearestUser(user, ids);
      // To remove the line comes last in the message: after a typing mistake, it would release the role of the right person.
      const ways = guess === undefined ? "" : `did you mean "${withMark(guess)}"? Otherwise `;
      const text = `${withMark(user)} is not a member of the organization, and no run has recorded this person, so the id is mistyped or the person has left; ${ways}remove the line: ${howPeopleJoin}`;
      return { path, text };
    });
}

/** Refuses people who have left, and people who have not joined, if the file asks for it. */
export function awayPeople({ lines, organization: { guards = {} } }: PlannedChange): Violation[] {
  return lines.flatMap(({ path, user, planned }): Violation[] => {
    const state = planned?.state;
    if (state === "absent" && guards.absent)
      return [{ path, text: `${withMark(user)} left the organization; the line can go (guards.absent)` }];
    if (state !== "pending" || !guards.pending) return [];
    const text = `no visible member has the e-mail ${withMark(user)}; remove the line until somebody with this e-mail has joined (guards.pending)`;
    return [{ path, text }];
  });
}

/** Refuses an e-mail that belonged to another person when the plan was reviewed. */
export function otherPeople(change: PlannedChange): Violation[] {
  const { organization, reviewed } = change;
  if (!reviewed) return [];
  const required = (organization.guards?.requiredAdmins ?? []).map((user, index) => {
    return { path: ["guards", "requiredAdmins", index], user, team: undefined, person: personNamed(change, user) };
  });
  return [...change.lines, ...required].flatMap(({ path, user, team, person }) => {
    const text = otherPerson(reviewed, placeIn(organization, team), user, person);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Refuses two names for one person: the up would fail after other changes. */
export function samePerson({ lines, organization }: PlannedChange): Violation[] {
  const keyOf = ({ team, person }: Line) => `${keyOfPlace(placeIn(organization, team))} ${person.id}`;
  return repeatsIn(lines, keyOf).map(([{ path, user }, first]) => {
    return { path, text: `${user} is the same person as ${first.user}; keep one of them` };
  });
}

/** Refuses changes of people who cannot be told from others. The resources refuse them as well, after other changes. */
export function unclearPeople(change: PlannedChange): Violation[] {
  const findings = change.findings.flatMap((finding) => {
    const text = describeUnclear(finding, change);
    return text === undefined ? [] : [{ path: pathOf(finding, change), text }];
  });
  return [...otherMeanings(change), ...findings];
}

/** The lines with an e-mail that the state has for a member who is not meant: a review shows one person for each name. */
function otherMeanings(change: PlannedChange): Violation[] {
  const { lines, managers, live } = change;
  const members = new Set(live.members.map(({ user }) => user.id));
  const links = new Map<string, string[]>();
  for (const { recorded } of managers.values())
    for (const [email, id] of Object.entries(recorded?.userIds ?? {}))
      if (members.has(id)) links.set(email, [...(links.get(email) ?? []), id]);
  // A team ignores the e-mails of lines that begin later.
  return [...lines, ...laterLines(change)].flatMap(({ path, user, person }) => {
    const other = links.get(userKey(user))?.find((id) => id !== person.id);
    if (other === undefined) return [];
    const text = `the state has ${withMark(user)} as ${other}, and here it would mean somebody else; name this person by user id`;
    return [{ path, text }];
  });
}

function describeUnclear(finding: AccessFinding, { lines }: PlannedChange): string | undefined {
  if (finding.kind === "unrecorded name") {
    const { email, person, recordedAs } = finding;
    return `${withMark(email)} is an e-mail of ${person.id}, and the state has this person as ${recordedAs}; name this person as ${recordedAs}, and any other person by user id`;
  }
  if (finding.kind === "cannot be told") {
    const { person, mayBe = [] } = finding.change;
    return `${nameOfPerson(person)} hides the e-mail, and may be ${mayBe.join(" or ")}; name this person by user id`;
  }
  if (finding.kind !== "two people") return undefined;
  const { change, email, owner } = finding;
  const line = lines.find(({ planned }) => planned === change);
  // A line with the user id is clear, and in a team that was not read, nobody knows whether anything changes.
  if ((line && !isEmail(line.user)) || change.before === unknown) return undefined;
  return `the state has ${change.person.id} as ${withMark(email)}, which belongs to ${owner.id} now, so nothing can be changed for either; name both by user id`;
}

function pathOf(finding: AccessFinding, { organization: { members = {} } }: PlannedChange): Violation["path"] {
  if (finding.kind === "unrecorded name") {
    const name = Object.keys(members).find((user) => userKey(user) === finding.email);
    return ["members", ...(name === undefined ? [] : [name])];
  }
  const { team } = "change" in finding ? finding.change.place : {};
  return team === undefined ? ["members"] : ["teams", team];
}

/**
 * When the end of a grant removes a person from the organization, the teams of the file no longer declare the person either. The lines
 * of teams are found by the declared name alone, so the file must use one name for the person.
 */
export function otherSpellings(change: PlannedChange): Violation[] {
  const { members = {}, teams = {} } = change.organization;
  const removals = new Map<string, { readonly user: string; readonly end: number }>();
  for (const [user, grant] of Object.entries(members)) {
    const { expires } = memberGrant(grant);
    if (expires?.then === "remove") removals.set(personNamed(change, user).id, { user, end: endOf(expires.on) });
  }
  return Object.entries(teams).flatMap(([id, team]) =>
    Object.entries(declaredTeammates(team).people).flatMap(([user, grant]): Violation[] => {
      const removal = removals.get(personNamed(change, user, id).id);
      if (!removal || sameUser(removal.user, user)) return [];
      const { expires } = teamGrant(grant);
      // The names may differ if the membership ends no later than the role.
      if (expires?.then === "remove" && endOf(expires.on) <= removal.end) return [];
      const text = `${user} is the same person as ${removal.user} in members, who is removed from the organization when that grant ends; use the same name here`;
      return [{ path: ["teams", id, declaredTeammates(team).property, user], text }];
    }),
  );
}
