import { DocsError } from "../api/http/errors";
import type { Context } from "../run/context";
import { claimedUsers, type Scope, whatOf } from "./claims";
import { membersOf } from "./members";
import { isEmail, userKey } from "./user";

/**
 * Two resources that manage the same access would each undo what the other one did: refused before the first write. The
 * program has refused what the names tell (see registry.ts); only ids reveal that an e-mail and an id are the same person.
 */
export async function refuseRivals(
  context: Context,
  scope: Scope,
  /** The ids of those whom the resource declares, by the names that it declares them by. */
  declared: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const names = new Map<string, string>();
  for (const [name, userId] of declared) {
    if (userId === undefined) continue;
    refuseSecond(scope, userId, name, names.get(userId));
    names.set(userId, name);
  }
  const own = new Set([...declared.keys()].map(userKey));
  const others = [...claimedUsers(context, scope)].filter((other) => !own.has(other));
  for (const [other, userId] of await resolved(context, others, [...names.values()].every(isEmail))) {
    refuseSecond(scope, userId, other, names.get(userId));
  }
}

/** Two e-mails are two people; an e-mail and an id may be one. */
async function resolved(context: Context, others: readonly string[], emailsOnly: boolean): Promise<[string, string][]> {
  const ids = others.filter((other) => !isEmail(other)).map((id): [string, string] => [id, id]);
  if (emailsOnly) return ids;
  const emails = others.filter(isEmail);
  const found = await Promise.all(emails.map((email) => membersOf(context).read(email)));
  return [...ids, ...emails.map((email, index): [string, string] => [email, found[index]?.user.id ?? ""])];
}

function refuseSecond(scope: Scope, userId: string, name: string, other: string | undefined): void {
  if (other === undefined) return;
  throw new DocsError(
    `${other} and ${name} are the same person (${userId}), and the program declares ${whatOf(scope, userId)} twice; remove one`,
  );
}
