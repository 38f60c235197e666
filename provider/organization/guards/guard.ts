import type { z } from "zod";
import type { Fields, Finding } from "../sections/checks";
import type { ProjectedChange, Violation } from "./change";

/** A rule that stops a change before anything is sent. */
export interface Guard {
  /** Its keys in `guards` of the file. */
  readonly settings?: Readonly<Record<string, z.ZodType>>;
  /** Whether the guards that are not first are only asked if it finds no violation. */
  readonly first?: true;
  /** What the file lacks for it, before anything is read; not asked if a part of the file could not be read. */
  findMissing?(file: Fields, now: Date): Finding[];
  /** What it refuses, given what is live and what the stack has managed so far. */
  findViolations(change: ProjectedChange): Violation[];
}
