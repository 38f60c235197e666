import { posix } from "node:path";
import type { ContentRef } from "../../api/groups/revisions";
import { type ContentIndex, indexOf, type PlacedPage } from "./pages";
import { recent } from "./recent";
import type { Content, FileRecord, ReusableContentRecord } from "./record";

/**
 * Links in content. Markdown links to a page by its path, relative to the linking page or with a leading slash from the top
 * of the space (`[text](../deployment/rollback)`, `.md` is optional), or by its id (`[text](page:ID)`); to a file
 * (`![image](file:ID)`), a space (`space:ID`) or a URL; `{% include "ID" %}` includes reusable content. Covers and targets of
 * link pages are links as well, and so are links in files that have a text. Links inside code are ignored.
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

export type Location =
  | { readonly kind: "page"; readonly placed: PlacedPage }
  | { readonly kind: "reusable-content"; readonly reusable: ReusableContentRecord }
  | { readonly kind: "file"; readonly file: FileRecord };

/** Links of a page, each target once, in the order of first use. Targets in other spaces are not checked here. */
export function linksOf({ page, path }: PlacedPage, content: Content): Link[] {
  const refs = [page.cover?.ref, page.cover?.refDark, page.target];
  const own = refs.flatMap((ref) => (ref ? [linkTo(ref, indexOf(content))] : []));
  return distinct([...own, ...linksIn(page.markdown, path, content)]);
}

function linksIn(markdown: string, path: string, content: Content): Link[] {
  if (!/[[{]/.test(markdown)) return [];
  const index = indexOf(content);
  const text = markdown.replace(code, "");
  const links = [...text.matchAll(linkPattern)].flatMap(([, href = ""]) => linkOf(href, path, index));
  const includes = [...text.matchAll(includePattern)].map(([whole, id = ""]): Link => {
    const target: ContentRef | undefined = index.reusableContents.has(id)
      ? { kind: "reusable-content", reusableContent: id }
      : undefined;
    return { target, text: whole, relation: "dependsOn" };
  });
  return [...links, ...includes];
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
  return decoded(whole.slice(1).replace(/\.md$/, ""));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function linkTo(ref: ContentRef, { pages, files, reusableContents }: ContentIndex, text = JSON.stringify(ref)): Link {
  const gone =
    (ref.kind === "page" && !inAnotherSpace(ref) && !pages.has(ref.page)) ||
    (ref.kind === "file" && !inAnotherSpace(ref) && !files.has(ref.file)) ||
    (ref.kind === "reusable-content" && !inAnotherSpace(ref) && !reusableContents.has(ref.reusableContent));
  return { target: gone ? undefined : ref, text, relation: "reference" };
}

const inAnotherSpace = (ref: { space?: string | undefined }) => ref.space !== undefined;

function distinct(links: readonly Link[]): Link[] {
  return [...new Map(links.map((link) => [link.target ? keyOf(link.target) : link.text, link])).values()];
}

/** A key that does not depend on the order of a target's properties. */
const keyOf = (target: ContentRef) => JSON.stringify(Object.entries(target).sort());

/** Locations in the content that link to one of its pages or files. */
export function linksTo(target: ContentRef, content: Content): readonly Location[] {
  return backlinksOf(content).get(keyOf(target)) ?? [];
}

const backlinksOf = recent(8, backlinksIn);

function backlinksIn(content: Content): ReadonlyMap<string, readonly Location[]> {
  const found = new Map<string, Location[]>();
  const add = (links: readonly Link[], location: Location) => {
    for (const { target } of links) {
      if (!target) continue;
      const there = found.get(keyOf(target));
      if (there) there.push(location);
      else found.set(keyOf(target), [location]);
    }
  };
  for (const placed of indexOf(content).pages.values()) add(linksOf(placed, content), { kind: "page", placed });
  for (const reusable of content.reusableContents) {
    add(distinct(linksIn(reusable.markdown, "", content)), { kind: "reusable-content", reusable });
  }
  for (const file of content.files) add(distinct(linksIn(file.markdown ?? "", "", content)), { kind: "file", file });
  return found;
}
