import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/stack";

/** The files that a recipe in CONTRIBUTING.md names. */
export interface Recipe {
  readonly byHand: readonly string[];
  readonly generated: readonly string[];
}

/** The recipe under a heading: its numbered files are written by hand, and those of the list behind them are generated. */
export async function readRecipe(title: string): Promise<Recipe> {
  const text = await readFile(path.join(root, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = text.split(`### ${title}\n`);
  const [own = ""] = section.split(/^##/m);
  const files = (pattern: RegExp) => [...own.matchAll(pattern)].map(([, file = ""]) => file);
  return { byHand: files(/^\d+\. `([^`]+)`:/gm), generated: files(/^- `([^`]+)`$/gm) };
}

/** Files that are not copied: installed, generated or temporary ones. */
const left = ["node_modules", "dist", ".git", ".stacks"];

/** A copy of the sources to which a recipe is applied. */
export class Copy {
  private constructor(readonly folder: string) {}

  static async create(): Promise<Copy> {
    const folder = await mkdtemp(path.join(tmpdir(), "docs-org-recipe-"));
    await cp(root, folder, { recursive: true, filter: (file) => !left.includes(path.relative(root, file)) });
    const installed = path.join(root, "node_modules");
    await mkdir(path.join(folder, "node_modules"));
    // The cache of the tests belongs to the original sources.
    for (const name of (await readdir(installed)).filter((name) => name !== ".cache")) {
      await symlink(path.join(installed, name), path.join(folder, "node_modules", name));
    }
    return new Copy(folder);
  }

  /** Writes a file of the recipe by hand: a new one, or lines behind the one that begins as the first line says. */
  async write(file: string, text: string): Promise<void> {
    const place = path.join(this.folder, file);
    const [first = "", ...lines] = text.split("\n");
    const anchor = /^after: (.*)$/.exec(first)?.[1];
    await writeFile(place, anchor === undefined ? text : inserted(await readFile(place, "utf8"), anchor, lines));
  }

  /** Paths of the files that differ from the sources. */
  async changed(): Promise<string[]> {
    const files = (await readdir(this.folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .filter((file) => !left.includes(file.split(path.sep)[0] ?? ""));
    const differs = async (file: string) => {
      const [copied, own] = await Promise.all(
        [this.folder, root].map((folder) => readFile(path.join(folder, file)).catch(() => undefined)),
      );
      return own === undefined || copied?.equals(own) === false;
    };
    const found = await Promise.all(files.map(async (file) => ((await differs(file)) ? [file] : [])));
    return found.flat().sort();
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

function inserted(text: string, anchor: string, lines: readonly string[]): string {
  const all = text.split("\n");
  const index = all.findIndex((line) => line.startsWith(anchor));
  if (index < 0) throw new Error(`no line begins with ${anchor}`);
  return all.toSpliced(index + 1, 0, ...lines.filter((line) => line !== "")).join("\n");
}
