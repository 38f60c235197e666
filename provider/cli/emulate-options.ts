import { InvalidArgumentError } from "commander";
import type { ReadLag } from "../emulator/store/past";
import { type Readings, readingValues } from "../emulator/store/service";

/** A parser of numbers; `use` says in a message which ones are allowed. */
const numberWhere =
  (isAllowed: (number: number) => boolean, use: string) =>
  (text: string): number => {
    if (/^\d+(\.\d+)?$/.test(text) && isAllowed(Number(text))) return Number(text);
    throw new InvalidArgumentError(`Use ${use}.`);
  };
const wholeUpTo = (most: number) =>
  numberWhere((number) => Number.isInteger(number) && number <= most, `a whole number from 0 to ${most}`);

export const port = wholeUpTo(65_535);
export const count = wholeUpTo(1_000_000);
export const milliseconds = numberWhere(Number.isInteger, "a whole number of milliseconds");
export const perSecond = numberWhere((number) => number > 0, "a number above 0");

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000 };

/** Adds the value of a repeatable `--read-lag WHAT=DURATION`; the emulator knows the names. */
export function readLag(text: string, before: ReadLag = {}): ReadLag {
  const [, name, number, unit = ""] = /^(\w+)=(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: Number(number) * (units[unit] as number) };
  throw new InvalidArgumentError(
    "Use lists=10s, all=10s or the name of an operation that reads; units are ms, s and m.",
  );
}

const readingNames = Object.keys(readingValues) as (keyof typeof readingValues)[];

/** What `--reading` accepts, for its help. */
export const readingHelp = readingNames.map((name) => `${name}=${readingValues[name].join("|")}`).join(", ");

/** Adds the value of a repeatable `--reading NAME=VALUE`. */
export function reading(text: string, before: Partial<Readings> = {}): Partial<Readings> {
  const [name = "", value = ""] = text.split(/=(.*)/s);
  const known = readingNames.find((one) => one === name);
  if (known === undefined) throw new InvalidArgumentError(`Use one of ${readingNames.join(", ")}, as NAME=VALUE.`);
  const allowed: readonly string[] = readingValues[known];
  if (!allowed.includes(value)) throw new InvalidArgumentError(`Use ${known}=${allowed.join(` or ${known}=`)}.`);
  return { ...before, [known]: value };
}
