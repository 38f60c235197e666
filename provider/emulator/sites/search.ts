import { type PlacedPage, walk } from "../spaces/pages";
import type { SpaceRecord } from "../spaces/record";
import { primaryContent } from "../spaces/revisions";
import { pathFrom } from "../store/slugs";

/** A part of a page: the text below one heading. */
export interface Passage {
  readonly title: string;
  /** Fragment in the page's URL. */
  readonly anchor: string;
  readonly body: string;
}

export interface FoundPage extends PlacedPage {
  /** Share of the words that occur in the title, 0 to 1. */
  readonly score: number;
  /** Passages that contain one of the words. */
  readonly passages: readonly Passage[];
}

export function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** Pages of the space whose title and body together contain all words; pages with more words in the title come first. */
export function pagesWith(words: readonly string[], space: SpaceRecord): FoundPage[] {
  if (words.length === 0) return [];
  const found = [...walk(primaryContent(space).pages)].filter(({ page }) =>
    holds(`${page.title}\n${page.markdown}`, words),
  );
  return found.map((placed) => foundPage(placed, words)).sort((a, b) => b.score - a.score);
}

function foundPage(placed: PlacedPage, words: readonly string[]): FoundPage {
  const { title, markdown } = placed.page;
  const score = words.filter((word) => holds(title, [word])).length / words.length;
  const passages = passagesOf(title, markdown).filter((passage) =>
    words.some((word) => holds(`${passage.title}\n${passage.body}`, [word])),
  );
  return { ...placed, score, passages };
}

function holds(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** A page without headings is one passage, under its own title. */
function passagesOf(title: string, markdown: string): Passage[] {
  const parts = markdown.split(/^(?=#{1,6} )/m).filter((part) => part.trim() !== "");
  return parts.map((part) => {
    const heading = /^#{1,6} (.+)\n?/.exec(part);
    const own = heading?.[1]?.trim() ?? title;
    return { title: own, anchor: pathFrom(own), body: part.slice(heading?.[0].length ?? 0).trim() };
  });
}
