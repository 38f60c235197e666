import { z } from "zod";
import { dateTime } from "../../api/groups/shared";
import { newerIdPattern } from "../store/ids";

export const id = z.string().regex(newerIdPattern, "letters, digits, - and _");

/** The id of an object that gets one if the seed has none. */
export const ownId = (what: string) => id.optional().describe(`Id of ${what}; a random one by default.`);

export const created = dateTime
  .optional()
  .describe("Time of creation; default: 30 days before the start of the emulator.");

/** What the records of a seed need besides it. */
export interface SeedingContext {
  /** Time of objects that have none in the seed. */
  readonly createdAt: string;
  /** Returns the next number of the state's sequence. */
  readonly next: () => number;
}
