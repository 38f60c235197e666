import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { guardSettings } from "../../provider/organization/guards/guards";
import { blocksOf, type PageBlock, pagesIn, proseOf, readPage } from "../../scripts/pages/page";
import { root } from "../../scripts/stack";
import { findUnfollowed } from "./journeys";

/** What people write by hand; the reference is generated. */
const written = pagesIn("README.md", "docs").filter((page) => !page.startsWith("docs/reference/"));
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The items of lists, without the items below them. */
const itemsOf = (page: string): string[] =>
  proseOf(page)
    .split("\n")
    .flatMap((line) => /^\s*(?:-|\d+\.) (.*)$/.exec(line)?.[1] ?? []);

describe("pages", () => {
  it("begin with one that is read in a minute", () => {
    expect(readPage("README.md").split("\n").length - 1).toBeLessThanOrEqual(120);
  });

  it.each([...written, "CHANGELOG.md"])("have no list item of more than 40 words: %s", (page) => {
    expect(itemsOf(page).filter((item) => wordsIn(item) > 40)).toEqual([]);
  });

  it("mark what no test runs, with the reason", () => {
    const skipped = pagesIn("README.md", "docs")
      .flatMap((page) => blocksOf(page))
      .filter(({ notRun }) => notRun);
    const texts = skipped.map(({ page, section, notRun }: PageBlock) => `${page}, ${section}: ${notRun}`);
    expect(texts).toEqual([
      "README.md, Work on it: a clone of the whole repository",
      "docs/guides/reviews-in-ci.md, In another CI system: a job of GitLab",
    ]);
  });
});

describe("commands of pages", () => {
  it("are followed by a test, all of them", () => {
    expect(findUnfollowed()).toEqual([]);
  });
});

describe("the page of the emulator", () => {
  it("says of every property of a seed what it is", () => {
    const rows = readPage("docs/reference/emulator.md").match(/^\| `.*$/gm) ?? [];
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
  });
});

describe("the table of guards", () => {
  it("has every guard of the file", () => {
    const rows = readPage("docs/guides/guards-and-grants.md").match(/^\| `.*$/gm) ?? [];
    const named = rows.flatMap((row) => row.split(" | ")[0]?.match(/(?<=`)\w+/g) ?? []);
    expect(named).toEqual(expect.arrayContaining(Object.keys(guardSettings.shape)));
  });
});

describe("tables of resources", () => {
  it.each(["docs/concepts/destroy.md", "docs/permissions.md"])("have every resource: %s", (page) => {
    const named = [...readPage(page).matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell = ""]) =>
      cell.match(/\w+/g),
    );
    expect([...new Set(named)].sort()).toEqual(Object.keys(definitions).sort());
  });

  it("name onRelease at exactly the resources that have it", () => {
    const rows = readPage("docs/concepts/destroy.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const withOption = Object.values(definitions).filter(({ inputs }) => "onRelease" in inputs.shape);
    const said = rows.filter((row) => row.includes("`onRelease")).flatMap((row) => row.split(" | ")[0]?.match(/\w+/g));
    expect(said.sort()).toEqual(withOption.map(({ name }) => name).sort());
  });
});

describe("troubleshooting", () => {
  const sources = sourcesIn("provider");
  const messages = [...readPage("docs/troubleshooting.md").matchAll(/^## `(.+)`$/gm)].map(
    ([, message = ""]) => message,
  );

  it.each(messages)("quotes a message of the product: %s", (message) => {
    const parts = message.split("…").map((part) => part.trim());
    const found = sources.some((text) => parts.every((part) => text.includes(part)));
    expect(found).toBe(true);
  });

  it("has at least twenty errors", () => expect(messages.length).toBeGreaterThanOrEqual(20));
});

function sourcesIn(folder: string): string[] {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts"));
  // Long messages are written as several texts, one after another.
  return sources.map((file) => readFileSync(path.join(root, folder, file), "utf8").replace(/["`] \+\s+["`]/g, ""));
}
