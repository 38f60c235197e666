import type { Context } from "./context";
import { membersOf, userKey } from "./directory";

/**
 * What a resource lays claim to: the role of a user in the organization, a user's place in a team, or a part of a site that
 * can not be there twice, which then stands in the place of the user.
 */
export interface Claim {
  readonly scope: Scope;
  readonly user: string;
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
