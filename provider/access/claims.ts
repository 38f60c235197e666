import { isDeepStrictEqual } from "node:util";
import type { Context } from "../run/context";
import { runsProgram } from "../run/program";
import { membersOf } from "./members";
import { userKey } from "./user";

/**
 * What a resource lays claim to: the role of a user in the organization, a user's place in a team, or a part of a site that
 * can not be there twice, which then stands in the place of the user.
 */
export interface Claim {
  readonly scope: Scope;
  readonly user: string;
}

/** What a resource claims that manages one user: by the name that it declares, and by the id that it recorded. */
export function claimsOf(
  scope: Scope,
  { user, userId }: { readonly user: string; readonly userId?: string | null | undefined },
): Claim[] {
  return (userId ? [user, userId] : [user]).map((user) => ({ scope, user }));
}

export type Scope = "role" | { readonly teamId: string } | { readonly siteId: string };

/** What is claimed, in a message; without a user, of everybody. */
export function whatOf(scope: Scope, user?: string): string {
  if (scope === "role") return user === undefined ? "the roles" : `the role of ${user}`;
  if ("siteId" in scope) return `the ${user} of site ${scope.siteId}`;
  return user === undefined ? `team ${scope.teamId}` : `the place of ${user} in team ${scope.teamId}`;
}

/** By organization and scope: the users, as the program names them. */
const claimed = new Map<string, Set<string>>();

const keyOf = (organizationId: string, scope: Scope): string => JSON.stringify([organizationId, scope]);

/** Remembers what a resource of this run claims: `check` sees every resource of the program before anything is deleted. */
export function layClaim(organizationId: string, claims: readonly Claim[]): void {
  for (const { scope, user } of claims) {
    const key = keyOf(organizationId, scope);
    claimed.set(key, (claimed.get(key) ?? new Set()).add(userKey(user)));
  }
}

/** Whom resources of this run claim, as the program names them: ids, and e-mails in lower case. */
export function claimedUsers({ organizationId }: Context, scope: Scope): ReadonlySet<string> {
  return claimed.get(keyOf(organizationId, scope)) ?? new Set();
}

/** A resource with the people that it has in the state. */
export interface Holder {
  readonly organizationId: string;
  /** Its kind and its id, which another one may have as well: a membership keeps the id of the first person it was about. */
  readonly resource: string;
  readonly claims: readonly Claim[];
}

/** By organization, scope and user: the holds on the user. */
const holds = new Map<string, Set<Hold>>();
interface Hold {
  readonly resource: string;
  /** In order, since states are stored in an order of their own. */
  readonly keys: readonly string[];
}

const holdOf = ({ organizationId, resource, claims }: Holder): Hold => ({
  resource,
  keys: [...new Set(claims.map(({ scope, user }) => holdKey(organizationId, scope, user)))].sort(),
});
const holdKey = (organizationId: string, scope: Scope, user: string): string =>
  JSON.stringify([organizationId, scope, userKey(user)]);

/**
 * Remembers whom a resource has in the state, as a refresh reads it or a change leaves it: the program may declare one that has
 * nothing to do only after others have been changed. Nobody remembers what this process has not read: without a refresh, beside
 * the targets of a run, or where the engine starts another process because the configuration of the stack has changed. Two
 * resources of one id with the same people are one hold.
 */
export function hold(holder: Holder): void {
  const one = holdOf(holder);
  if (sameAs(one, holdsLike(one))) return;
  for (const key of one.keys) holds.set(key, (holds.get(key) ?? new Set()).add(one));
}

/** Forgets it, since the resource is changed or deleted now: whom it wants meanwhile, it claims. */
export function letGo(holder: Holder): void {
  const one = holdOf(holder);
  const like = holdsLike(one);
  // Where its people are others than were read, it is the only one that it can be, or nobody knows which one.
  const own = sameAs(one, like) ?? (like.size === 1 ? [...like][0] : undefined);
  if (!own) return;
  for (const key of own.keys) holds.get(key)?.delete(own);
}

/** The holds of resources with this id that have some of these people. */
function holdsLike({ resource, keys }: Hold): Set<Hold> {
  const found = new Set<Hold>();
  for (const key of keys) {
    for (const one of holds.get(key) ?? []) if (one.resource === resource) found.add(one);
  }
  return found;
}

const sameAs = (hold: Hold, among: ReadonlySet<Hold>): Hold | undefined =>
  [...among].find(({ keys }) => isDeepStrictEqual(keys, hold.keys));

/**
 * Whether a resource that this run has read has the user in the state by any of these names, and is not being changed or deleted:
 * then what becomes of the user is its business. Without a program (`pulumi destroy`), each one gives up what it has, in any
 * order.
 */
export function isHeld({ organizationId }: Context, scope: Scope, names: readonly string[]): boolean {
  return runsProgram() && names.some((name) => (holds.get(holdKey(organizationId, scope, name))?.size ?? 0) > 0);
}

/**
 * Whether a resource of this run claims the user: then nobody else of the run takes away what it has. So a resource that is
 * renamed, moved or merged into another one changes nothing for the people in it.
 */
export async function isClaimed(
  context: Context,
  scope: Scope,
  userId: string,
  /** As programs have named the user so far: by e-mails that may be hidden, or somebody else's, by now. */
  names: readonly string[] = [],
): Promise<boolean> {
  const users = claimedUsers(context, scope);
  if (users.size === 0) return false;
  if ([userId, ...names].some((name) => users.has(userKey(name)))) return true;
  const email = (await membersOf(context).find(userId))?.user.email;
  return email !== undefined && users.has(userKey(email));
}
