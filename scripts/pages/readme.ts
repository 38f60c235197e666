import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Block, blocksOf, readPage } from "./page";
import { Terminal } from "./terminal";

const page = "README.md";
const mark = "<!-- written by npm run readme -->\n```text\n";

/** The organization of the first page, and the commands that manage it. */
export function trial(): { file: Block; review: Block; commands: Block } {
  const blocks = blocksOf(page);
  const file = blocks.find((block) => block.file === "organization.yaml");
  const review = blocks.find(({ language }) => language === "text");
  const commands = blocks.find(({ section }) => section === "Try it");
  if (!file || !review || !commands) throw new Error(`${page} needs organization.yaml, its review and the commands`);
  return { file, review, commands };
}

/** The page with the review that its file has now. */
export async function readmeWithReview(): Promise<string> {
  const { file, commands } = trial();
  const start = commands.content.replace(/^npx docs-org (?!emulate)[\s\S]*/m, "");
  const terminal = await Terminal.open();
  try {
    await terminal.follow([file, { ...commands, content: `${start}npx docs-org preview > review.txt\n` }]);
    const review = await readFile(path.join(terminal.folder, "review.txt"), "utf8");
    const [before, after = ""] = readPage(page).split(mark);
    return `${before}${mark}${review}${after.slice(after.indexOf("```"))}`;
  } finally {
    await terminal.close();
  }
}
