/**
 * Converts an e-mail to lower case, for comparisons. Only ASCII letters are folded: `toLowerCase()` turns the Kelvin sign into
 * a `k`, so two people's addresses would be equal.
 */
export const foldedEmail = (email: string): string =>
  /[A-Z]/.test(email) ? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : email;

/** A program names a user by e-mail, in any case, or by id. */
export const isEmail = (user: string): boolean => user.includes("@");
export const userKey = (user: string): string => (isEmail(user) ? foldedEmail(user) : user);
export const sameUser = (a: unknown, b: unknown): boolean => userKey(String(a)) === userKey(String(b));

/** The values that a list has several times. */
export function repeatedIn(values: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) repeated.add(value);
    seen.add(value);
  }
  return repeated;
}

/** Orders names and keys by code units: the same on every machine. */
export const compareKeys = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** The id among the names of one person, if any of them is one. */
export const idAmong = (keys: readonly string[]): string | undefined =>
  keys.find((key) => !isEmail(key) && !isAnonymous(key));

/** The first character of the key of a person whose name is a secret, or not known yet in the preview. */
export const anonymousMark = "?";
export const isAnonymous = (key: string): boolean => key.startsWith(anonymousMark);
export const withoutAnonymousMark = (key: string): string => (isAnonymous(key) ? key.slice(1) : key);
