import { type Role, roles } from "../api/groups/shared";

/** A role as programs declare it: `guest` stands for the API's null. */
export type DeclaredRole = Role | "guest" | null;

/** A live role as messages, states and previews have it; it may be one that this version does not know. */
export const spelledRole = (role: string | null): Role | "guest" => (role ?? "guest") as Role | "guest";

export const isSameRole = (a: unknown, b: unknown): boolean => (a ?? "guest") === (b ?? "guest");

export const ascendingRoles: readonly string[] = ["guest", ...[...roles].reverse()];

/** The more a role allows, the higher its rank. A role that this version does not know counts as a guest. */
export const rankOfRole = (role: string | null): number => Math.max(0, ascendingRoles.indexOf(role ?? "guest"));

export const weakerRole = (role: DeclaredRole, other: DeclaredRole | undefined): DeclaredRole =>
  other !== undefined && rankOfRole(other) < rankOfRole(role) ? other : role;
