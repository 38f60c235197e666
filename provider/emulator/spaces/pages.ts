import type { Content, FileRecord, PageRecord, ReusableContentRecord } from "./record";

/** Places and indexes the pages of a content. */

export interface PlacedPage {
  readonly page: PageRecord;
  /** Pages above it, from the top. */
  readonly ancestors: readonly PageRecord[];
  /** Slugs from the top of the space down to the page. */
  readonly path: string;
  readonly below: readonly PlacedPage[];
}

export interface ContentIndex {
  /** The pages at the top level. */
  readonly top: readonly PlacedPage[];
  /** All pages by id, each before those below it. */
  readonly pages: ReadonlyMap<string, PlacedPage>;
  readonly paths: ReadonlyMap<string, PlacedPage>;
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly reusableContents: ReadonlyMap<string, ReusableContentRecord>;
}

const indexes = new WeakMap<Content, ContentIndex>();

/** Indexes objects by id, and pages by path as well. Kept, because contents are immutable. */
export function indexOf(content: Content): ContentIndex {
  const known = indexes.get(content);
  if (known) return known;
  const pages = new Map<string, PlacedPage>();
  const top = placePages(content, pages);
  // If two pages have the same path, it finds the first one.
  const paths = new Map([...pages.values()].reverse().map((placed) => [placed.path, placed]));
  const index = { top, pages, paths, files: byId(content.files), reusableContents: byId(content.reusableContents) };
  indexes.set(content, index);
  return index;
}

export const byId = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

/** Places all pages of the content, and adds them to `placed`. */
function placePages(content: Content, placed: Map<string, PlacedPage>): PlacedPage[] {
  const children = new Map<string | undefined, PageRecord[]>();
  for (const page of content.pages) {
    const siblings = children.get(page.parent);
    if (siblings) siblings.push(page);
    else children.set(page.parent, [page]);
  }
  const placeChildren = (parent: string | undefined, ancestors: readonly PageRecord[], above: string): PlacedPage[] =>
    (children.get(parent) ?? []).map((page) => {
      const below: PlacedPage[] = [];
      const path = `${above}${page.slug}`;
      const one = { page, ancestors, path, below };
      placed.set(page.id, one);
      below.push(...placeChildren(page.id, [...ancestors, page], `${path}/`));
      return one;
    });
  return placeChildren(undefined, [], "");
}
