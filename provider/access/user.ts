/**
 * An e-mail in lower case, for comparisons. Only ASCII letters fold: `toLowerCase()` turns the Kelvin sign into a `k`, so
 * that another person's address would equal this one.
 */
export const foldedEmail = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A user as a program names one: an e-mail, in any case, or an id. */
export const isEmail = (user: string): boolean => user.includes("@");
export const userKey = (user: string): string => (isEmail(user) ? foldedEmail(user) : user);
export const sameUser = (a: unknown, b: unknown): boolean => userKey(String(a)) === userKey(String(b));

/** The id among the names of one person, if any of them is one. */
export const idAmong = (keys: readonly string[]): string | undefined =>
  keys.find((key) => !isEmail(key) && !isAnonymous(key));

/** The first character of the key of a person without a name in the preview: the value is a secret, or known only later. */
export const anonymousMark = "?";
export const isAnonymous = (key: string): boolean => key.startsWith(anonymousMark);
