import { posix } from "node:path";
import type { Reference } from "../../api/groups/content";
import type { ContentRef } from "../../api/groups/revisions";
import { Refusal } from "../http/errors";
import { byIndex, type ListCall, pageOf } from "../http/paging";
import type { PathObjects, Routes } from "../http/route";
import { organizationAnswer, spaceAnswer } from "../spaces/answer";
import { type ContentIndex, indexOf, type PlacedPage, type SpaceContent } from "../spaces/record";
import { baseOf, contentOf, revisionOf } from "../spaces/revisions";
import { appUrl, type RecordContext } from "../store/service";
import { fileAnswer, pageAnswer, reusableContentAnswer, revisionAnswer } from "./routes";

/** Links of pages, and backlinks of pages and files. Removed in version 0.202. */
export const contentLinkRoutes = {
  listFileBacklinks: (call) => backlinks(call, { kind: "file", file: call.file.id }),

  listPageBacklinks: (call) => backlinks(call, { kind: "page", page: call.page.page.id }),

  listPageLinks: (call) => {
    refuseNewer(call);
    const links = linksOf(call.page, contentOf(call));
    const location = pageReference(call, call.page);
    return {
      ...pageOf(call, { records: links, key: byIndex, item: (link) => linkItem(call, link, location) }),
      stats: statsOf(call, call.page.page.id, links),
    };
  },
} satisfies Partial<Routes>;

type ChangeRequestPlace = RecordContext & Pick<PathObjects, "space" | "changeRequest">;

function refuseNewer({ service: { version } }: RecordContext): void {
  if (version === "0.202") throw new Refusal(404, `there is no such operation in version ${version}`);
}

function inSpaceOf(place: ChangeRequestPlace) {
  const { space, changeRequest } = place;
  const revision = revisionAnswer(place, revisionOf(space, changeRequest.revision));
  const versionContext = { type: "revision" as const, revision };
  return { organization: organizationAnswer(place), space: spaceAnswer(place, space), versionContext };
}

function backlinks(call: ListCall & ChangeRequestPlace, target: ContentRef) {
  refuseNewer(call);
  const records = pagesLinkingTo(target, contentOf(call));
  return pageOf(call, { records, key: byIndex, item: (placed) => pageReference(call, placed) });
}

function linkItem(place: ChangeRequestPlace, link: Link, location: Reference) {
  const targetReference = link.target && targetAnswer(place, link.target);
  const status = statusOf(place, link);
  return { status, relation: link.relation, targetReference, locationReferences: [location] };
}

function statusOf({ organization }: ChangeRequestPlace, { target }: Link) {
  if (!target) return "broken";
  if ("space" in target && target.space !== undefined && !organization.spaces.has(target.space)) return "broken";
  return target.kind === "url" && target.url.startsWith(`${appUrl}/`) ? "in-app" : "ok";
}

/** Counts the links, the broken ones, and the broken ones that are not broken in the change request's base. */
function statsOf(place: ChangeRequestPlace, pageId: string, links: readonly Link[]) {
  const broken = brokenIn(place, links);
  const base = revisionOf(place.space, baseOf(place.changeRequest)).content;
  const before = indexOf(base).pages.get(pageId);
  const brokenBefore = new Set(before && brokenIn(place, linksOf(before, base)));
  const newlyBroken = broken.filter((text) => !brokenBefore.has(text));
  return { total: links.length, broken: { total: broken.length, changeRequest: newlyBroken.length } };
}

function brokenIn(place: ChangeRequestPlace, links: readonly Link[]): string[] {
  return links.filter((link) => statusOf(place, link) === "broken").map(({ text }) => text);
}

function pageReference(place: ChangeRequestPlace, placed: PlacedPage): Reference {
  return { kind: "page", ...inSpaceOf(place), page: pageAnswer(place, placed) };
}

/** The target of a link; `undefined` if it is not in this content. */
function targetAnswer(place: ChangeRequestPlace, target: ContentRef): Reference | undefined {
  const { pages, files, reusableContents } = indexOf(contentOf(place));
  if (target.kind === "url") return target;
  if (target.kind === "page") {
    const placed = pages.get(target.page);
    return placed && pageReference(place, placed);
  }
  if (target.kind === "file") {
    const file = files.get(target.file);
    return file && { kind: "file", ...inSpaceOf(place), file: fileAnswer(place, file) };
  }
  if (target.kind === "reusable-content") {
    const reusable = reusableContents.get(target.reusableContent);
    return (
      reusable && { kind: "reusable-content", ...inSpaceOf(place), reusableContent: reusableContentAnswer(reusable) }
    );
  }
  if (target.kind !== "space") return undefined;
  const space = place.organization.spaces.get(target.space);
  return space && { kind: "space", organization: organizationAnswer(place), space: spaceAnswer(place, space) };
}

