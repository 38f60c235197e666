import type { z } from "zod";
import { userKey } from "../../access/user";
import { type Mistake, mistakesIn } from "../../text/mistakes";

/** What the rules of sections and guards look at: a file whose schema may have found mistakes. */

/** What is wrong, with the other place where two disagree. */
export interface Finding extends Mistake {
  readonly first?: readonly PropertyKey[];
}

export type Fields = Readonly<Record<string, unknown>>;

export const hasFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsIn = (value: unknown): Fields => (hasFields(value) ? value : {});

export const at = (file: Fields, ...path: readonly string[]): Fields =>
  path.reduce((fields, key) => fieldsIn(fields[key]), file);

export const listTeamIds = (file: Fields) => Object.keys(at(file, "teams"));

/** Keys of the map at that path that no schema of them lets through. */
export function findWrongKeys(keys: z.ZodType, file: Fields, ...path: readonly string[]): Finding[] {
  return Object.keys(at(file, ...path)).flatMap((key) =>
    mistakesIn(keys, key).map(({ text }) => ({ path: [...path, key], text, unknown: true as const })),
  );
}

/** Users whom the map at that path names twice, in another spelling. */
export function findRepeatedUsers(file: Fields, ...path: readonly string[]): Finding[] {
  const firsts = new Map<string, string>();
  return Object.keys(at(file, ...path)).flatMap((user): Finding[] => {
    const first = firsts.get(userKey(user));
    if (first === undefined) firsts.set(userKey(user), user);
    if (first === undefined) return [];
    const text = `"${user}" is the same user as "${first}"; keep one of them`;
    return [{ path: [...path, user], text, unknown: true, first: [...path, first] }];
  });
}
