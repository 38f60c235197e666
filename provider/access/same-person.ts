import { DocsError } from "../api/http/errors";
import { isEmail, userKey } from "../people/user";
import type { Context } from "../run/context";
import { type Properties, propertiesIn } from "../run/properties";
import { perRun, type Run } from "../run/run";
import { managementOf } from "./management";
import { membersOf } from "./members";
import { describeSubject, keyOfSubject, nameOfSubject, type PeopleArea, type Subject } from "./subject";

/**
 * Refuses, before the first write, two declarations of the run that manage the same person in an area: each resource would undo
 * the changes of the other. The program has already refused equal names; only ids reveal that an e-mail and an id belong to
 * the same person.
 */
export async function refuseSecondManager(
  context: Context,
  area: PeopleArea,
  /** The ids of the resource's people by their declared names. */
  declared: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const names = new Map<string, string>();
  for (const [name, userId] of declared) {
    if (userId === undefined) continue;
    refuseSamePerson(area, userId, name, names.get(userId));
    names.set(userId, name);
  }
  const own = new Set([...declared.keys()].map(userKey));
  const all = managementOf(context.run).declaredNames(context.organizationId, area);
  const others = all.filter((other) => !own.has(other));
  for (const [other, userId] of await resolve(context, others, [...names.values()].every(isEmail))) {
    refuseSamePerson(area, userId, other, names.get(userId));
  }
}

/**
 * As `refuseSecondManager`, at the preview of a change. Members are read only if the program declares some people by id and
 * others by e-mail: equal names have been refused already, and two e-mails are two people.
 */
export async function refuseSecondManagerAtPreview(context: Context, subjects: readonly Subject[]): Promise<void> {
  const people = subjects.filter((subject) => subject.kind !== "site part");
  const [first] = people;
  if (first === undefined) return;
  const { user: _, ...area } = first;
  const names = managementOf(context.run).declaredNames(context.organizationId, area);
  if (!names.some(isEmail) || names.every(isEmail)) return;
  const users = people.map(({ user }) => userKey(user));
  const found = await Promise.all(users.map((user) => (isEmail(user) ? membersOf(context).read(user) : undefined)));
  const ids = users.map((user, index) => (isEmail(user) ? found[index]?.user.id : user));
  await refuseSecondManager(context, area, new Map(users.map((user, index) => [user, ids[index]])));
}

/** E-mails that the program declares and ids that the state records for them, each by the other, with the area. */
const otherNames = perRun(() => new Map<string, string>());

/** Notes the ids behind the declared e-mails: a resource keeps the recorded person as long as the e-mail stays. */
export function noteRecordedPeople(
  run: Run,
  organizationId: string,
  subjects: readonly Subject[],
  { user, userId, userIds }: Properties,
): void {
  const ids = Object.entries({ ...propertiesIn(userIds), [String(user)]: userId });
  const byKey = new Map(ids.map(([name, id]) => [userKey(name), id]));
  for (const subject of subjects) {
    const email = nameOfSubject(subject);
    const id = byKey.get(email);
    if (subject.kind === "site part" || !isEmail(email) || typeof id !== "string") continue;
    otherNames(run).set(keyOfSubject(organizationId, subject), id);
    otherNames(run).set(keyOfSubject(organizationId, { ...subject, user: id }), email);
  }
}

/** Refuses, without a request, a person with two declarations: by id, and by an e-mail for which the state records that id. */
export function refuseRecordedTwice(run: Run, organizationId: string, subjects: readonly Subject[]): void {
  for (const subject of subjects) {
    const other = otherNames(run).get(keyOfSubject(organizationId, subject));
    if (subject.kind === "site part" || other === undefined) continue;
    const isTwice = managementOf(run).declarerOf(organizationId, { ...subject, user: other }) !== undefined;
    const { user, ...area } = subject;
    if (isTwice) refuseSamePerson(area, isEmail(user) ? other : user, user, other);
  }
}

/** Two e-mails are two people; an e-mail and an id may be one. */
async function resolve(context: Context, others: readonly string[], emailsOnly: boolean): Promise<[string, string][]> {
  const ids = others.filter((other) => !isEmail(other)).map((id): [string, string] => [id, id]);
  if (emailsOnly) return ids;
  const emails = others.filter(isEmail);
  const found = await Promise.all(emails.map((email) => membersOf(context).read(email)));
  return [...ids, ...emails.map((email, index): [string, string] => [email, found[index]?.user.id ?? ""])];
}

function refuseSamePerson(area: PeopleArea, userId: string, name: string, other: string | undefined): void {
  if (other === undefined) return;
  const what = describeSubject({ ...area, user: userId });
  throw new DocsError(
    `${other} and ${name} are the same person (${userId}), and the program declares ${what} twice; remove one`,
  );
}
