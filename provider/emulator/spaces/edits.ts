import { DocsError } from "../../api/http/errors";
import { newId } from "../store/ids";
import { uniqueSlug } from "../store/slugs";
import { indexOf, type PlacedPage } from "./pages";
import type { Content, PageRecord } from "./record";
import type { ContentEdit, EditKind, EditOf, SeedPage } from "./seed";

/** Returns the edited content; the original is not changed. Throws a DocsError if an edit refers to an unknown object. */
export function applyEdit(content: Content, edit: ContentEdit): Content {
  const [kind, about] = Object.entries(edit)[0] as [EditKind, never];
  return (edits[kind] as Edit<EditKind>)(content, about);
}

type Edit<Kind extends EditKind> = (content: Content, about: EditOf<Kind>) => Content;

const edits: { readonly [Kind in EditKind]: Edit<Kind> } = {
  addPage: (content, { page, under }) => {
    const parent = under === undefined ? undefined : parentAt(content, under, page);
    const made = pagesOf([page], content.pages, parent);
    const { pages } = indexOf(content);
    for (const { id } of made) if (pages.has(id)) throw new DocsError(`page "${id}" already exists`);
    return { ...content, pages: [...content.pages, ...made] };
  },

  editPage: (content, { page: ref, ...settings }) => {
    const { page } = findPage(content, ref);
    if (settings.target && page.type !== "link") throw new DocsError(`page "${ref}" is not a link and has no target`);
    return { ...content, pages: content.pages.map((one) => (one === page ? { ...page, ...settings } : one)) };
  },

  deletePage: (content, { page: ref }) => {
    const { page } = findPage(content, ref);
    const { pages } = indexOf(content);
    const isGone = (one: PageRecord) => one === page || pages.get(one.id)?.ancestors.includes(page);
    return { ...content, pages: content.pages.filter((one) => !isGone(one)) };
  },

  deleteFile: (content, { file }) => {
    if (!indexOf(content).files.has(file)) throw new DocsError(`there is no file "${file}"`);
    return { ...content, files: content.files.filter(({ id }) => id !== file) };
  },

  setVariables: (content, values) => {
    const all = Object.entries({ ...content.variables, ...values });
    const kept = all.filter((pair): pair is [string, string | number | boolean] => pair[1] !== null);
    return { ...content, variables: Object.fromEntries(kept) };
  },
};

/** The page with this id, otherwise the page at this path. */
function findPage(content: Content, ref: string): PlacedPage {
  const { pages, paths } = indexOf(content);
  const found = pages.get(ref) ?? paths.get(ref);
  if (found) return found;
  throw new DocsError(`there is no page "${ref}"`);
}

function parentAt(content: Content, ref: string, { type, title }: SeedPage): string {
  const { page } = findPage(content, ref);
  if (type === "group") throw new DocsError(`group "${title}" must be at the top level`);
  if (page.type === "link") throw new DocsError(`page "${ref}" is a link page and has no pages below it`);
  return page.id;
}

/** Creates pages and those below them, with slugs that are unique among their siblings in `others`. */
export function pagesOf(seeds: readonly SeedPage[], others: readonly PageRecord[] = [], parent?: string): PageRecord[] {
  const slugs = new Set(others.filter((one) => one.parent === parent).map(({ slug }) => slug));
  return seeds.flatMap(({ id = newId("page"), type = "document", slug, markdown = "", pages = [], ...settings }) => {
    const page = { ...settings, id, type, parent, slug: slug ?? uniqueSlug(settings.title, slugs), markdown };
    return [page, ...pagesOf(pages, [], id)];
  });
}
