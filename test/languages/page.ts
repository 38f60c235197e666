import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/stack";

/** What a section of a page tells the reader to write and to run. */
export interface Section {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}

/** A file is a block below its name (`Pulumi.yaml`:), and commands are blocks of sh. */
export function sectionOf(page: string, title: string): Section {
  const text = readFileSync(path.join(root, "docs", page), "utf8");
  const [, section = ""] = text.split(new RegExp(`^## ${title}$`, "m"));
  const [body = ""] = section.split(/^## /m);
  const blocks = [...body.matchAll(/(?:^`([^`]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)];
  const files = blocks.flatMap(([, name, , content = ""]) => (name === undefined ? [] : [[name, content]]));
  const commands = blocks.flatMap(([, , language, content = ""]) => (language === "sh" ? [content] : []));
  if (files.length + commands.length === 0)
    throw new Error(`docs/${page} has no section "${title}" with files or commands`);
  return { files: Object.fromEntries(files), commands };
}
