import { readFile } from "node:fs/promises";
import path from "node:path";
import { blocksOf, type PageBlock, readPage } from "./page";
import { Terminal } from "./terminal";

const page = "README.md";
const mark = "<!-- written by npm run readme -->\n```text\n";

/** The organization of the first page and the commands that manage it, and its program; each with its review. */
export function trial() {
  const blocks = blocksOf(page);
  const file = blocks.find((block) => block.file === "organization.yaml");
  const [review, programReview] = blocks.filter(({ language }) => language === "text");
  const commands = blocks.find(({ section }) => section === "Try it");
  const [code, preview] = blocks.filter(({ section }) => section === "A program");
  if (!file || !review || !commands || !code || !preview || !programReview)
    throw new Error(`${page} needs organization.yaml and a program, their reviews and the commands`);
  const project = blocksOf("docs/getting-started.md").filter(({ file: name = "" }) =>
    /^(Pulumi|tsconfig)\./.test(name),
  );
  const stack = { ...commands, content: `${startOf(commands)}pulumi stack init dev\n` };
  return { file, review, commands, program: [...project, code, stack, preview], programReview };
}

/** The commands that start the emulator. */
const startOf = ({ content }: PageBlock): string => content.replace(/^npx docs-org (?!emulate)[\s\S]*/m, "");

/** The page with the reviews that its file and its program have now. */
export async function readmeWithReview(): Promise<string> {
  const { file, commands, program } = trial();
  const preview = { ...commands, content: `${startOf(commands)}npx docs-org preview > review.txt\n` };
  const last = program.at(-1) as PageBlock;
  const written = { ...last, content: last.content.replace("\n", " > review.txt\n") };
  const reviews = [await reviewAfter([file, preview]), await reviewAfter([...program.slice(0, -1), written])];
  const [before, ...parts] = readPage(page).split(mark);
  return [before, ...parts.map((part, nth) => `${reviews[nth]}${part.slice(part.indexOf("```"))}`)].join(mark);
}

async function reviewAfter(blocks: readonly PageBlock[]): Promise<string> {
  const terminal = await Terminal.open();
  try {
    await terminal.follow(blocks);
    const review = await readFile(path.join(terminal.folder, "review.txt"), "utf8");
    // The time and the address are other ones each time.
    return review.replace(/\ndocs-org .*\n$/, "");
  } finally {
    await terminal.close();
  }
}
