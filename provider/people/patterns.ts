import { isDeepStrictEqual } from "node:util";
import { foldedEmail, isEmail } from "./user";

/** A user to match against patterns: the e-mail may be hidden, and the id not known yet. */
export interface Matchable {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
}

/** The id or e-mail that a declared name stands for. */
export const matchable = (user: string): Matchable => (isEmail(user) ? { email: user } : { userId: user });

/**
 * Builds a matcher for users. A pattern is a user id, a plain e-mail, or a case-insensitive glob on the whole e-mail. A hidden
 * e-mail matches no pattern.
 */
export function matcherOf(patterns: readonly string[]): (user: Matchable) => boolean {
  const ids = new Set(patterns);
  const emails = new Set(patterns.map(foldedEmail));
  // An invalid pattern is skipped: the schema reports it, and the file is checked for all other mistakes as well.
  const globs = patterns.filter((one) => wildcard.test(one) && patternMistake(one) === undefined).map(globOf);
  return ({ userId, email }) => {
    if (userId !== undefined && ids.has(userId)) return true;
    return email !== undefined && (emails.has(foldedEmail(email)) || globs.some((fits) => fits(email)));
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

/** Whether two lists match the same people. */
export function samePatterns(a: unknown, b: unknown): boolean {
  const keys = patternKeys(a);
  return keys !== undefined && isDeepStrictEqual(keys, patternKeys(b));
}

const patternKey = (pattern: string): string => (asksForEmail(pattern) ? foldedEmail(pattern) : pattern);

/** The length of the longest user name: 200 characters, `@`, and 200 more. */
const longest = 401;
const mostStars = 20;

/** Says what to use instead if a text is not a valid pattern. */
export function patternMistake(pattern: string): string | undefined {
  if (pattern.length > longest) return `use at most ${longest} characters`;
  if (pattern.split("*").length - 1 > mostStars) return `use at most ${mostStars} stars in one pattern`;
  if (unsupported.test(pattern)) return "use only the wildcards * and ?, and several patterns for alternatives";
  if (invisible.test(pattern)) return "use a pattern without invisible characters";
  return undefined;
}

/** Characters with a meaning in other kinds of globs. Here, a pattern with one of them would silently match nobody. */
const unsupported = /[()[\]{}\\]/;
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Builds a case-insensitive matcher for `*` and `?`; a `!` at the beginning negates. For every pattern, its time is at most
 * proportional to the product of both lengths: backtracking engines take minutes for a few stars.
 */
export function globOf(pattern: string): (text: string) => boolean {
  const isNegated = pattern.startsWith("!");
  const wanted = foldAll(isNegated ? pattern.slice(1) : pattern);
  return (text) => matches(wanted, foldAll(text)) !== isNegated;
}

/** After a mismatch, the last star takes the text up to one character more (`retry`). What an earlier star took need not change. */
function matches(pattern: readonly string[], text: readonly string[]): boolean {
  let [at, star, retry] = [0, -1, 0];
  for (let place = 0; place < text.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      retry = place;
    } else if (pattern[at] === "?" || pattern[at] === text[place]) {
      at++;
      place++;
    } else {
      if (star < 0) return false;
      at = star + 1;
      place = ++retry;
    }
  }
  return pattern.slice(at).every((one) => one === "*");
}

const foldAll = (text: string): string[] => text.split("").map(fold);

/** Folds case as a regular expression with the flag `i` does: a non-ASCII character never equals an ASCII one. */
function fold(character: string): string {
  const upper = character.toUpperCase();
  if (upper.length !== 1 || (character > "\x7f" && upper <= "\x7f")) return character;
  return upper;
}
