import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pagesIn, proseOf, readPage } from "../../scripts/pages/page";
import { root } from "../../scripts/stack";

const pages = pagesIn();
const withoutCode = (page: string): string => proseOf(page).replace(/`[^`\n]*`/g, "code");

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const titles = [...proseOf(page).matchAll(/^#+ +(.+)$/gm)].map(([, title = ""]) =>
    title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"),
  );
  const slugs = titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(slugs.map((slug, at) => unique(slug, slugs.slice(0, at))));
}

const unique = (slug: string, before: readonly string[]): string => {
  const count = before.filter((one) => one === slug).length;
  return count === 0 ? slug : `${slug}-${count}`;
};

/** What is wrong with a link from a page to a file of the repository. */
function mistakeIn(page: string, link: string): string | undefined {
  const [place = "", anchor] = link.split("#");
  const target = place === "" ? page : path.join(path.dirname(page), decodeURI(place));
  if (!existsSync(path.join(root, target))) return `${page}: ${link} does not exist`;
  if (anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor)) return undefined;
  return `${page}: ${target} has no heading #${anchor}`;
}

describe("links", () => {
  it("lead to files and headings that exist", () => {
    const checked = pages.flatMap((page) => {
      const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => mistakeIn(page, link));
    });
    expect(checked.filter(Boolean)).toEqual([]);
    expect(checked.length).toBeGreaterThan(150);
  });

  it("reach every page of the documentation from its index", () => {
    const reached = new Set(["docs/README.md"]);
    for (const page of reached)
      for (const [, link = ""] of readPage(page).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g))
        if (!/^[a-z]+:/.test(link)) reached.add(path.join(path.dirname(page), link));
    expect(pagesIn("docs").filter((page) => !reached.has(page))).toEqual([]);
  });
});
