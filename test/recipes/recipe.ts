import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/stack";
import { nodeOptions } from "../support/engine-node";

const run = promisify(execFile);

/** The files that a recipe in CONTRIBUTING.md names. */
export interface Recipe {
  readonly byHand: readonly string[];
  readonly generated: readonly string[];
}

/** The recipe under a heading: its numbered files are written by hand, and those of the list after them are generated. */
export async function readRecipe(title: string): Promise<Recipe> {
  const text = await readFile(path.join(root, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = text.split(`### ${title}\n`);
  const [own = ""] = section.split(/^##/m);
  const files = (pattern: RegExp) => [...own.matchAll(pattern)].map(([, file = ""]) => file);
  return { byHand: files(/^\d+\. `([^`]+)`:/gm), generated: files(/^- `([^`]+)`$/gm) };
}

/** Files that are not copied: installed, generated or temporary ones. */
const notCopied = ["node_modules", "dist", ".git", ".stacks"];

/** As `check:types` in package.json names it. */
const types = "node_modules/.cache/pulumi-docs-org/types.tsbuildinfo";

/** A copy of the sources to which a recipe is applied. */
export class Copy {
  private constructor(readonly folder: string) {}

  static async create(): Promise<Copy> {
    const folder = await mkdtemp(path.join(tmpdir(), "docs-org-recipe-"));
    await cp(root, folder, { recursive: true, filter: (file) => !notCopied.includes(path.relative(root, file)) });
    const installed = path.join(root, "node_modules");
    await mkdir(path.join(folder, "node_modules"));
    for (const name of (await readdir(installed)).filter((name) => name !== ".cache")) {
      await symlink(path.join(installed, name), path.join(folder, "node_modules", name));
    }
    // The compiler finds the package that examples import by its name.
    await symlink(path.join(root, "dist"), path.join(folder, "dist"));
    return new Copy(folder);
  }

  /** Writes the files of a recipe that are written by hand, from a folder of texts, in the format of the project. `nameOf` puts a name for NAME. */
  async follow({ byHand }: Recipe, texts: string, nameOf: (file: string) => string): Promise<void> {
    for (const file of byHand) {
      const text = await readFile(path.join(__dirname, texts, `${file}.txt`), "utf8");
      await this.write(nameOf(file), text);
    }
    await this.node("node_modules/@biomejs/biome/bin/biome", "check", "--write", ...byHand.map(nameOf));
  }

  /** Checks the types of all sources; if `npm run check` has run by now, only of those that a recipe has changed. */
  async checkTypes() {
    await mkdir(path.join(this.folder, path.dirname(types)), { recursive: true });
    await copyFile(path.join(root, types), path.join(this.folder, types)).catch(() => undefined);
    // So that packages, and the compiler's own types, have the same places as in the original.
    const compiler = ["--preserve-symlinks", "--preserve-symlinks-main", "node_modules/typescript/bin/tsc"];
    return this.node(...compiler, "--incremental", "--tsBuildInfoFile", types, "--preserveSymlinks");
  }

  /** Runs a script of the copy; an error shows what it printed. */
  node(...args: string[]) {
    const options = { cwd: this.folder, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 2 ** 26 };
    return run(process.execPath, [...nodeOptions, ...args], options).catch((error) => {
      throw new Error(`${args.join(" ")}\n${error.stdout}\n${error.stderr}`, { cause: error });
    });
  }

  /** A new file, or lines to insert: each `after:` names the beginning of the line that they follow. */
  private async write(file: string, text: string): Promise<void> {
    const place = path.join(this.folder, file);
    if (!text.startsWith("after: ")) return writeFile(place, text);
    let content = await readFile(place, "utf8");
    for (const part of text.split(/^after: /m).slice(1)) {
      const [anchor = "", ...lines] = part.split("\n");
      content = inserted(content, anchor, lines);
    }
    await writeFile(place, content);
  }

  /** The content of each file, by its path. */
  async files(): Promise<Map<string, string>> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .filter((file) => !notCopied.includes(file.split(path.sep)[0] ?? ""));
    const read = async (file: string) => [file, await readFile(path.join(this.folder, file), "latin1")] as const;
    return new Map(await Promise.all(files.map(read)));
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
