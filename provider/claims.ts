import { isDeepStrictEqual } from "node:util";
import type { Context } from "./context";
import { membersOf, userKey } from "./directory";
import { runsProgram } from "./program";

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

interface Hold {
  readonly resource: string;
  readonly keys: readonly string[];
}

/** By organization, scope and user. */
const holds = new Map<string, Set<Hold>>();

const keysOf = ({ organizationId, claims }: Holder): string[] =>
  claims.map(({ scope, user }) => holdKey(organizationId, scope, user));
const holdKey = (organizationId: string, scope: Scope, user: string): string =>
  JSON.stringify([organizationId, scope, userKey(user)]);

/**
 * Remembers whom a resource has in the state, as a refresh reads it: the program may declare one that has nothing to do only
 * after others have been changed. What a run does not read (without a refresh, or beside its targets), nobody remembers.
 */
export function hold(holder: Holder): void {
  if (heldBy(holder).same) return;
  const one: Hold = { resource: holder.resource, keys: keysOf(holder) };
  for (const key of one.keys) holds.set(key, (holds.get(key) ?? new Set()).add(one));
}

/** Changes or deletes a resource: whom it wants from here on, it claims. Where its state stays, it has its people as before. */
export async function lettingGo<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
  letGo(holder);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "properties" in error)) hold(holder);
    throw error;
  }
}

function letGo(holder: Holder): void {
  const { same, others } = heldBy(holder);
  const one = same ?? others[0];
  if (!one) return;
  for (const key of one.keys) holds.get(key)?.delete(one);
}

/** What is held for a resource: with the same people, or with some of them, as a state that the refresh has changed has. */
function heldBy(holder: Holder): { same: Hold | undefined; others: readonly Hold[] } {
  const keys = keysOf(holder);
  const all = keys.flatMap((key) => [...(holds.get(key) ?? [])]).filter(({ resource }) => resource === holder.resource);
  return { same: all.find((one) => isDeepStrictEqual(one.keys, keys)), others: all };
}

/**
 * Whether a resource that this run has read, and has not changed or deleted so far, has the user in the state by any of these
 * names: what becomes of the user is its business, and whoever is last takes away what nobody wants any more. A destroy without
 * a program gives up everything, in any order.
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
  const email = (await membersOf(context).read(userId))?.user.email;
  return email !== undefined && users.has(userKey(email));
}
