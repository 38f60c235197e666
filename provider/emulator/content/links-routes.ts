import type { Reference } from "../../api/groups/content-references";
import type { ContentRef } from "../../api/groups/revisions";
import { Refusal } from "../http/errors";
import { pageOf } from "../http/paging";
import type { Routes } from "../http/route";
import { organizationAnswer } from "../organizations/answer";
import { spaceAnswer } from "../spaces/answer";
import { type Link, linksOf, pagesLinkingTo } from "../spaces/links";
import { indexOf, type PlacedPage } from "../spaces/pages";
import { baseOf, revisionOf } from "../spaces/revisions";
import { appUrl } from "../store/service";
import { fileAnswer, pageAnswer, reusableContentAnswer, revisionAnswer } from "./answer";
import { type ChangeRequestPlace, type ContentCall, contentPlace, fileOf, pageIn } from "./routes";

/** Links of pages, and backlinks of pages and files. Removed in version 0.202. */
export const contentLinkRoutes = {
  listFileBacklinks: (call) => {
    const place = linkPlace(call);
    return backlinks(call, place, { kind: "file", file: fileOf(call, place).id });
  },

  listPageBacklinks: (call) => {
    const place = linkPlace(call);
    return backlinks(call, place, { kind: "page", page: pageIn(call, place).page.id });
  },

  listPageLinks: (call) => {
    const place = linkPlace(call);
    const placed = pageIn(call, place);
    const links = linksOf(placed, place.content);
    const location = pageReference(place, placed);
    return {
      ...pageOf(call, { ...listing(links), item: ({ record }) => linkItem(place, record, location) }),
      stats: statsOf(place, placed.page.id, links),
    };
  },
} satisfies Partial<Routes>;

interface LinkPlace extends ChangeRequestPlace {
  /** Properties that each reference into the content has. */
  readonly inSpace: ReturnType<typeof inSpaceOf>;
}

function linkPlace(call: ContentCall): LinkPlace {
  const { version } = call.service;
  if (version === "0.202") throw new Refusal(404, `there is no such operation in version ${version}`);
  const place = contentPlace(call);
  return { ...place, inSpace: inSpaceOf(place) };
}

function inSpaceOf(place: ChangeRequestPlace) {
  const { space, changeRequest } = place;
  const revision = revisionAnswer(place, revisionOf(space, changeRequest.revision));
  const versionContext = { type: "revision" as const, revision };
  return { organization: organizationAnswer(place), space: spaceAnswer(place, space), versionContext };
}

/** Sorted as in the content, which is immutable. */
function listing<Record>(all: readonly Record[]) {
  const records = all.map((record, index) => ({ record, index }));
  return { records, key: ({ index }: { index: number }) => [index] };
}

type ListCall = Parameters<typeof pageOf>[0];

function backlinks(call: ListCall, place: LinkPlace, target: ContentRef) {
  return pageOf(call, {
    ...listing(pagesLinkingTo(target, place.content)),
    item: ({ record }) => pageReference(place, record),
  });
}

function linkItem(place: LinkPlace, link: Link, location: Reference) {
  const targetReference = link.target && targetAnswer(place, link.target);
  const status = statusOf(place, link);
  return { status, relation: link.relation, targetReference, locationReferences: [location] };
}

function statusOf({ organization }: ChangeRequestPlace, { target }: Link) {
  if (!target) return "broken";
  if ("space" in target && target.space !== undefined && !organization.spaces.has(target.space)) return "broken";
  return target.kind === "url" && target.url.startsWith(`${appUrl}/`) ? "in-app" : "ok";
}

/** Counts the links, the broken ones, and those that the change request broke or added. */
function statsOf(place: ChangeRequestPlace, pageId: string, links: readonly Link[]) {
  const broken = brokenIn(place, links);
  const base = revisionOf(place.space, baseOf(place.changeRequest)).content;
  const before = indexOf(base).pages.get(pageId);
  const earlier = new Set(before && brokenIn(place, linksOf(before, base)));
  const own = broken.filter((text) => !earlier.has(text));
  return { total: links.length, broken: { total: broken.length, changeRequest: own.length } };
}

function brokenIn(place: ChangeRequestPlace, links: readonly Link[]): string[] {
  return links.filter((link) => statusOf(place, link) === "broken").map(({ text }) => text);
}

function pageReference(place: LinkPlace, placed: PlacedPage): Reference {
  return { kind: "page", ...place.inSpace, page: pageAnswer(place, placed) };
}

/** The target of a link; `undefined` if it is not in this content. */
function targetAnswer(place: LinkPlace, target: ContentRef): Reference | undefined {
  const { inSpace } = place;
  const { pages, files, reusableContents } = indexOf(place.content);
  if (target.kind === "url") return target;
  if (target.kind === "page") {
    const placed = pages.get(target.page);
    return placed && pageReference(place, placed);
  }
  if (target.kind === "file") {
    const file = files.get(target.file);
    return file && { kind: "file", ...inSpace, file: fileAnswer(place, file) };
  }
  if (target.kind === "reusable-content") {
    const reusable = reusableContents.get(target.reusableContent);
    return reusable && { kind: "reusable-content", ...inSpace, reusableContent: reusableContentAnswer(reusable) };
  }
  if (target.kind !== "space") return undefined;
  const space = place.organization.spaces.get(target.space);
  return space && { kind: "space", organization: organizationAnswer(place), space: spaceAnswer(place, space) };
}
