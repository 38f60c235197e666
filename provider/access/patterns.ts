import { globOf, patternMistake } from "./glob";
import { foldedEmail, isEmail } from "./user";

/** Whom a list of patterns is asked about: an e-mail may be hidden, and an id not known yet. */
export interface Matchable {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
}

/** What a name that is declared says about its owner. */
export const matchable = (user: string): Matchable => (isEmail(user) ? { email: user } : { userId: user });

/**
 * Tells whether one of the patterns matches a user: the user id, or a glob on the whole e-mail without case. An e-mail that
 * is written out is a glob without wildcards. A hidden e-mail matches none.
 */
export function matcherOf(patterns: readonly string[]): (user: Matchable) => boolean {
  const ids = new Set(patterns);
  const emails = new Set(patterns.map((pattern) => pattern.toLowerCase()));
  // What the schemas refuse is not tried: a file is searched for all of its mistakes at once.
  const globs = patterns.filter((one) => wildcard.test(one) && patternMistake(one) === undefined).map(globOf);
  return ({ userId, email }) => {
    if (userId !== undefined && ids.has(userId)) return true;
    return email !== undefined && (emails.has(email.toLowerCase()) || globs.some((matches) => matches(email)));
  };
}

/** Whether the pattern asks for the e-mail, so that an id alone does not tell who is meant. */
export const asksForEmail = (pattern: string): boolean => isEmail(pattern) || wildcard.test(pattern);

const wildcard = /[!*?[\]{}()\\]/;

/** A list of patterns so that lists which match the same users, in any case and order, are equal; `undefined` for anything else. */
export function patternKeys(list: unknown): string[] | undefined {
  if (!Array.isArray(list) || list.some((one) => typeof one !== "string")) return undefined;
  return [...new Set((list as string[]).map(patternKey))].sort();
}

/** The letters of a range in braces mean something else in another case. */
const patternKey = (pattern: string): string =>
  asksForEmail(pattern) && !pattern.includes("..") ? foldedEmail(pattern) : pattern;
