import { secret, unknown } from "../access-plan/place";
import { anonymousMark } from "../people/user";
import { containsSecret, secretValue, unknownValue } from "../run/properties";

export interface Giver {
  readonly type: string;
  readonly name: string;
  readonly organization: string;
}

export const roleText = (role: unknown): string => visibleText(role ?? "guest");

/** Reads a text, or returns the mark that says why it is not visible. */
export function visibleText(value: unknown): string {
  if (value === unknownValue) return unknown;
  if (containsSecret(value)) return secret;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The texts in a list; none if the list is secret or unknown. */
export function stringsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}

/** The user of a resource, by id if the state has one. */
export function userIn(giver: Giver, user: unknown, userId: unknown): string {
  if (typeof userId === "string") return userId;
  if (user === unknownValue) return anonymous("unknown", giver);
  if (user === secretValue) return anonymous("secret", giver);
  return String(user);
}

/** The entries of a map by user; one anonymous user if the whole map is secret or unknown. */
export function entriesByUser(giver: Giver, map: unknown): [user: string, value: unknown][] {
  if (map === unknownValue) return [[anonymous("unknown", giver), unknownValue]];
  if (map === secretValue) return [[anonymous("secret", giver), secretValue]];
  if (typeof map !== "object" || map === null) return [];
  return Object.entries(map);
}

/** The key of a person with a name that is a secret or not known yet in the preview. */
function anonymous(why: "secret" | "unknown", { type, name }: Giver): string {
  return `${anonymousMark}${why} user of ${type} ${name}`;
}
