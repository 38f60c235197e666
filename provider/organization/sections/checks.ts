import { userKey } from "../../people/user";
import type { Mistake } from "../../text/mistakes";

/** Helpers for the rules of sections and guards, which also run on a file that does not match its schema. */

/** A mistake, with the path of the first of two values if they conflict. */
export interface FileMistake extends Mistake {
  readonly first?: readonly PropertyKey[];
}

export type Fields = Readonly<Record<string, unknown>>;

export const hasFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsIn = (value: unknown): Fields => (hasFields(value) ? value : {});

export const fieldsAt = (file: Fields, ...path: readonly string[]): Fields =>
  path.reduce((fields, key) => fieldsIn(fields[key]), file);

export const listTeamIds = (file: Fields) => Object.keys(fieldsAt(file, "teams"));

/** The items whose key an earlier item has, each with the first item of that key. */
export function repeatsIn<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): (readonly [repeat: Item, first: Item])[] {
  const firsts = new Map<string, Item>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first !== undefined) return [[item, first] as const];
    firsts.set(key, item);
    return [];
  });
}

/** Finds users that the map at the path names twice, in different spellings. */
export const findRepeatedUsers = (file: Fields, ...path: readonly string[]): FileMistake[] =>
  repeatsIn(Object.keys(fieldsAt(file, ...path)), userKey).map(([user, first]) => {
    const text = `"${user}" is the same user as "${first}"; keep one of them`;
    return { path: [...path, user], text, isAboutName: true, first: [...path, first] };
  });