/**
 * Links of pages. Markdown links to a page by its path (`[text](../deployment/rollback)`, `.md` is optional) or id
 * (`[text](page:ID)`), to a file (`![image](file:ID)`), a space (`space:ID`) or a URL. A path is relative to the linking page, or
 * begins with a slash at the top of the space. `{% include "ID" %}` includes reusable content. Targets of link pages are links as
 * well. Links inside code are ignored.
 */

const linkPattern = /!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const includePattern = /\{%\s*include\s+"([^"]+)"\s*%\}/g;
const code = /(`{3,})[\s\S]*?\1|`[^`\n]*`/g;

interface Link {
  /** Target of the link; `undefined` if it does not exist or the link is malformed. */
  readonly target: ContentRef | undefined;
  /** The link as written; identifies broken links. */
  readonly text: string;
  readonly relation: "reference" | "dependsOn";
}

/** Links of a page, each target once, in the order of first use. `statusOf` checks targets in other spaces. */
function linksOf({ page, path }: PlacedPage, content: SpaceContent): Link[] {
  const index = indexOf(content);
  const targets = page.target ? [linkTo(page.target, index)] : [];
  const text = page.markdown.replace(code, "");
  const hrefs = [...text.matchAll(linkPattern)].map(([, href = ""]) => href);
  const links = hrefs.filter((href) => !href.startsWith("#")).map((href) => linkOf(href, path, index));
  const includes = [...text.matchAll(includePattern)].map(([whole, id = ""]): Link => {
    return { ...linkTo({ kind: "reusable-content", reusableContent: id }, index, whole), relation: "dependsOn" };
  });
  const all = [...targets, ...links, ...includes];
  return [...new Map(all.map((link) => [link.target ? keyOf(link.target) : link.text, link])).values()];
}

/** A key that does not depend on the order of a target's properties. */
const keyOf = (target: ContentRef) => JSON.stringify(Object.entries(target).sort());

function pagesLinkingTo(target: ContentRef, content: SpaceContent): PlacedPage[] {
  const key = keyOf(target);
  const isLinked = (placed: PlacedPage) =>
    linksOf(placed, content).some((link) => link.target !== undefined && keyOf(link.target) === key);
  return [...indexOf(content).pages.values()].filter(isLinked);
}

function linkOf(href: string, path: string, index: ContentIndex): Link {
  const [, scheme = "", rest = ""] = /^([a-z][a-z\d+.-]*):(.+)$/i.exec(href) ?? [];
  if (scheme === "page") return linkTo({ kind: "page", page: rest }, index, href);
  if (scheme === "file") return linkTo({ kind: "file", file: rest }, index, href);
  if (scheme === "space") return linkTo({ kind: "space", space: rest }, index, href);
  if (scheme !== "") {
    const isUsable = href.length <= 2048 && URL.canParse(href);
    return { target: isUsable ? { kind: "url", url: href } : undefined, text: href, relation: "reference" };
  }
  const placed = index.paths.get(pathOf(href, path));
  return { target: placed && { kind: "page", page: placed.page.id }, text: href, relation: "reference" };
}

/** Resolves a relative link on the page at `from` to the path of a page. */
function pathOf(href: string, from: string): string {
  const [plain = ""] = href.split(/[?#]/, 1);
  const whole = plain.startsWith("/") ? posix.normalize(plain) : posix.join("/", posix.dirname(from), plain);
  return whole.slice(1).replace(/\.md$/, "");
}

function linkTo(ref: ContentRef, index: ContentIndex, text = JSON.stringify(ref)): Link {
  return { target: exists(ref, index) ? ref : undefined, text, relation: "reference" };
}

function exists(ref: ContentRef, { pages, files, reusableContents }: ContentIndex): boolean {
  if ("space" in ref && ref.space !== undefined) return true;
  if (ref.kind === "page") return pages.has(ref.page);
  if (ref.kind === "file") return files.has(ref.file);
  if (ref.kind === "reusable-content") return reusableContents.has(ref.reusableContent);
  return true;
}
