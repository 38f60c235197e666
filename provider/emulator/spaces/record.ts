import type { ChangeRequestStatus } from "../../api/groups/change-requests";
import type { ContentRef, File, ReusableContent, Variables } from "../../api/groups/revisions";
import type { RichText } from "../../api/groups/shared";

/**
 * Content of a space at one point in time. It is immutable: an edit creates a new one that shares all unchanged pages, so a
 * revision costs little more than its changes.
 */
export interface SpaceContent {
  /** Pages of all levels; siblings are in their order. */
  readonly pages: readonly PageRecord[];
  readonly files: readonly FileRecord[];
  readonly reusableContents: readonly ReusableContentRecord[];
  readonly variables: Variables;
}

export interface PageRecord {
  readonly id: string;
  /** Id of the page above it; `undefined` at the top level. */
  readonly parent: string | undefined;
  readonly type: "document" | "group" | "link";
  readonly title: string;
  readonly slug: string;
  /** Body of a document page; for the syntax of links see content/links.ts. */
  readonly markdown: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly target?: ContentRef | undefined;
}

export type FileRecord = Readonly<Pick<File, "id" | "name" | "contentType" | "size">>;
export type ReusableContentRecord = Readonly<Pick<ReusableContent, "id" | "title">>;

export interface RevisionRecord {
  readonly id: string;
  readonly parents: readonly string[];
  readonly type: "edits" | "merge" | "update";
  /** Id of the change request whose merge created the revision. */
  readonly mergedFrom?: string | undefined;
  readonly createdAt: string;
  readonly content: SpaceContent;
}

export interface ChangeRequestRecord {
  readonly id: string;
  /** Number of the change request, increasing within the space. */
  readonly number: number;
  readonly sequence: number;
  status: ChangeRequestStatus;
  subject: string;
  description?: RichText | undefined;
  /** Id of a user, who may have left the organization or may never have been a member. */
  readonly createdBy: string;
  readonly createdAt: string;
  updatedAt: string;
  revision: string;
  readonly revisionInitial: string;
  revisionMergedAncestor?: string | undefined;
  revisionMerged?: string | undefined;
  /** Revision that the last merge brought into the space: the base of a further merge or update. */
  mergedContent?: string | undefined;
  mergedBy?: string | undefined;
  mergedAt?: string | undefined;
  /** Number of open comments. */
  comments: number;
  /** Ids of the users who changed the content. */
  contributors: string[];
  requestedReviewers: string[];
  conversationsIssuesCluster?: string | undefined;
}

export interface SpaceRecord {
  readonly id: string;
  readonly sequence: number;
  title: string;
  emoji: string;
  readonly createdAt: string;
  updatedAt: string;
  /** Id of the current revision of its primary content. */
  revision: string;
  readonly revisions: Map<string, RevisionRecord>;
  readonly changeRequests: Map<string, ChangeRequestRecord>;
  lastNumber: number;
}

export interface PlacedPage {
  readonly page: PageRecord;
  /** Pages above it, from the top. */
  readonly ancestors: readonly PageRecord[];
  /** Slugs from the top of the space down to the page. */
  readonly path: string;
  readonly below: readonly PlacedPage[];
}

export interface ContentIndex {
  readonly top: readonly PlacedPage[];
  /** All pages by id, each before those below it. */
  readonly pages: ReadonlyMap<string, PlacedPage>;
  readonly paths: ReadonlyMap<string, PlacedPage>;
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly reusableContents: ReadonlyMap<string, ReusableContentRecord>;
}

const indexes = new WeakMap<SpaceContent, ContentIndex>();

/** Indexes objects by id, and pages by path as well. Kept, because contents are immutable. */
export function indexOf(content: SpaceContent): ContentIndex {
  const cached = indexes.get(content);
  if (cached) return cached;
  const pages = new Map<string, PlacedPage>();
  const top = placePages(content, pages);
  // Of two pages with the same path, the first one counts: reversed, it is the last entry and stays.
  const paths = new Map([...pages.values()].reverse().map((placed) => [placed.path, placed]));
  const index = { top, pages, paths, files: byId(content.files), reusableContents: byId(content.reusableContents) };
  indexes.set(content, index);
  return index;
}

export const byId = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

/** Places all pages of the content, and adds them to `placed`. */
function placePages(content: SpaceContent, placed: Map<string, PlacedPage>): PlacedPage[] {
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
