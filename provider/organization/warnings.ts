import { stringsIn } from "../access/assignments";
import { enumerated } from "../access/bulk";
import { isEmail, userKey } from "../people/user";
import { propertiesIn } from "../run/properties";
import { lossesOfNewPeople } from "../text/elsewhere";
import { withMark } from "../text/foreign";
import { nearestUser } from "../text/mistakes";
import { visible } from "../text/visible";
import type { OrganizationFile } from "./file/types";
import type { ProjectedChange } from "./guards/change";
import { describeEndingGrants } from "./projection/ending-grants";
import type { Live, Loss } from "./projection/roles";
import { declaredPeople } from "./sections/grants";

/** Warnings: changes that no guard refuses, but that a reader should know before applying them. */
export function listWarnings(change: ProjectedChange): string[] {
  const { organization, live, now, roleProjection, teamProjection } = change;
  return [
    ...describeUnshownLosses([...roleProjection.lossesOfNewlyManaged(), ...teamProjection.lossesInNewlyManagedTeams()]),
    ...describeEndingGrants(roleProjection, organization, now),
    ...describeUnknownEmails(change),
    ...describePassedOnEmails(change),
    ...describeOtherTitles(organization, live),
  ];
}

/** Losses of people who were not managed so far. The preview does not show them: it has only the new grants of these people. */
function describeUnshownLosses(losses: readonly Loss[]): string[] {
  if (losses.length === 0) return [];
  const all = enumerated(losses.map(({ person, what }) => `${person} (${what})`));
  return [`${lossesOfNewPeople}: ${all}`];
}

/** E-mails that no member has: the person may join later, or the e-mail is misspelt. */
function describeUnknownEmails(change: ProjectedChange): string[] {
  const emails = change.roleProjection.emails();
  return listUnknownEmails(change).map(({ team, property, user }) => {
    const guess = nearestUser(user, emails);
    const hint = guess === undefined ? "" : `; did you mean "${withMark(guess)}"?`;
    return `teams.${team}.${property}: no visible member of ${change.organization.organization} has the e-mail ${withMark(user)}; the membership starts when somebody with this e-mail joins${hint}`;
  });
}

/** Recorded e-mails that another member has now: the stack keeps the recorded person, which readers of the file do not expect. */
function describePassedOnEmails({ recorded, live, roleProjection }: ProjectedChange): string[] {
  const owners = new Map(live.members.map(({ user: { id, email = id } }) => [userKey(email), id]));
  const isRead = (teamId: unknown) => teamId === undefined || live.teams.some(({ id }) => id === teamId);
  return recorded.flatMap(({ outputs: { teamId, userIds } }) => {
    const place = teamId === undefined ? "members" : `teams.${teamId}`;
    return Object.keys(isRead(teamId) ? propertiesIn(userIds) : {}).flatMap((email) => {
      const kept = roleProjection.findMember(email, teamId as string | undefined)?.user.id;
      const owner = owners.get(email);
      if (owner === undefined || kept === owner) return [];
      return `${place}: ${withMark(email)} still means ${kept}, and the e-mail belongs to ${owner} now; name both by user id, because the up refuses a change of either`;
    });
  });
}

/** New people in teams with an e-mail that no member has. */
export function listUnknownEmails({ organization: { teams = {} }, roleProjection, recorded }: ProjectedChange) {
  const waiting = new Set(
    recorded.flatMap(({ outputs: { teamId, user, pending } }) => {
      const waits = pending === true ? [userKey(String(user))] : stringsIn(pending);
      return waits.map((one) => `${teamId} ${one}`);
    }),
  );
  return Object.entries(teams).flatMap(([team, declared]) => {
    const { property, people } = declaredPeople(declared);
    const news = Object.keys(people).filter((user) => isEmail(user) && !waiting.has(`${team} ${userKey(user)}`));
    return news.filter((user) => !roleProjection.findMember(user, team)).map((user) => ({ team, property, user }));
  });
}

/** A declared title that differs from the live one: the team was renamed in the app, or the id belongs to another team. */
function describeOtherTitles({ teams = {} }: OrganizationFile, live: Live): string[] {
  return live.teams.flatMap(({ id, title }) => {
    const declared = teams[id]?.title;
    if (declared === undefined || title === undefined || title === declared) return [];
    return [
      `teams.${id}: the declared title is "${declared}", and the live title is "${visible(title)}"; a team is renamed in the app only: if it was, write title: ${JSON.stringify(visible(title))}, otherwise correct the id`,
    ];
  });
}
