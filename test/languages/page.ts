import path from "node:path";
import { blocksOf } from "../../scripts/pages/page";

/** What a section of a page tells the reader to write and to run. */
export interface Section {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}

export function sectionOf(page: string, title: string): Section {
  const blocks = blocksOf(path.posix.join("docs", page)).filter(({ section }) => section === title);
  const files = blocks.flatMap(({ file, content }) => (file === undefined ? [] : [[file, content]]));
  const commands = blocks.flatMap(({ language, content }) => (language === "sh" ? [content] : []));
  if (files.length + commands.length === 0)
    throw new Error(`docs/${page} has no section "${title}" with files or commands`);
  return { files: Object.fromEntries(files), commands };
}
