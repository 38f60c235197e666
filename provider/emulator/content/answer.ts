import { createHash } from "node:crypto";
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
import { type PlacedPage, pathBelow } from "../spaces/pages";
import type { Content, FileRecord, PageRecord, ReusableContentRecord, RevisionRecord } from "../spaces/record";
import { appUrl, type Version } from "../store/service";
import { pathFrom } from "../store/slugs";

/** The content to answer, and options of the answer. */
export interface ContentPlace extends SpacePlace {
  readonly content: Content;
  /** False omits git metadata. */
  readonly metadata?: boolean | undefined;
  /** False answers the source of computed content. */
  readonly computed?: boolean | undefined;
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
    reusableContents: content.reusableContents.map((one) => reusableContentAnswer(place, one)),
    variables: content.variables,
    createdAt: revision.createdAt,
    git: gitOfRevision(place, revision),
    urls: { app: `${appUrl}/s/${space.id}/~/revisions/${revision.id}` },
    ...newerTags(service.version),
  };
  if (revision.type !== "merge") return { ...answer, type: revision.type };
  const source = space.changeRequests.get(revision.mergedFrom ?? "");
  if (!source) throw bug(`revision "${revision.id}" was merged from change request "${revision.mergedFrom}"`);
  return { ...answer, type: "merge", mergedFrom: changeRequestAnswer(place, source) };
}

function gitOfRevision({ space, metadata }: ContentPlace, { id, type }: RevisionRecord): Revision["git"] {
  const { gitSync } = space;
  if (!gitSync || metadata === false) return undefined;
  const oid = hash(id);
  const { url, branch } = gitSync;
  return { oid, message: `Revision of type ${type}`, createdByService: true, url: `${url}/commit/${oid}`, ref: branch };
}

export function pagesAnswer(place: ContentPlace): Page[] {
  return place.content.pages.map((page) => pageAnswer(place, { page, path: page.slug }));
}

/** Answers a page and the pages below it; only the page itself has a body, if one was requested. */
export function pageAnswer(place: ContentPlace, { page, path }: Pick<PlacedPage, "page" | "path">, body?: Body): Page {
  const common = {
    id: page.id,
    title: page.title,
    emoji: page.emoji,
    icon: page.icon,
    hidden: page.hidden,
    noIndex: page.noIndex,
    noRobotsIndex: page.noRobotsIndex,
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    git: gitOf(place, page, `${path}.md`),
  };
  const { type, computed } = page;
  if (type === "link") return { ...common, type, kind: "link", target: required(page, "target") };
  if (type === "computed" && place.computed === false) {
    return { ...common, type, computed: required(page, "computed"), computedSeed: versionOf(page) };
  }
  const below = page.pages.map((one) => pageAnswer(place, { page: one, path: pathBelow(path, one.slug) }));
  const urls = { app: `${appUrl}/s/${place.space.id}/${path.split("/").map(encodeURIComponent).join("/")}` };
  const addressed = { ...common, slug: page.slug, path, urls, pages: below as NestedPage[] };
  if (type === "group") return { ...addressed, type, kind: "group" };
  return {
    ...addressed,
    type: "document",
    kind: "sheet",
    description: page.description,
    layout: layoutOf(page, place.service.version),
    cover: page.cover && { yPos: 0, height: 240, ...page.cover },
    variables: page.variables,
    ...(computed && { computed, computedSeed: versionOf(page) }),
    ...(body ?? { documentId: `document_${versionOf(page)}` }),
    ...newerTags(place.service.version),
  };
}

function required<Name extends "target" | "computed">(page: PageRecord, name: Name): NonNullable<PageRecord[Name]> {
  const value = page[name];
  if (value === undefined) throw bug(`page "${page.id}" is of type ${page.type} and has no ${name}`);
  return value;
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

function layoutOf({ layout }: PageRecord, version: Version): Layout {
  return { ...usualLayout, ...(version === "0.202" && newerLayout), ...layout };
}

export function fileAnswer(place: ContentPlace, file: FileRecord): File {
  const { id, name, contentType, size, dimensions } = file;
  const downloadURL = downloadUrl(place, file);
  return { id, name, contentType, size, dimensions, downloadURL, git: gitOf(place, file, `.assets/${name}`) };
}

export function downloadUrl({ space }: SpacePlace, { id, name }: FileRecord): string {
  return `https://files.docs.example/${space.id}/${id}/${encodeURIComponent(name)}`;
}

export function reusableContentAnswer(place: ContentPlace, record: ReusableContentRecord): ReusableContent {
  const { id, title, computed } = record;
  const version = versionOf(record);
  const source = computed ? { computed, computedSeed: version } : { document: `document_${version}` };
  return { id, title, ...source, git: gitOf(place, record, `.includes/${pathFrom(title)}.md`) };
}

type Versioned = PageRecord | FileRecord | ReusableContentRecord;

function gitOf({ space, metadata }: ContentPlace, record: Versioned, path: string) {
  return space.gitSync && metadata !== false ? { oid: versionOf(record), path } : undefined;
}

const versions = new WeakMap<Versioned, string>();

/** A hash that changes with the record itself, not with the pages below it. */
function versionOf(record: Versioned): string {
  const known = versions.get(record);
  if (known) return known;
  const version = hash(JSON.stringify({ ...record, pages: undefined, createdAt: undefined, updatedAt: undefined }));
  versions.set(record, version);
  return version;
}

const hash = (text: string) => createHash("sha1").update(text).digest("hex");
