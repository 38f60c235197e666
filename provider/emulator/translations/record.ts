import type { RichText } from "../../api/groups/shared";
import type { Language, Translation, translationStatuses } from "../../api/groups/translations";
import type { SpaceRecord } from "../spaces/record";
import { primaryContent } from "../spaces/revisions";

export interface TranslationRecord {
  readonly id: string;
  readonly sequence: number;
  readonly source: { readonly space: string; readonly language: Language };
  readonly language: Language;
  instructions: RichText;
  readonly createdAt: string;
  updatedAt: string;
  /** Id of the translated space; exists once a run has completed. */
  readonly space: string;
  /** Runs in order; each one starts after the previous one. */
  readonly runs: Run[];
  /** Status set by the seed; it stays until the next run. */
  held?: Exclude<TranslationStatus, "completed"> | undefined;
}

export interface Run {
  readonly startsAt: string;
  readonly pages: number;
  readonly words: number;
}

type TranslationStatus = (typeof translationStatuses)[number];

/** Milliseconds for which a run is pending, and then running. */
const waiting = 1000;
const working = 2000;

/** Starts a run now, or after the current one. */
export function startRun(translation: TranslationRecord, source: SpaceRecord, now: Date): void {
  const last = translation.held ? undefined : translation.runs.at(-1);
  const start = Math.max(now.getTime(), last ? endOf(last) : 0);
  translation.runs.push({ startsAt: new Date(start).toISOString(), ...extentOf(source) });
  translation.held = undefined;
}

function extentOf(space: SpaceRecord): Omit<Run, "startsAt"> {
  const { pages } = primaryContent(space);
  const words = pages.flatMap(({ title, markdown }) => `${title} ${markdown}`.match(/[\p{L}\p{N}]+/gu) ?? []);
  return { pages: pages.length, words: words.length };
}

const startOf = ({ startsAt }: Run) => Date.parse(startsAt);
const endOf = (run: Run) => startOf(run) + waiting + working;

/** Derives the status from the clock, so no timer is needed. */
export function statusOf({ held, runs }: TranslationRecord, now: Date): TranslationStatus {
  if (held) return held;
  const current = runs.find((run) => endOf(run) > now.getTime());
  if (!current) return "completed";
  return startOf(current) + waiting > now.getTime() ? "pending" : "running";
}

/** Completed runs. */
export function completedRuns({ held, runs }: TranslationRecord, now: Date): Run[] {
  return held ? [] : runs.filter((run) => endOf(run) <= now.getTime());
}

/** Statistics of completed runs; durations are seconds of running, without pending. */
export function statsOf(completed: readonly Run[]): Translation["stats"] {
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const latest = completed.at(-1);
  const duration = working / 1000;
  return {
    runs: completed.length,
    totalWords: sum(completed.map(({ words }) => words)),
    totalPages: sum(completed.map(({ pages }) => pages)),
    totalDuration: completed.length * duration,
    latestRunDuration: latest ? duration : 0,
    latestPages: latest?.pages ?? 0,
    latestWords: latest?.words ?? 0,
  };
}
