import { extname } from "node:path";
import { newId } from "../store/ids";
import { uniqueSlug } from "../store/slugs";
import type { Content, FileRecord, PageRecord, ReusableContentRecord } from "./record";
import type { SeedContent, SeedFile, SeedPage, SeedReusableContent } from "./seed";

/** Creates records from a seed or an edit. */

export function contentOf(seed: SeedContent, at: string): Content {
  return {
    pages: pagesOf(seed.pages ?? [], at),
    files: (seed.files ?? []).map(fileOf),
    reusableContents: (seed.reusableContents ?? []).map(reusableContentOf),
    variables: seed.variables ?? {},
  };
}

/** Creates pages with slugs that are unique among `siblings`. */
export function pagesOf(seeds: readonly SeedPage[], at: string, siblings: readonly PageRecord[] = []): PageRecord[] {
  const slugs = new Set(siblings.map(({ slug }) => slug));
  return seeds.map(({ id = newId("page"), type = "document", slug, markdown = "", pages = [], ...settings }) => ({
    ...settings,
    id,
    type,
    slug: slug ?? uniqueSlug(settings.title, slugs),
    markdown,
    createdAt: at,
    updatedAt: at,
    pages: pagesOf(pages, at),
  }));
}

export function fileOf({
  id = newId("file"),
  name,
  contentType,
  size = 1024,
  dimensions,
  markdown,
}: SeedFile): FileRecord {
  return { id, name, contentType: contentType ?? contentTypeOf(name), size, dimensions, markdown };
}

const contentTypes: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".svg": "image/svg+xml",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".yaml": "application/yaml",
  ".txt": "text/plain",
};

function contentTypeOf(name: string): string {
  return contentTypes[extname(name).toLowerCase()] ?? "application/octet-stream";
}

export function reusableContentOf(seed: SeedReusableContent): ReusableContentRecord {
  const { id = newId("reusable"), title, markdown = "", computed } = seed;
  return { id, title, markdown, computed };
}
