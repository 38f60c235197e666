import { indexOf, type PlacedPage } from "../spaces/pages";
import type { SpaceRecord } from "../spaces/record";
import { primaryContent } from "../spaces/revisions";

export interface FoundPage extends PlacedPage {
  /** Share of the words that occur in the title, 0 to 1. */
  readonly score: number;
}

export function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** Pages of the space whose title and body together contain all words; pages with more words in the title come first. */
export function pagesWith(words: readonly string[], space: SpaceRecord): FoundPage[] {
  if (words.length === 0) return [];
  const found = [...indexOf(primaryContent(space)).pages.values()].filter(({ page }) =>
    holds(`${page.title}\n${page.markdown}`, words),
  );
  const shareIn = (title: string) => words.filter((word) => holds(title, [word])).length / words.length;
  return found.map((placed) => ({ ...placed, score: shareIn(placed.page.title) })).sort((a, b) => b.score - a.score);
}

function holds(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
