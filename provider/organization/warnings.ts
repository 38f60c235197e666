import { listNames } from "../access/carry-out";
import type { AccessChange } from "../access-plan/change";
import { nothing } from "../access-plan/place";
import { isEmail, userKey } from "../people/user";
import { withMark } from "../text/foreign";
import { nearestUser } from "../text/mistakes";
import { leftOrganization, lossesOfNewPeople, undeclaredAdministrators } from "../text/shared-sentences";
import { visible } from "../text/visible";
import { describeEndingGrants } from "./ending-grants";
import { describeLaterShortage, namesOfUndeclaredAdmins } from "./guards/administrators";
import { type Line, type PlannedChange, placeIn } from "./guards/change";
import { isInNoState, lossesIn, managedPlace, nameOfPerson } from "./guards/people";

/** Warnings: changes that no guard refuses, but that a reader should know before applying them. */
export function listWarnings(change: PlannedChange): string[] {
  return [
    ...describeUnshownLosses(change),
    ...describeUndeclaredAdmins(change),
    ...describeHidingOthers(change),
    ...describeEndingGrants(change),
    ...describeLaterShortage(change),
    ...describeUnknownEmails(change),
    ...describeAbsentPeople(change),
    ...describePassedOnEmails(change),
    ...describeOtherTitles(change),
  ];
}

/** Losses of people who were not managed so far. The preview does not show them: it has only the new grants of these people. */
function describeUnshownLosses(change: PlannedChange): string[] {
  const losses = lossesIn(change, change.access.subjects.filter(isInNoState));
  if (losses.length === 0) return [];
  const all = listNames(losses.map(({ person, what }) => `${person} (${what})`));
  return [`${lossesOfNewPeople}: ${all}`];
}

/** Administrators who are not in the file: they were made administrators by hand, or before the file existed. */
function describeUndeclaredAdmins(change: PlannedChange): string[] {
  const { guards, members } = change.organization;
  // A file without members does not list administrators. With guards.undeclaredAdmins, the guard refuses instead of this warning.
  if (members === undefined || guards?.undeclaredAdmins !== undefined) return [];
  const names = namesOfUndeclaredAdmins(change);
  return names.length === 0 ? [] : [`${undeclaredAdministrators}: ${listNames(names)}`];
}

/** Undeclared members who hide their e-mail: `others` does not touch them. */
function describeHidingOthers({ access, organization }: PlannedChange): string[] {
  const isHiding = ({ cause, reason }: AccessChange) => cause === "undeclared" && reason === "may be declared";
  const hiding = access.in(placeIn(organization)).filter(isHiding);
  if (hiding.length === 0) return [];
  const names = listNames(hiding.map(({ person }) => nameOfPerson(person)));
  const stays = "so they stay as they are; name them by user id";
  return [`others: ${names} hide their e-mail and may be declared or ignored by it, ${stays}`];
}

/** E-mails that no member has: the person may join later, or the e-mail is misspelt. */
function describeUnknownEmails(change: PlannedChange): string[] {
  const { members } = change.live;
  const emails = members.flatMap(({ user }) => user.email ?? []);
  const isHidden = emails.length < members.length;
  const isUnknown = ({ user, planned }: Line) =>
    isEmail(user) && planned?.state === "pending" && planned.before === nothing;
  return linesByPerson(change.lines.filter(isUnknown)).map(({ user, places }) => {
    const guess = nearestUser(user, emails);
    const hiddenHint = isHidden ? "; a member with a hidden e-mail needs the user id" : "";
    const hint = guess === undefined ? hiddenHint : `; did you mean "${withMark(guess)}"?`;
    return `${places}: no visible member of ${change.organization.organization} has the e-mail ${withMark(user)}; the access starts when somebody with this e-mail joins${hint}`;
  });
}

function describeAbsentPeople({ lines }: PlannedChange): string[] {
  const absent = lines.filter(({ planned }) => planned?.state === "absent");
  const people = linesByPerson(absent).map(({ user, places }) => `${withMark(userKey(user))} (${places})`);
  return people.length === 0 ? [] : [`${listNames(people)} ${leftOrganization(absent.length)} (docs-org tidy)`];
}

/** The people of these lines, each with the places in the file. */
function linesByPerson(lines: readonly Line[]) {
  return [...new Set(lines.map(({ person }) => person.id))].map((id) => {
    const group = lines.filter(({ person }) => person.id === id);
    return { user: group[0]?.user ?? id, places: group.map(({ path }) => path.slice(0, -1).join(".")).join(", ") };
  });
}

/** Recorded e-mails that another member has now: the stack keeps the recorded person, which readers of the file do not expect. */
function describePassedOnEmails({ organization, access }: PlannedChange): string[] {
  return access.input.managers.flatMap((manager) => {
    const place = managedPlace(manager, organization);
    const emails = access.livePlace(place) ? Object.keys(manager.recorded?.userIds ?? {}) : [];
    return emails.flatMap((email) => {
      const recordedId = access.identities.find(manager, place, email).id;
      const owner = access.identities.ownerOf(email)?.id;
      if (owner === undefined || recordedId === owner) return [];
      const where = place.team === undefined ? "members" : `teams.${place.team}`;
      return `${where}: ${withMark(email)} still means ${recordedId}, and the e-mail belongs to ${owner} now; name both by user id, because the up refuses a change of either`;
    });
  });
}

/** A declared title that differs from the live one: the team was renamed in the app, or the id belongs to another team. */
function describeOtherTitles({ organization: { teams = {} }, live }: PlannedChange): string[] {
  return live.teams.flatMap(({ id, title }) => {
    const declared = teams[id]?.title;
    if (declared === undefined || title === undefined || title === declared) return [];
    return [
      `teams.${id}: the declared title is "${declared}", and the live title is "${visible(title)}"; a team is renamed in the app only: if it was, write title: ${JSON.stringify(visible(title))}, otherwise correct the id`,
    ];
  });
}
