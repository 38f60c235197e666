import type { RichText } from "../../api/groups/shared";
import type { Language, Translation } from "../../api/groups/translations";
import type { SpaceRecord } from "../spaces/record";
import { primaryContent } from "../spaces/revisions";
import { newId } from "../store/ids";

export interface TranslationRecord {
  readonly id: string;
  readonly sequence: number;
  readonly source: { readonly space: string; readonly language: Language };
  readonly language: Language;
  instructions: RichText;
  readonly createdAt: string;
  updatedAt: string;
  /** Id of the translated space, which exists once a run has completed. */
  readonly space: string;
  /** Runs in order; each one starts after the previous one. */
  readonly runs: TranslationRun[];
}

export interface TranslationRun {
  readonly startsAt: string;
  readonly pages: number;
  readonly words: number;
}

/** Milliseconds for which a run is pending, and then running. */
const waiting = 1000;
const working = 2000;

type NewTranslation = Omit<TranslationRecord, "updatedAt" | "space" | "runs">;

export function newTranslation(settings: NewTranslation, source: SpaceRecord, now: Date): TranslationRecord {
  const translation = { ...settings, updatedAt: settings.createdAt, space: newId("space"), runs: [] };
  startRun(translation, source, now);
  return translation;
}

/** Starts a run now, or after the current one. */
export function startRun(translation: TranslationRecord, source: SpaceRecord, now: Date): void {
  const last = translation.runs.at(-1);
  const start = Math.max(now.getTime(), last ? endOf(last) : 0);
  translation.runs.push({ startsAt: new Date(start).toISOString(), ...extentOf(source) });
}

function extentOf(space: SpaceRecord): Omit<TranslationRun, "startsAt"> {
  const { pages } = primaryContent(space);
  const words = pages.flatMap(({ title, markdown }) => `${title} ${markdown}`.match(/[\p{L}\p{N}]+/gu) ?? []);
  return { pages: pages.length, words: words.length };
}

const startOf = ({ startsAt }: TranslationRun) => Date.parse(startsAt);
const endOf = (run: TranslationRun) => startOf(run) + waiting + working;

/** Completed runs, and the status, which follows from the clock, so no timer is needed. */
export function progressOf({ runs }: TranslationRecord, now: Date) {
  const completed = runs.filter((run) => endOf(run) <= now.getTime());
  const current = runs[completed.length];
  if (!current) return { completed, status: "completed" } as const;
  return { completed, status: startOf(current) + waiting > now.getTime() ? "pending" : "running" } as const;
}

/** Statistics of completed runs; durations are seconds of running, without pending. */
export function statsOf(completed: readonly TranslationRun[]): Translation["stats"] {
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
