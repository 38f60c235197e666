import { recent } from "./recent";
import type { Content, FileRecord, PageRecord, ReusableContentRecord } from "./record";

/** Traverses and indexes the pages of a content. */

export interface PlacedPage {
  readonly page: PageRecord;
  /** Pages above it, from the top. */
  readonly ancestors: readonly PageRecord[];
  /** Slugs from the top of the space down to the page. */
  readonly path: string;
}

/** All pages of a tree, each before those below it. */
export function* walk(
  pages: readonly PageRecord[],
  ancestors: readonly PageRecord[] = [],
  above = "",
): Generator<PlacedPage> {
  for (const page of pages) {
    const path = pathBelow(above, page.slug);
    yield { page, ancestors, path };
    if (page.pages.length > 0) yield* walk(page.pages, [...ancestors, page], path);
  }
}

export const pathBelow = (above: string, slug: string) => (above ? `${above}/${slug}` : slug);

export interface ContentIndex {
  readonly pages: ReadonlyMap<string, PlacedPage>;
  readonly paths: ReadonlyMap<string, PlacedPage>;
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly reusableContents: ReadonlyMap<string, ReusableContentRecord>;
}

/** Indexes objects by id, and pages by path as well. Cached, because contents are immutable. */
export const indexOf = recent(8, (content: Content): ContentIndex => {
  const [pages, paths] = [new Map<string, PlacedPage>(), new Map<string, PlacedPage>()];
  for (const placed of walk(content.pages)) {
    pages.set(placed.page.id, placed);
    // If two pages have the same path, it finds the first one.
    if (!paths.has(placed.path)) paths.set(placed.path, placed);
  }
  const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));
  return { pages, paths, files: byId(content.files), reusableContents: byId(content.reusableContents) };
});
