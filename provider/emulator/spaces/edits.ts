import { z } from "zod";
import { contentRef } from "../../api/groups/revisions";
import { DocsError } from "../../api/http/errors";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { id, ownId } from "../seed/fields";
import { newId, uniqueSlug } from "../store/ids";
import type { State } from "../store/state";
import { indexOf, type PageRecord, type PlacedPage, type SpaceContent, type SpaceRecord } from "./record";
import { commitToChangeRequest, commitToSpace, contentOf, findChangeRequest, primaryContent } from "./revisions";

/** Pages of a seed, and edits of content like those of the service's user interface: no operation of the API document makes them. */

export const title = z.string().min(1).describe("Title.");

/** Settings of a page that edits may set as well. */
const pageSettings = {
  slug: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^/]+$/, "a slug without a slash")
    .optional()
    .describe("Last part of the page's path, 1 to 100 characters; derived from the title by default."),
  markdown: z.string().optional().describe("Body of a document page."),
  description: z.string().optional().describe("Description below the title."),
  emoji: z.string().max(50).optional().describe("Emoji before the title, such as `1f4d6`."),
  hidden: z.boolean().optional().describe("Whether the page is left out of the table of contents; default: false."),
  target: contentRef.optional().describe("Target of a link page."),
};

const pageFields = {
  id: ownId("the page"),
  type: z.enum(["document", "group", "link"]).optional().describe("Type of the page, default `document`."),
  title,
  ...pageSettings,
};

export interface SeedPage extends z.input<typeof withoutPages> {
  pages?: SeedPage[] | undefined;
}
const withoutPages = z.strictObject(pageFields);

export const seedPage: z.ZodType<SeedPage, SeedPage> = z
  .strictObject({
    ...pageFields,
    get pages() {
      return z.array(seedPage).optional().describe("Pages below this one.");
    },
  })
  .refine(({ type, target }) => (type === "link") === (target !== undefined), {
    path: ["target"],
    error: "a page of type link needs it, and no other page has it",
  })
  .refine(({ type, pages = [] }) => type !== "link" || pages.length === 0, {
    path: ["pages"],
    error: "a page of type link has no pages below it",
  })
  .refine(({ pages = [] }) => pages.every((inner) => inner.type !== "group"), {
    path: ["pages"],
    error: "a group must be at the top level",
  });

const pageRef = z.string().min(1).describe("Id or path of a page.");
const edit = z
  .strictObject({
    addPage: z.strictObject({ page: seedPage, under: pageRef.optional() }).optional(),
    editPage: z.strictObject({ page: pageRef, title: title.optional(), ...pageSettings }).optional(),
    deletePage: z.strictObject({ page: pageRef }).optional(),
    deleteFile: z.strictObject({ file: id }).optional(),
    setVariables: z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean(), z.null()])).optional(),
  })
  .refine((kinds) => Object.keys(kinds).length === 1, {
    error: "use exactly one of addPage, editPage, deletePage, deleteFile and setVariables",
  });
/** One change of content: exactly one of these, because two would have no order. `setVariables` removes variables by null. */
export type ContentEdit = z.input<typeof edit>;
export const contentEdits = z.array(edit);

type EditOf<Kind extends keyof ContentEdit> = (
  content: SpaceContent,
  about: NonNullable<ContentEdit[Kind]>,
) => SpaceContent;

/** Returns the edited content; the original is not changed. Throws a DocsError if an edit refers to an unknown object. */
export function applyEdit(content: SpaceContent, edit: ContentEdit): SpaceContent {
  const [kind, about] = Object.entries(edit)[0] as [keyof ContentEdit, never];
  return (edits[kind] as EditOf<typeof kind>)(content, about);
}

const edits: { readonly [Kind in keyof ContentEdit]-?: EditOf<Kind> } = {
  addPage: (content, { page, under }) => {
    const parent = under === undefined ? undefined : parentAt(content, under, page);
    const newPages = pagesOf([page], content.pages, parent);
    const { pages } = indexOf(content);
    for (const { id } of newPages) if (pages.has(id)) throw new DocsError(`page "${id}" already exists`);
    return { ...content, pages: [...content.pages, ...newPages] };
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
    const remaining = all.filter((pair): pair is [string, string | number | boolean] => pair[1] !== null);
    return { ...content, variables: Object.fromEntries(remaining) };
  },
};

/** The page with this id, otherwise the page at this path. */
function findPage(content: SpaceContent, ref: string): PlacedPage {
  const { pages, paths } = indexOf(content);
  const placed = pages.get(ref) ?? paths.get(ref);
  if (placed) return placed;
  throw new DocsError(`there is no page "${ref}"`);
}

function parentAt(content: SpaceContent, ref: string, { type, title }: SeedPage): string {
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

/** Edits the primary content of a space in one new revision. Throws a DocsError and changes nothing if an edit is invalid. */
export function editSpace(state: State, spaceId: string, edits: readonly ContentEdit[]): void {
  const space = spaceIn(state, spaceId);
  commitToSpace(space, applyEdits(primaryContent(space), edits), new Date().toISOString());
}

/** Edits a change request (id or number) like its creator, in one new revision. Throws a DocsError and changes nothing if an edit is invalid. */
export function editChangeRequest(
  state: State,
  { space: spaceId, changeRequest: ref }: { readonly space: string; readonly changeRequest: string | number },
  edits: readonly ContentEdit[],
): void {
  const space = spaceIn(state, spaceId);
  const changeRequest = findChangeRequest(space, String(ref));
  if (!changeRequest) throw new DocsError(`space "${spaceId}" has no change request "${ref}"`);
  if (changeRequest.status === "merged") throw new DocsError(`change request "${ref}" is merged; edit another one`);
  const content = applyEdits(contentOf({ space, changeRequest }), edits);
  commitToChangeRequest(space, changeRequest, content, new Date().toISOString());
}

function spaceIn({ organizations }: State, id: string): SpaceRecord {
  for (const { spaces } of organizations.values()) {
    const space = spaces.get(id);
    if (space) return space;
  }
  throw new DocsError(`there is no space "${id}"`);
}

function applyEdits(content: SpaceContent, edits: readonly ContentEdit[]): SpaceContent {
  const wrong = mistakesIn(contentEdits, edits);
  if (wrong.length > 0) throw new DocsError(`the edits have mistakes: ${inOneLine(wrong)}`);
  return edits.reduce(applyEdit, content);
}
