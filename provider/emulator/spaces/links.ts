import { posix } from "node:path";
import type { ContentRef } from "../../api/groups/revisions";
import { type ContentIndex, indexOf, type PlacedPage } from "./pages";
import type { Content } from "./record";

/**
 * Links of pages. Markdown links to a page by its path, relative to the linking page or with a leading slash from the top
 * of the space (`[text](../deployment/rollback)`, `.md` is optional), or by its id (`[text](page:ID)`); to a file
 * (`![image](file:ID)`), a space (`space:ID`) or a URL; `{% include "ID" %}` includes reusable content. Targets of
 * link pages are links as well. Links inside code are ignored.
 */

/** A Markdown link or image: its target. */
const linkPattern = /!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const includePattern = /\{%\s*include\s+"([^"]+)"\s*%\}/g;
const code = /(`{3,})[\s\S]*?\1|`[^`\n]*`/g;

export interface Link {
  /** Target of the link; `undefined` if it does not exist or the link is malformed. */
  readonly target: ContentRef | undefined;
  /** The link as written; identifies broken links. */
  readonly text: string;
  readonly relation: "reference" | "dependsOn";
}

/** Links of a page, each target once, in the order of first use. Targets in other spaces are not checked here. */
export function linksOf({ page, path }: PlacedPage, content: Content): Link[] {
  const index = indexOf(content);
  const own = page.target ? [linkTo(page.target, index)] : [];
  const text = page.markdown.replace(code, "");
  const links = [...text.matchAll(linkPattern)].flatMap(([, href = ""]) => linkOf(href, path, index));
  const includes = [...text.matchAll(includePattern)].map(([whole, id = ""]): Link => {
    return { ...linkTo({ kind: "reusable-content", reusableContent: id }, index, whole), relation: "dependsOn" };
  });
  const all = [...own, ...links, ...includes];
  return [...new Map(all.map((link) => [link.target ? keyOf(link.target) : link.text, link])).values()];
}

/** A key that does not depend on the order of a target's properties. */
const keyOf = (target: ContentRef) => JSON.stringify(Object.entries(target).sort());

/** Pages of the content that link to one of its pages or files. */
export function pagesLinkingTo(target: ContentRef, content: Content): PlacedPage[] {
  const key = keyOf(target);
  const isLinked = (placed: PlacedPage) =>
    linksOf(placed, content).some((link) => link.target !== undefined && keyOf(link.target) === key);
  return [...indexOf(content).pages.values()].filter(isLinked);
}

function linkOf(href: string, path: string, index: ContentIndex): Link[] {
  if (href.startsWith("#")) return [];
  const [, scheme = "", rest = ""] = /^([a-z][a-z\d+.-]*):(.+)$/i.exec(href) ?? [];
  if (scheme === "page") return [linkTo({ kind: "page", page: rest }, index, href)];
  if (scheme === "file") return [linkTo({ kind: "file", file: rest }, index, href)];
  if (scheme === "space") return [linkTo({ kind: "space", space: rest }, index, href)];
  if (scheme !== "") {
    const usable = href.length <= 2048 && URL.canParse(href);
    return [{ target: usable ? { kind: "url", url: href } : undefined, text: href, relation: "reference" }];
  }
  const found = index.paths.get(pathOf(href, path));
  return [{ target: found && { kind: "page", page: found.page.id }, text: href, relation: "reference" }];
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

/** Whether a target in this space exists. */
function exists(ref: ContentRef, { pages, files, reusableContents }: ContentIndex): boolean {
  if ("space" in ref && ref.space !== undefined) return true;
  if (ref.kind === "page") return pages.has(ref.page);
  if (ref.kind === "file") return files.has(ref.file);
  return ref.kind !== "reusable-content" || reusableContents.has(ref.reusableContent);
}
