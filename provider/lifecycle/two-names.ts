import { managementOf } from "../access/management";
import { membersOf } from "../access/members";
import { describeSubject, type Subject } from "../access/subject";
import { twoNames } from "../access-plan/findings";
import { Identities } from "../access-plan/identities";
import type { LivePerson, Manager } from "../access-plan/input";
import { unknown } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import { isEmail, userKey } from "../people/user";
import type { Context } from "../run/context";
import type { Run } from "../run/run";

/**
 * Refuses two declarations of the run for one person, by an e-mail and by an id: each resource would undo the changes of the
 * other. The program has refused equal names already. The states that the run has read say which id an e-mail stands for; so
 * do the `people` that were read at the service. Sends no request.
 */
export function refuseTwoNames(run: Run, { declared, recorded }: Manager, people: readonly LivePerson[] = []): void {
  const assignments = declared?.assignments.filter(({ place }) => place.kind !== "sso") ?? [];
  const place = assignments[0]?.place;
  if (!place) return;
  const management = managementOf(run);
  const names = assignments.map(({ user }) => user);
  const links = management.linkNames(place, names.map(userKey), recorded?.userIds ?? {});
  const liveNames = people.flatMap(({ userId, email }) => (email === undefined ? [userId] : [userId, userKey(email)]));
  const others = [...Object.entries(links).flat(), ...liveNames].filter((name) =>
    management.declarerOf({ place, name }),
  );
  // Pretends that one manager declares all these names, so that `twoNames` finds two for one person.
  const manager = {
    id: "run",
    name: "",
    declared: { assignments: [...names, ...others].map((user) => ({ place, user, level: unknown })), options: {} },
    recorded: { assignments: [], userIds: links, options: {} },
  };
  const input = { people, arePeopleComplete: false, places: [], managers: [manager], isEverybodyShown: false };
  const identities = new Identities(input);
  const [twice] = twoNames(manager, identities);
  if (!twice) return;
  const user = identities.find(manager, place, twice.names[0]).id;
  throw new DocsError(
    `${twice.names.join(" and ")} are the same person (${user}), and the program declares ` +
      `${describeSubject({ place, name: user })} twice; remove one`,
  );
}

/**
 * Reads the people that a resource declares, to compare them with those of other resources: only if the program declares some
 * people by id and others by e-mail, because two e-mails are two people.
 */
export async function readDeclared(context: Context, subjects: readonly Subject[]): Promise<LivePerson[]> {
  const people = subjects.filter(({ place }) => place.kind !== "site");
  const names = people[0] ? managementOf(context.run).declaredNames(people[0].place) : [];
  if (!names.some(isEmail) || names.every(isEmail)) return [];
  const members = await Promise.all(people.map(({ name }) => membersOf(context).read(userKey(name))));
  return members.flatMap((member) => (member ? [{ userId: member.user.id, email: member.user.email }] : []));
}
