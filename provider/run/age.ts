import { counted } from "../text/safe-text";

/** Ages of reviewed plans and of change requests. The command line needs them before anything else is loaded. */

const hour = 3_600_000;
const units: Readonly<Record<string, number>> = { h: hour, d: 24 * hour, w: 7 * 24 * hour };

/** Milliseconds of an age such as `2w`, `7d` or `12h`; `undefined` for another text. */
export function parseAge(text: string): number | undefined {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0);
}

/** The age in a condition such as `expiring=30d`; `undefined` for another text. */
export const ageIn = (text: string, name: string): number | undefined =>
  text.startsWith(`${name}=`) ? parseAge(text.slice(name.length + 1)) : undefined;

export const wordsOfAge = (age: number): string =>
  age % (24 * hour) === 0 ? counted(age / (24 * hour), "day", "days") : counted(age / hour, "hour", "hours");
