import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { managementOf } from "./management";
import { membersOf } from "./members";
import { describeSubject, type PeopleArea } from "./subject";
import { isEmail, userKey } from "./user";

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
