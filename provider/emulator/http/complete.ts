/**
 * An answer that lists every property, including optional ones. A new property in a row's schema breaks compilation until the
 * emulator answers it, or omits it explicitly with `undefined`.
 */
export type Complete<Answer> = Answer extends object ? { [Name in keyof Required<Answer>]: Answer[Name] } : Answer;

/** The caller of the API has all permissions. */
export const allOf = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<Names[number], true>;
