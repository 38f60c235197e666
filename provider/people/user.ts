/**
 * Converts an e-mail to lower case, for comparisons. Only ASCII letters are folded: `toLowerCase()` turns the Kelvin sign into
 * a `k`, so two people's addresses would be equal.
 */
export const foldedEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A program names a user by e-mail, in any case, or by id. */
export const isEmail = (user: string): boolean => user.includes("@");
export const userKey = (user: string): string => (isEmail(user) ? foldedEmail(user) : user);
export const sameUser = (a: unknown, b: unknown): boolean => userKey(String(a)) === userKey(String(b));

/** The values that a list has several times. */
export function repeatedIn(values: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(values.filter((value) => seen.has(value) || !seen.add(value)));
}

/** Orders names and keys by code units: the same on every machine. */
export const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The id among the names of one person, if any of them is one. */
export const idAmong = (keys: readonly string[]): string | undefined =>
  keys.find((key) => !isEmail(key) && !isAnonymous(key));

/** The first character of the key of a person whose name is a secret, or not known yet in the preview. */
export const anonymousMark = "?";
export const isAnonymous = (key: string): boolean => key.startsWith(anonymousMark);
export const withoutAnonymousMark = (key: string): string => (isAnonymous(key) ? key.slice(1) : key);
