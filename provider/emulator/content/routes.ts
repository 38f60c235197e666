import type { Endpoints } from "../../api/endpoints";
import { changeRequestAnswer } from "../change-requests/answer";
import { changeRequestOf, spaceOf } from "../change-requests/routes";
import { existing, notFound } from "../http/errors";
import { pageOf } from "../http/paging";
import type { PathCall, RouteCall, Routes } from "../http/route";
import { indexOf, type PlacedPage } from "../spaces/pages";
import type { ChangeRequestRecord } from "../spaces/record";
import { baseOf, revisionOf } from "../spaces/revisions";
import { richTextOf } from "../spaces/rich-text";
import type { Place } from "../store/service";
import {
  type ContentPlace,
  downloadUrl,
  fileAnswer,
  pageAnswer,
  pagesAnswer,
  reusableContentAnswer,
  revisionAnswer,
} from "./answer";
import { changesBetween } from "./changes";

/** Content of a change request: its active revision, and the changes in it. */
export const contentRoutes = {
  getContent: (call) => {
    const place = contentPlace(call);
    return revisionAnswer(place, revisionOf(place.space, place.changeRequest.revision));
  },

  listContentPages: (call) => ({ pages: pagesAnswer(contentPlace(call)) }),

  listContentFiles: (call) => {
    const place = contentPlace(call);
    // Files have no sort key but their index, which is stable because contents are immutable.
    const records = place.content.files.map((file, index) => ({ file, index }));
    return pageOf(call, { records, key: ({ index }) => [index], item: ({ file }) => fileAnswer(place, file) });
  },

  getContentFile: (call) => {
    const place = contentPlace(call);
    return fileAnswer(place, fileOf(call, place));
  },

  getContentPage: (call) => {
    const place = contentPlace(call);
    return pageWithBody(place, pageIn(call, place), call);
  },

  getContentPageByPath: (call) => {
    const place = contentPlace(call);
    const found = indexOf(place.content).paths.get(call.path.pagePath);
    const page = found && pageWithBody(place, found, call);
    // Link pages have no path of their own.
    if (page?.type === "document" || page?.type === "group") return page;
    throw notFound("page at path", call.path.pagePath);
  },

  getReusableContent: (call) => {
    const { content } = contentPlace(call);
    const { reusableContentId: id } = call.path;
    return reusableContentAnswer(existing(indexOf(content).reusableContents.get(id), "reusable content", id));
  },

  listChanges: (call) => {
    const { limit = 10 } = call.query;
    const place = contentPlace(call);
    const { changeRequest, space, content } = place;
    const base = revisionOf(space, baseOf(changeRequest)).content;
    const changes = [...changesBetween(base, content, (file) => downloadUrl(place, file))];
    return {
      changes: changes.slice(0, limit),
      more: Math.max(0, changes.length - limit),
      ...(changeRequest.status === "merged" && { mergedFrom: changeRequestAnswer(place, changeRequest) }),
    };
  },
} satisfies Partial<Routes>;

export type ContentCall = Place & PathCall<"spaceId" | "changeRequestId">;

export interface ChangeRequestPlace extends ContentPlace {
  readonly changeRequest: ChangeRequestRecord;
}

/** The content of the change request in the path. */
export function contentPlace(call: ContentCall): ChangeRequestPlace {
  const { organization, service } = call;
  const space = spaceOf(call);
  const changeRequest = changeRequestOf(call, space);
  const { content } = revisionOf(space, changeRequest.revision);
  return { organization, service, space, changeRequest, content };
}

export const fileOf = ({ path }: Pick<PathCall<"fileId">, "path">, { content }: ContentPlace) =>
  existing(indexOf(content).files.get(path.fileId), "file", path.fileId);

export const pageIn = ({ path }: Pick<PathCall<"pageId">, "path">, { content }: ContentPlace): PlacedPage =>
  existing(indexOf(content).pages.get(path.pageId), "page", path.pageId);

type PageCall = RouteCall<Endpoints["getContentPage"] | Endpoints["getContentPageByPath"]>;

function pageWithBody(place: ContentPlace, placed: PlacedPage, { query }: PageCall) {
  const { format } = query;
  const { markdown } = placed.page;
  if (format === undefined) return pageAnswer(place, placed);
  return pageAnswer(place, placed, format === "markdown" ? { markdown } : { document: richTextOf(markdown) });
}
