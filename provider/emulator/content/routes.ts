import { isDeepStrictEqual } from "node:util";
import type { Endpoints } from "../../api/endpoints";
import type {
  ContentPage,
  DocumentPage,
  File,
  NestedPage,
  ReusableContent,
  Revision,
} from "../../api/groups/revisions";
import type { SemanticChange } from "../../api/groups/semantic-changes";
import { changeRequestAnswer, type SpacePlace } from "../change-requests/routes";
import { bug, notFound } from "../http/errors";
import { byIndex, pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import {
  type FileRecord,
  indexOf,
  type PlacedPage,
  type ReusableContentRecord,
  type RevisionRecord,
  type SpaceContent,
} from "../spaces/record";
import { baseOf, contentOf, revisionOf } from "../spaces/revisions";
import { parseMarkdown } from "../spaces/rich-text";
import { appUrl, type Version } from "../store/service";

/** Content of a change request: its active revision, and the changes in it. */
export const contentRoutes = {
  getContent: (call) => revisionAnswer(call, revisionOf(call.space, call.changeRequest.revision)),

  listContentPages: (call) => ({ pages: pagesAnswer(call, contentOf(call)) }),

  listContentFiles: (call) =>
    pageOf(call, { records: contentOf(call).files, key: byIndex, item: (file) => fileAnswer(call, file) }),

  getContentFile: (call) => fileAnswer(call, call.file),

  getContentPage: (call) => pageWithBody(call, call.page, call.query),

  getContentPageByPath: (call) => {
    const placed = indexOf(contentOf(call)).paths.get(call.path.pagePath);
    const page = placed && pageWithBody(call, placed, call.query);
    // Link pages have no path of their own.
    if (page?.type === "document" || page?.type === "group") return page;
    throw notFound("page at path", call.path.pagePath);
  },

  getReusableContent: ({ reusableContent }) => reusableContentAnswer(reusableContent),

  listChanges: (call) => {
    const { changeRequest, space } = call;
    const { limit = 10 } = call.query;
    const base = revisionOf(space, baseOf(changeRequest)).content;
    const changes = [...changesBetween(base, contentOf(call), (file) => downloadUrl(call, file))];
    return {
      changes: changes.slice(0, limit),
      more: Math.max(0, changes.length - limit),
      ...(changeRequest.status === "merged" && { mergedFrom: changeRequestAnswer(call, changeRequest) }),
    };
  },
} satisfies Partial<Routes>;

type PageQuery = RouteCall<Endpoints["getContentPage"]>["query"];

function pageWithBody(place: SpacePlace, placed: PlacedPage, { format }: PageQuery) {
  const { markdown } = placed.page;
  if (format === undefined) return pageAnswer(place, placed);
  return pageAnswer(place, placed, format === "markdown" ? { markdown } : { document: parseMarkdown(markdown) });
}

type PageInfo = Extract<SemanticChange, { type: "page_created" }>["page"];
type Attributes = Extract<SemanticChange, { type: "page_edited" }>["attributes"];

/** Yields the differences between two contents: pages in their order, then deleted pages, deleted files and variables. */
function* changesBetween(
  before: SpaceContent,
  after: SpaceContent,
  urlOf: (file: FileRecord) => string,
): Generator<SemanticChange> {
  const [was, is] = [indexOf(before), indexOf(after)];
  for (const [id, placed] of is.pages) {
    const earlier = was.pages.get(id);
    const page = pageInfo(placed);
    const attributes = earlier && differences(earlier.page, placed.page);
    if (!earlier) yield { type: "page_created", page };
    else if (attributes) yield { type: "page_edited", page, attributes };
  }
  for (const [id, placed] of was.pages) if (!is.pages.has(id)) yield { type: "page_deleted", page: pageInfo(placed) };
  for (const file of before.files) {
    const { id, name, contentType } = file;
    if (is.files.has(id)) continue;
    yield { type: "file_deleted", file: { id, name, contentType, downloadURL: urlOf(file) } };
  }
  const variables = differences(before.variables, after.variables);
  if (variables) yield { type: "variables_edited", attributes: variables };
}

function pageInfo({ page: { id, type, title }, path }: PlacedPage): PageInfo {
  return { id, type, title, path };
}

/** Properties that differ, with their values before and after; `undefined` if none does. */
function differences(before: object, after: object): Attributes | undefined {
  if (before === after) return undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const pairs = names.flatMap((name): [string, Attributes[string]][] => {
    const [was, is] = [Reflect.get(before, name), Reflect.get(after, name)];
    if (isDeepStrictEqual(was, is)) return [];
    return [[name, { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

type Body = Pick<DocumentPage, "markdown" | "document">;

export function revisionAnswer(place: SpacePlace, revision: RevisionRecord): Revision {
  const { space, service } = place;
  const { content } = revision;
  const answer = {
    object: "revision" as const,
    id: revision.id,
    parents: [...revision.parents],
    pages: pagesAnswer(place, content),
    files: content.files.map((file) => fileAnswer(place, file)),
    reusableContents: content.reusableContents.map(reusableContentAnswer),
    variables: content.variables,
    createdAt: revision.createdAt,
    urls: { app: `${appUrl}/s/${space.id}/~/revisions/${revision.id}` },
    ...newerTags(service.version),
  };
  if (revision.type !== "merge") return { ...answer, type: revision.type };
  const source = space.changeRequests.get(revision.mergedFrom ?? "");
  if (!source) throw bug(`revision "${revision.id}" was merged from change request "${revision.mergedFrom}"`);
  return { ...answer, type: "merge", mergedFrom: changeRequestAnswer(place, source) };
}

export function pagesAnswer(place: SpacePlace, content: SpaceContent): ContentPage[] {
  return indexOf(content).top.map((placed) => pageAnswer(place, placed));
}

/** Answers a page and the pages below it; only the page itself has a body, if one was requested. */
export function pageAnswer(place: SpacePlace, { page, path, below }: PlacedPage, body?: Body): ContentPage {
  const { id, type, title, emoji, hidden, slug, description, target } = page;
  const common = { id, title, emoji, hidden };
  if (type === "link") {
    if (!target) throw bug(`page "${id}" is a link without a target`);
    return { ...common, type, kind: "link", target };
  }
  const pages = below.map((one) => pageAnswer(place, one)) as NestedPage[];
  const urls = { app: `${appUrl}/s/${place.space.id}/${path.split("/").map(encodeURIComponent).join("/")}` };
  const addressed = { ...common, slug, path, urls, pages };
  if (type === "group") return { ...addressed, type, kind: "group" };
  return {
    ...addressed,
    type,
    kind: "sheet",
    description,
    layout: layoutIn(place.service.version),
    ...(body ?? { documentId: `document_${id}` }),
    ...newerTags(place.service.version),
  };
}

const newerTags = (version: Version) => (version === "0.202" ? { tags: [] } : {});

const usualLayout = {
  width: "default",
  cover: true,
  coverSize: "hero",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};
const newerLayout = { coverMask: "none", tags: true, actions: true, anchors: true };

const layoutIn = (version: Version) => ({ ...usualLayout, ...(version === "0.202" && newerLayout) });

export function fileAnswer(place: SpacePlace, file: FileRecord): File {
  return { ...file, downloadURL: downloadUrl(place, file) };
}

export function downloadUrl({ space }: SpacePlace, { id, name }: FileRecord): string {
  return `https://files.docs.example/${space.id}/${id}/${encodeURIComponent(name)}`;
}

export function reusableContentAnswer({ id, title }: ReusableContentRecord): ReusableContent {
  return { id, title, document: `document_${id}` };
}
