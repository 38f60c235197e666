import { userKey } from "../../people/user";
import type { Mistake } from "../../text/mistakes";

/** Helpers for the rules of sections and guards, which also run on a file that does not match its schema. */

/** A mistake, with the path of the first of two values if they conflict. */
export interface Finding extends Mistake {
  readonly first?: readonly PropertyKey[];
}

export type Fields = Readonly<Record<string, unknown>>;

export const hasFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsIn = (value: unknown): Fields => (hasFields(value) ? value : {});

export const fieldsAt = (file: Fields, ...path: readonly string[]): Fields =>
  path.reduce((fields, key) => fieldsIn(fields[key]), file);

export const listTeamIds = (file: Fields) => Object.keys(fieldsAt(file, "teams"));

/** Finds users that the map at the path names twice, in different spellings. */
export function findRepeatedUsers(file: Fields, ...path: readonly string[]): Finding[] {
  const firsts = new Map<string, string>();
  return Object.keys(fieldsAt(file, ...path)).flatMap((user): Finding[] => {
    const first = firsts.get(userKey(user));
    if (first === undefined) firsts.set(userKey(user), user);
    if (first === undefined) return [];
    const text = `"${user}" is the same user as "${first}"; keep one of them`;
    return [{ path: [...path, user], text, unknown: true, first: [...path, first] }];
  });
}
