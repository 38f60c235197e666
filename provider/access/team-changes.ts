import type { TeamRole } from "../api/groups/shared";

/** The declared role of one user in the team; without a role, the user is removed. */
export interface TeamChange {
  /** User id, or the e-mail of a person who is not a member of the organization yet. */
  readonly user: string;
  readonly role?: TeamRole;
}

/** Changes of a team, in the order in which they are made: a team gets its new owners before others lose that role. */
export interface Changes {
  /** New people, and people who become owners. */
  readonly added: readonly TeamChange[];
  /** Owners who become members. */
  readonly lowered: readonly TeamChange[];
  readonly removed: readonly TeamChange[];
}

export interface TeamOutcome {
  readonly done: readonly TeamChange[];
  readonly failed?: unknown;
}

/** Our own bound: the API document shows none. */
export const mostInOneCall = 1000;

export const describeChange = ({ user, role }: TeamChange): string =>
  role ? `${user} is now ${role}` : `${user} is removed`;

/** Says which later changes are not sent, because changes of this part failed. */
export function describeRest(failing: keyof Changes, { lowered, removed }: Changes): string | undefined {
  if (failing === "added" && lowered.length > 0) return "nobody is lowered or removed until they succeed";
  return failing !== "removed" && removed.length > 0 ? "nobody is removed until they succeed" : undefined;
}

/** New people must be in `add`: the API document does not say what a role means for a person who is not in the team. */
export function bodyOfChanges(changes: readonly TeamChange[]) {
  const withRoles = changes.flatMap(({ user, role }) => (role ? [{ user, role }] : []));
  const remove = changes.filter(({ role }) => role === undefined).map(({ user }) => user);
  return {
    ...(withRoles.length > 0 && {
      add: withRoles.map(({ user }) => user),
      memberships: Object.fromEntries(withRoles.map(({ user, role }) => [user, { role }])),
    }),
    ...(remove.length > 0 && { remove }),
  };
}
