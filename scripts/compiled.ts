import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "./stack";

const cache = path.join(root, "node_modules", ".cache", "pulumi-docs-org");
const stamp = path.join(cache, "compiled");

const run = promisify(execFile);
/** The sources of what is built, and the folders of the results. */
const places = [
  "provider",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts/declarations.mjs",
  "scripts/bundle.mjs",
  "dist",
  "plugin",
];

/** Compiles provider/ into dist/ and bundles the plugin, unless all are unchanged since the last time: compiling takes longer than most tests. */
export async function compile(): Promise<void> {
  const last = await readFile(stamp, "utf8").catch(() => "");
  if (last === (await state())) return;
  console.error("compiling the package and its plugin, which takes about ten seconds");
  await run("npm", ["run", "build"], { cwd: root });
}

/** The last step of `npm run build`: notes the sources and the results, so that `compile` knows whether they have changed. */
export async function record(): Promise<void> {
  await mkdir(cache, { recursive: true });
  await writeFile(stamp, await state());
}

/** A text that changes with the name, size or time of any of the files. */
async function state(): Promise<string> {
  const hash = createHash("sha256");
  for (const place of places) {
    for (const file of await filesIn(path.join(root, place))) {
      const { size, mtimeMs } = await stat(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

async function filesIn(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found?.isDirectory()) return found ? [place] : [];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
