import { DocsError } from "../../api/http/errors";
import { pagesOf } from "./making";
import { indexOf, type PlacedPage, walk } from "./pages";
import type { Content, PageRecord } from "./record";
import type { ContentEdit, EditKind, EditOf } from "./seed";

/** Returns the edited content; the original is not changed. Throws a DocsError if an edit refers to an unknown object. */
export function applyEdit(content: Content, edit: ContentEdit, at: string): Content {
  const [kind, about] = Object.entries(edit)[0] as [EditKind, never];
  return (edits[kind] as Edit<EditKind>)(content, about, at);
}

type Edit<Kind extends EditKind> = (content: Content, about: EditOf<Kind>, at: string) => Content;

const edits: { readonly [Kind in EditKind]: Edit<Kind> } = {
  addPage: (content, { page, under = null, after }, at) => {
    const chain = chainTo(content, under);
    const [made] = pagesOf([page], at, siblingsBelow(content, chain)) as [PageRecord];
    refuseKnownIds(content, made);
    return insertPage(content, made, chain, after);
  },

  editPage: (content, { page: ref, ...settings }, at) => {
    const { page, ancestors } = findPage(content, ref);
    if (settings.target && page.type !== "link") throw new DocsError(`page "${ref}" is not a link and has no target`);
    if (settings.computed && page.type !== "computed") throw new DocsError(`page "${ref}" is not computed`);
    const changed = { ...page, ...settings, updatedAt: at };
    return withSiblings(content, ancestors, (pages) => pages.map((one) => (one.id === page.id ? changed : one)));
  },

  movePage: (content, { page: ref, under, after }) => {
    const { page, ancestors } = findPage(content, ref);
    const chain = under === undefined ? ancestors : chainTo(content, under);
    if (chain.includes(page)) throw new DocsError(`page "${ref}" cannot be moved below itself`);
    const rest = removePage(content, page, ancestors);
    // Looked up again: the removal may have replaced the records of the pages above.
    return insertPage(rest, page, chainTo(rest, chain.at(-1)?.id ?? null), after);
  },

  deletePage: (content, { page: ref }) => {
    const { page, ancestors } = findPage(content, ref);
    return removePage(content, page, ancestors);
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

/** The page and all pages above it, from the top; empty for the top level. */
function chainTo(content: Content, ref: string | null): readonly PageRecord[] {
  if (ref === null) return [];
  const { page, ancestors } = findPage(content, ref);
  if (page.type === "document" || page.type === "group") return [...ancestors, page];
  throw new DocsError(`page "${ref}" is a ${page.type} page and has no pages below it`);
}

const siblingsBelow = (content: Content, chain: readonly PageRecord[]) => chain.at(-1)?.pages ?? content.pages;

function insertPage(
  content: Content,
  page: PageRecord,
  chain: readonly PageRecord[],
  after: string | null | undefined,
): Content {
  if (page.type === "group" && chain.length > 0) throw new DocsError(`group "${page.title}" must be at the top level`);
  const siblings = siblingsBelow(content, chain);
  const index = after === undefined ? siblings.length : after === null ? 0 : indexAfter(content, siblings, after);
  return withSiblings(content, chain, (pages) => [...pages.slice(0, index), page, ...pages.slice(index)]);
}

function indexAfter(content: Content, siblings: readonly PageRecord[], ref: string): number {
  const index = siblings.indexOf(findPage(content, ref).page);
  if (index >= 0) return index + 1;
  throw new DocsError(`page "${ref}" is not on this level`);
}

function removePage(content: Content, page: PageRecord, ancestors: readonly PageRecord[]): Content {
  return withSiblings(content, ancestors, (pages) => pages.filter((one) => one.id !== page.id));
}

/** Changes the pages below a chain of pages; only the pages of the chain get new records. */
function withSiblings(
  content: Content,
  chain: readonly PageRecord[],
  change: (pages: readonly PageRecord[]) => readonly PageRecord[],
): Content {
  const below = (pages: readonly PageRecord[], depth: number): readonly PageRecord[] => {
    const next = chain[depth];
    if (!next) return change(pages);
    return pages.map((page) => (page.id === next.id ? { ...page, pages: below(page.pages, depth + 1) } : page));
  };
  return { ...content, pages: below(content.pages, 0) };
}

function refuseKnownIds(content: Content, page: PageRecord): void {
  const { pages } = indexOf(content);
  for (const { page: one } of walk([page])) {
    if (pages.has(one.id)) throw new DocsError(`page "${one.id}" already exists`);
  }
}
