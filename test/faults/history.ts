import type { LiveAccess } from "./service";

/** What each person had at any moment, by the keys of `Access`. */
export type EverHad = ReadonlyMap<string, ReadonlySet<string | undefined>>;

export function everHad(history: readonly LiveAccess[]): EverHad {
  const keys = new Set(history.flatMap((access) => Object.keys(access)));
  return new Map([...keys].map((key) => [key, new Set(history.map((access) => access[key]))]));
}

/** Levels that a person never had in the clean run (`had`), and moments without an administrator. */
export function lossesInHistory(history: readonly LiveAccess[], had: EverHad): string[] {
  return history.flatMap((access, index) => {
    const problems = [...had].flatMap(([key, values]) =>
      values.has(access[key]) ? [] : [`after request ${index}, ${key} is ${access[key]}`],
    );
    const administrators = Object.entries(access).filter(
      ([key, role]) => key.startsWith("role of ") && role === "admin",
    );
    return administrators.length > 0 ? problems : [...problems, `after request ${index}, nobody administers`];
  });
}

/** How what is live differs from what should be. A duplicate is a difference, too. */
export function differencesIn(live: readonly string[], expected: readonly string[]): string[] {
  return [
    ...without(live, expected).map((one) => `live, and should not be: ${one}`),
    ...without(expected, live).map((one) => `not live, and should be: ${one}`),
  ];
}

/** The items of `all` that `others` does not have, or has fewer times. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  const missing: string[] = [];
  for (const one of all) {
    const at = left.indexOf(one);
    if (at < 0) missing.push(one);
    else left.splice(at, 1);
  }
  return missing;
}
