import type { z } from "zod";
import type { Fields, Finding } from "../sections/checks";
import type { PlannedChange, Violation } from "./change";

/** A rule that stops a change before anything is sent. */
export interface Guard {
  /** Its keys in `guards` of the file. */
  readonly settings?: Readonly<Record<string, z.ZodType>>;
  /** Runs before the other guards, which are skipped if it finds a violation. */
  readonly first?: true;
  /** Finds what is missing in the file, before any request. Skipped if a part of the file could not be read. */
  findMissing?(file: Fields, now: Date): Finding[];
  /** Finds the reasons to refuse the change, from the live and the recorded organization. */
  findViolations(change: PlannedChange): Violation[];
}
