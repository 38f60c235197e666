import { type Context, oncePerProcess } from "./context";
import { membersOf, userKey } from "./directory";

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

/** Which resources have a user in the state, by the user; one map for each scope. */
const holders = oncePerProcess(() => new Map<string, Set<string>>());
const holdersIn = (context: Context, scope: Scope) => holders(context, JSON.stringify(scope));

/**
 * Remembers whom a resource has in the state. A refresh reads every resource before the program declares the first, and the
 * program may declare one that has nothing to do only after others have been changed.
 */
export function hold(context: Context, resource: string, claims: readonly Claim[]): void {
  for (const { scope, user } of claims) {
    const users = holdersIn(context, scope);
    users.set(userKey(user), (users.get(userKey(user)) ?? new Set()).add(resource));
  }
}

/** Forgets it, since the resource is changed or deleted now: whom it wants from here on, it claims. */
export function letGo(context: Context, resource: string, claims: readonly Claim[]): void {
  for (const { scope, user } of claims) holdersIn(context, scope).get(userKey(user))?.delete(resource);
}

/**
 * Whether a resource that this run has read, and has not changed or deleted so far, has the user in the state by any of these
 * names: then it is the one that takes away what the user has, should it have to go.
 */
export function isHeld(context: Context, scope: Scope, names: readonly string[]): boolean {
  const users = holdersIn(context, scope);
  return names.some((name) => (users.get(userKey(name))?.size ?? 0) > 0);
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
  const email = (await membersOf(context).read(userId))?.user.email;
  return email !== undefined && users.has(userKey(email));
}
