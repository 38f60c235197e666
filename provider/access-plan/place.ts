import { type Role, roles } from "../api/groups/shared";

/** Where a person has access: in the organization by a role, in a team, or by the mark of single sign-on. */
export interface Place {
  readonly kind: "role" | "team" | "sso";
  readonly team?: string;
  readonly organization: string;
}

/** No access: the person is not in the team, or is not a member of the organization. */
export const nothing = "none";
/** Not known in the preview: nothing was read yet, or the value depends on a resource that is yet to be created. */
export const unknown = "unknown";
export const secret = "secret";

/** Whether the level is one that can be compared with others. */
export const isKnownLevel = (level: string): boolean => level !== unknown && level !== secret;

/** A role as programs declare it: `guest` stands for the API's null. */
export type DeclaredRole = Role | "guest" | null;

/** A live role as messages, states and previews have it; it may be one that this version does not know. */
export const spelledRole = (role: string | null): Role | "guest" => (role ?? "guest") as Role | "guest";

export const isSameRole = (a: unknown, b: unknown): boolean => (a ?? "guest") === (b ?? "guest");

export const weakerRole = (role: DeclaredRole, other: DeclaredRole | undefined): DeclaredRole =>
  other !== undefined && isLower(spelledRole(other), spelledRole(role)) ? other : role;

export const ascendingRoles: readonly string[] = ["guest", ...[...roles].reverse()];

/** The levels of all kinds of places; those of one kind stand from the least to the most powerful. */
const ascendingLevels = [nothing, ...ascendingRoles, "member", "owner", "sso"];

/** The more a level allows, the higher its rank; -1 if the level is unknown. */
export const rankOfLevel = (level: string): number => ascendingLevels.indexOf(level);

/** The length keeps the keys of organizations apart whose ids contain a space. The key is built for each person, so it must be fast. */
export const keyOfPlace = ({ kind, team = "", organization }: Place): string =>
  `${organization} ${kind} ${team} ${organization.length}`;

/** Compares two levels of the same kind of place. A role that this version does not know counts as a guest. */
export const isLower = (level: string, than: string): boolean => comparableRank(level) < comparableRank(than);

/** Sorts the most powerful level first. An unknown role, of a newer version of the service, counts as nearly an administrator: it may be powerful. */
export const byPower = (a: string, b: string): number => power(b) - power(a);

const power = (level: string): number => (rankOfLevel(level) < 0 ? rankOfLevel("admin") - 0.5 : rankOfLevel(level));

const comparableRank = (level: string): number => {
  const rank = rankOfLevel(level);
  return rank < 0 ? rankOfLevel("guest") : rank;
};
