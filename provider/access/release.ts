import { type DeclaredRole, isSameRole, rankOf } from "./roles";

/** What a resource may declare for people whose role it no longer manages. */
export const releases = ["restore", "leave", "guest", "remove"] as const;
export type ReleaseOption = (typeof releases)[number];

export interface ReleaseOptions {
  readonly onDestroy?: ReleaseOption | undefined;
  readonly allowRaise?: boolean | undefined;
}

/** What a release does: nothing, for a reason; a removal from the organization; or another role. */
export type Release =
  | { readonly kind: "keep"; readonly reason: "declared" | "same role" | "would raise" }
  | { readonly kind: "remove" }
  | { readonly kind: "set"; readonly role: DeclaredRole };

/**
 * Decides what happens to the role of a person that is no longer managed. Resources carry the decision out, and reviews
 * announce it, so both use this function.
 */
export function decideRelease(
  role: string | null,
  previousRole: DeclaredRole,
  { onDestroy = "restore", allowRaise = false }: ReleaseOptions,
): Release {
  if (onDestroy === "leave") return { kind: "keep", reason: "declared" };
  if (onDestroy === "remove") return { kind: "remove" };
  const after = onDestroy === "guest" ? "guest" : previousRole;
  if (isSameRole(role, after)) return { kind: "keep", reason: "same role" };
  if (rankOf(after) > rankOf(role) && !allowRaise) return { kind: "keep", reason: "would raise" };
  return { kind: "set", role: after };
}
