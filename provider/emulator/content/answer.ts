import type {
  DocumentPage,
  File,
  Layout,
  NestedPage,
  Page,
  ReusableContent,
  Revision,
} from "../../api/groups/revisions";
import { changeRequestAnswer, type SpacePlace } from "../change-requests/answer";
import { bug } from "../http/errors";
import { indexOf, type PlacedPage } from "../spaces/pages";
import type { Content, FileRecord, ReusableContentRecord, RevisionRecord } from "../spaces/record";
import { appUrl, type Version } from "../store/service";

/** The content to answer. */
export interface ContentPlace extends SpacePlace {
  readonly content: Content;
}

type Body = Pick<DocumentPage, "markdown" | "document">;

export function revisionAnswer(place: ContentPlace, revision: RevisionRecord): Revision {
  const { content, space, service } = place;
  const answer = {
    object: "revision" as const,
    id: revision.id,
    parents: [...revision.parents],
    pages: pagesAnswer(place),
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

export function pagesAnswer(place: ContentPlace): Page[] {
  return indexOf(place.content).top.map((placed) => pageAnswer(place, placed));
}

/** Answers a page and the pages below it; only the page itself has a body, if one was requested. */
export function pageAnswer(place: ContentPlace, { page, path, below }: PlacedPage, body?: Body): Page {
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

const usualLayout: Layout = {
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

const layoutIn = (version: Version): Layout => ({ ...usualLayout, ...(version === "0.202" && newerLayout) });

export function fileAnswer(place: ContentPlace, file: FileRecord): File {
  return { ...file, downloadURL: downloadUrl(place, file) };
}

export function downloadUrl({ space }: SpacePlace, { id, name }: FileRecord): string {
  return `https://files.docs.example/${space.id}/${id}/${encodeURIComponent(name)}`;
}

export function reusableContentAnswer({ id, title }: ReusableContentRecord): ReusableContent {
  return { id, title, document: `document_${id}` };
}
