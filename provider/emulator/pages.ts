import type { SeedPage } from "./seed";
import { uniqueSlug } from "./slugs";
import { newId, type PageRecord } from "./state";

/** The tree of pages that a seed describes; each page's path is made of the slugs above it. */
export function pagesOf(seeds: readonly SeedPage[], above = ""): PageRecord[] {
  const slugs = new Set<string>();
  return seeds.map(({ id = newId("page"), title, slug, markdown = "", pages = [] }) => {
    const own = slug ?? uniqueSlug(title, slugs);
    const path = above ? `${above}/${own}` : own;
    return { id, title, slug: own, path, markdown, pages: pagesOf(pages, path) };
  });
}

export interface PlacedPage {
  readonly page: PageRecord;
  /** Pages above it, from the top. */
  readonly ancestors: readonly PageRecord[];
}

/** All pages of a tree, each before those below it. */
export function* walk(pages: readonly PageRecord[], ancestors: readonly PageRecord[] = []): Generator<PlacedPage> {
  for (const page of pages) {
    yield { page, ancestors };
    yield* walk(page.pages, [...ancestors, page]);
  }
}
