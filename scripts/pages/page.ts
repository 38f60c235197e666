import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../stack";

/** A fenced block of a page. */
export interface PageBlock {
  readonly page: string;
  /** The heading above it. */
  readonly section: string;
  readonly language: string;
  readonly content: string;
  /** Number of the line of its fence. */
  readonly line: number;
  /** The file that it is, if the line above it names one. */
  readonly file?: string;
  /** Why no test runs it, from `<!-- not run: ... -->` above it. */
  readonly notRun?: string;
}

export const readPage = (page: string): string => readFileSync(path.join(root, page), "utf8");

/** Pages that people write and read, below these folders or of these names. */
export function pagesIn(...places: string[]): string[] {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...places];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\n");
  return files.filter((file) => file.endsWith(".md")).sort();
}

/** A page without what it shows in fences. */
export const proseOf = (page: string): string => readPage(page).replace(/^( *)```[\s\S]*?^\1```/gm, "");

/** Everything that a page shows in fences, in its order. */
export function blocksOf(page: string): PageBlock[] {
  const blocks: PageBlock[] = [];
  const lines = readPage(page).split("\n");
  let section = "";
  for (let at = 0; at < lines.length; at++) {
    section = /^#+ (.*)$/.exec(lines[at] ?? "")?.[1] ?? section;
    const [, indent = "", language] = /^( *)```(\w*)/.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`${page}:${at + 1}: the block has no end`);
    const content = lines.slice(at + 1, end).map((line) => `${line.slice(indent.length)}\n`);
    const above = lines.slice(0, at).filter(Boolean).at(-1) ?? "";
    blocks.push({ page, section, language, content: content.join(""), line: at + 1, ...marksIn(above, language) });
    at = end;
  }
  return blocks;
}

/** What the line above a block says of it: the name of its file, and a comment for the tests. */
function marksIn(above: string, language: string): Pick<PageBlock, "file" | "notRun"> {
  const notRun = /^ *<!-- not run: (.+) -->$/.exec(above)?.[1];
  const named = [...above.matchAll(/`([\w./-]+\.\w+)`/g)];
  const file = named.length === 1 && !["sh", "text"].includes(language) ? named[0]?.[1] : undefined;
  return { ...(file === undefined ? {} : { file }), ...(notRun === undefined ? {} : { notRun }) };
}
