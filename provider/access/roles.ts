import { type Role, roles } from "../api/groups/shared";

/** A role as programs declare it: `guest` stands for the API's null. */
export type DeclaredRole = Role | "guest" | null;

export const isSameRole = (a: unknown, b: unknown): boolean => (a ?? "guest") === (b ?? "guest");

/** The more a role allows, the higher its rank; a guest has the lowest. */
export const rankOf = (role: string | null): number =>
  role === null || role === "guest" ? -1 : [...roles].reverse().indexOf(role as Role);

/** The role that allows less. */
export const weakerRole = (role: DeclaredRole, other: DeclaredRole | undefined): DeclaredRole =>
  other !== undefined && rankOf(other) < rankOf(role) ? other : role;
