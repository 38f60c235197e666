import { counted } from "../text/safe-text";

/** How old a reviewed plan may be. The command line needs it before anything else is loaded. */

const hour = 3_600_000;

/** Milliseconds of an age such as `7d` or `12h`; `undefined` for another text. */
export function parseAge(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0) return undefined;
  return Number(count) * (unit === "d" ? 24 * hour : hour);
}

export const wordsOfAge = (age: number): string =>
  age % (24 * hour) === 0 ? counted(age / (24 * hour), "day", "days") : counted(age / hour, "hour", "hours");
