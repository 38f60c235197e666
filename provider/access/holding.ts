import { roles } from "../api/groups/shared";
import { containsSecret, secretValue, unknownValue } from "../run/properties";
import { anonymousMark } from "./user";

/** Where somebody has something: the role in the organization, a team, or the mark of single sign-on. */
export interface Place {
  readonly kind: "role" | "team" | "sso";
  readonly team?: string;
  readonly organization: string;
}

/** Not there at all: in no team, or no member of the organization. */
export const nothing = "none";
/** The preview does not tell: nobody has looked yet, or the value is known only when another resource is there. */
export const unknown = "unknown";
export const secret = "secret";

/** What a resource gives to one person in one place. */
export interface Holding {
  readonly place: Place;
  /** As the resource names the person. */
  readonly user: string;
  /** A role, `unknown`, or `secret`. */
  readonly level: string;
  /** The state says that no member has the e-mail: the person has nothing yet. */
  readonly pending?: boolean;
}

/** A resource that gives something to people. */
interface Giver {
  readonly type: string;
  readonly name: string;
}

export interface OrganizationGiver extends Giver {
  readonly organization: string;
}

/** `guest` and null are one role. */
export function roleIn(role: unknown): string {
  return role === null || role === undefined ? "guest" : textIn(role);
}

/** A text, or why there is none. */
export function textIn(value: unknown): string {
  if (value === unknownValue) return unknown;
  if (value === secretValue || containsSecret(value)) return secret;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The texts in a list; none if the list is not to be seen. */
export function stringsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}

/** The user that a resource is about, by id if the state has one. */
export function userIn(giver: Giver, user: unknown, userId: unknown): string {
  if (typeof userId === "string") return userId;
  if (user === unknownValue) return anonymous("unknown", giver);
  if (user === secretValue) return anonymous("secret", giver);
  return String(user);
}

/** Users and what they get; somebody without a name if the whole map is not to be seen. */
export function entriesIn(giver: Giver, map: unknown): [user: string, value: unknown][] {
  if (map === unknownValue) return [[anonymous("unknown", giver), unknownValue]];
  if (map === secretValue) return [[anonymous("secret", giver), secretValue]];
  if (typeof map !== "object" || map === null) return [];
  return Object.entries(map);
}

/** The key of a person without a name in the preview: the value is a secret, or known only later. */
function anonymous(why: "secret" | "unknown", { type, name }: Giver): string {
  return `${anonymousMark}${why} user of ${type} ${name}`;
}

const ladder = [nothing, "guest", ...[...roles].reverse(), "member", "owner", "sso"];

/** The more it allows, the higher it stands; -1 for what nobody can tell. */
export const rank = (level: string): number => ladder.indexOf(level);
