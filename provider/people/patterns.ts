import { globOf, patternMistake } from "./glob";
import { foldedEmail, isEmail } from "./user";

/** A user to match against patterns: the e-mail may be hidden, and the id not known yet. */
export interface Matchable {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
}

/** The id or e-mail that a declared name stands for. */
export const matchable = (user: string): Matchable => (isEmail(user) ? { email: user } : { userId: user });

/**
 * Builds a matcher for users. A pattern is a user id, or a case-insensitive glob on the whole e-mail. A plain e-mail is a glob
 * without wildcards. A hidden e-mail matches no glob.
 */
export function matcherOf(patterns: readonly string[]): (user: Matchable) => boolean {
  const ids = new Set(patterns);
  const emails = new Set(patterns.map((pattern) => pattern.toLowerCase()));
  // An invalid pattern is skipped: the schema reports it, and the file is checked for all other mistakes as well.
  const globs = patterns.filter((one) => wildcard.test(one) && patternMistake(one) === undefined).map(globOf);
  return ({ userId, email }) => {
    if (userId !== undefined && ids.has(userId)) return true;
    return email !== undefined && (emails.has(email.toLowerCase()) || globs.some((matches) => matches(email)));
  };
}

/** Whether the pattern is about e-mails, so that a user id alone cannot decide whether it matches. */
export const asksForEmail = (pattern: string): boolean => isEmail(pattern) || wildcard.test(pattern);

const wildcard = /[!*?]/;

/** Normalizes a list of patterns, so that lists that differ only in case and order are equal; `undefined` if it is not a list of texts. */
export function patternKeys(list: unknown): string[] | undefined {
  if (!Array.isArray(list) || list.some((one) => typeof one !== "string")) return undefined;
  return [...new Set((list as string[]).map(patternKey))].sort();
}

const patternKey = (pattern: string): string => (asksForEmail(pattern) ? foldedEmail(pattern) : pattern);
