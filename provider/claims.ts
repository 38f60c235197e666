import type { Context } from "./context";
import { isEmail, membersOf, userKey } from "./directory";

/** What a resource lays claim to: the role of a user in the organization, or a place in a team. */
export interface Claim {
  readonly scope: "role" | { readonly teamId: string };
  readonly user: string;
}

/** By organization and scope: the users, as the program names them. */
const claimed = new Map<string, Set<string>>();

const keyOf = (organizationId: string, scope: Claim["scope"]): string =>
  JSON.stringify([organizationId, scope === "role" ? scope : scope.teamId]);

/** Remembers what a resource of this run claims: `check` sees every resource of the program before anything is deleted. */
export function layClaim(organizationId: string, claims: readonly Claim[]): void {
  for (const { scope, user } of claims) {
    const key = keyOf(organizationId, scope);
    claimed.set(key, (claimed.get(key) ?? new Set()).add(userKey(user)));
  }
}

/**
 * Whether a resource of this run claims the user: then nobody else of the run takes away what it has. So a resource that is
 * renamed, moved or merged into another one changes nothing for the people in it.
 */
export async function isClaimed(context: Context, scope: Claim["scope"], userId: string): Promise<boolean> {
  const users = claimed.get(keyOf(context.organizationId, scope));
  if (!users) return false;
  if (users.has(userId)) return true;
  for (const user of users) {
    if (isEmail(user) && (await membersOf(context).read(user))?.user.id === userId) return true;
  }
  return false;
}
