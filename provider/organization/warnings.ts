import { enumerated } from "../access/bulk";
import { stringsIn } from "../access/holding";
import { isEmail, userKey } from "../access/user";
import { nearestUser } from "../text/mistakes";
import { visible } from "../text/visible";
import type { OrganizationFile } from "./file/types";
import type { ProjectedChange } from "./guards/change";
import { describeEndingGrants } from "./projection/ending-grants";
import type { Live, Loss } from "./projection/roles";
import { declaredIn } from "./sections/grants";

/** What nothing refuses and somebody should know before it is applied. */
export function listWarnings(change: ProjectedChange): string[] {
  const { organization, live, now, roleProjection, teamProjection } = change;
  return [
    ...describeUnshownLosses([...roleProjection.lossesOfNewlyManaged(), ...teamProjection.lossesInNewlyManagedTeams()]),
    ...describeEndingGrants(roleProjection, organization, now),
    ...describeUnknownEmails(change),
    ...describeOtherTitles(organization, live),
  ];
}

/** The rest of a preview shows these as new grants at most. */
function describeUnshownLosses(losses: readonly Loss[]): string[] {
  if (losses.length === 0) return [];
  const all = enumerated(losses.map(({ person, what }) => `${person} (${what})`));
  return [`people whom the stack has not managed there so far lose something: ${all}`];
}

/** An e-mail that no member has: the person may join later, or it is misspelt. */
function describeUnknownEmails({
  organization: { teams = {}, organization },
  roleProjection,
  recorded,
}: ProjectedChange): string[] {
  const waiting = new Set(
    recorded.flatMap(({ outputs: { teamId, user, pending } }) => {
      const waits = pending === true ? [userKey(String(user))] : stringsIn(pending);
      return waits.map((one) => `${teamId} ${one}`);
    }),
  );
  const emails = roleProjection.emails();
  return Object.entries(teams).flatMap(([id, team]) => {
    const { property, people } = declaredIn(team);
    const news = Object.keys(people).filter((user) => isEmail(user) && !waiting.has(`${id} ${userKey(user)}`));
    return news
      .filter((user) => !roleProjection.member(user, id))
      .map((user) => {
        const guess = nearestUser(user, emails);
        const hint = guess === undefined ? "" : `; did you mean "${guess}"?`;
        return `teams.${id}.${property}: ${user} is no member of ${organization} whose e-mail can be seen, and is not in the team before somebody joins with it${hint}`;
      });
  });
}

/** A title is for people, who may have another team in mind than its id says. */
function describeOtherTitles({ teams = {} }: OrganizationFile, live: Live): string[] {
  return live.teams.flatMap(({ id, title }) => {
    const declared = teams[id]?.title;
    if (declared === undefined || title === undefined || title === declared) return [];
    return [
      `teams.${id}: the title is "${declared}", and the live team is called "${visible(title)}"; check that it is the team that is meant`,
    ];
  });
}
