import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../../scripts/stack";

const page = path.join(root, "docs", "concepts", "start-up.md");
const mark = "<!-- written by npm run bench:preview -->";

/** Writes tables into the page, each in place of the one below a mark. */
export async function writeTables(tables: readonly string[]): Promise<void> {
  const [first = "", ...others] = (await readFile(page, "utf8")).split(`${mark}\n`);
  if (others.length !== tables.length) throw new Error(`${page} has ${others.length} marks, not ${tables.length}`);
  const parts = others.map((text, index) => `${mark}\n${tables[index]}\n${text.replace(/^(.+\n)*/, "")}`);
  await writeFile(page, [first, ...parts].join(""));
}
