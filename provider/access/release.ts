import { stringsIn } from "./holding";
import { type DeclaredRole, isSameRole, rankOfRole } from "./roles";
import { userKey } from "./user";

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
  if (rankOfRole(after) > rankOfRole(role) && !allowRaise) return { kind: "keep", reason: "would raise" };
  return { kind: "set", role: after };
}

/**
 * The `allowRaise` that applies to a person: true if `allowRaiseOf` names the person, otherwise that of the resource. A review
 * passes properties of a preview, whose values may be unknown or secret.
 */
export function allowRaiseFor<Value>(
  { allowRaise, allowRaiseOf }: { readonly allowRaise?: Value; readonly allowRaiseOf?: unknown },
  keys: readonly string[],
): Value | true | undefined {
  const named = keysIn(allowRaiseOf);
  return keys.some((key) => named.has(key)) ? true : allowRaise;
}

/** Kept with the list, because it is used once for each person. */
const keysOfLists = new WeakMap<object, ReadonlySet<string>>();

function keysIn(list: unknown): ReadonlySet<string> {
  if (!Array.isArray(list)) return new Set();
  const keys = keysOfLists.get(list) ?? new Set(stringsIn(list).map(userKey));
  keysOfLists.set(list, keys);
  return keys;
}
