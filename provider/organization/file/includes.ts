import { join } from "node:path";
import picomatch from "picomatch";
import { DocsError } from "../../api/http/errors";
import type { Folder } from "./folder";

/** Limits of one pattern: folder entries that it may search, and files that it may match. */
const limits = { entries: 20_000, files: 1_000 };

const syntax = "use a path with /, to files that end in .yaml or .yml, with the wildcards *, ** and ?";

/** The files that match a pattern relative to a folder, sorted. */
export function includedFiles(pattern: string, from: string, folder: Folder): string[] {
  const segments = segmentsOf(pattern);
  let searched = 0;
  const list = (path: string) => {
    const entries = folder.list(path);
    searched += entries.length;
    if (searched > limits.entries) throw new DocsError(`"${pattern}" searches too many files; use a narrower pattern`);
    return entries;
  };
  /** What matches the segment below the paths that match the segments before it. */
  const matchesBelow = (paths: readonly string[], segment: string, kind: "file" | "folder"): string[] => {
    if (segment === "**") return paths.flatMap((path) => foldersBelow(path, list));
    if (!isWild(segment)) return paths.map((path) => folder.join(path, segment));
    const matches = picomatch(segment, { nobrace: true, nobracket: true, noextglob: true, nonegate: true });
    return paths.flatMap((path) => {
      const entries = list(path).filter((entry) => entry.isDirectory() === (kind === "folder") && matches(entry.name));
      return entries.map(({ name }) => join(path, name));
    });
  };
  let folders = [from];
  for (const segment of segments.slice(0, -1)) folders = matchesBelow(folders, segment, "folder");
  const paths = matchesBelow(folders, segments.at(-1) ?? "", "file");
  const files = [...new Set(paths)].sort();
  if (files.length === 0) throw new DocsError(`no file matches "${pattern}"`);
  if (files.length > limits.files)
    throw new DocsError(`"${pattern}" matches ${files.length} files; use at most ${limits.files}`);
  return files;
}

/** Splits a pattern into names, each with few wildcards, so that even a hostile pattern has bounded cost. */
function segmentsOf(pattern: string): string[] {
  const segments = pattern.split("/").filter((segment) => segment !== ".");
  const isStrange = /[\\[\]{}()|\p{C}]/u.test(pattern) || pattern.length > 500 || segments.includes("");
  if (/^(?:\/|[A-Za-z]:)/.test(pattern))
    throw new DocsError(`"${pattern}" is an absolute path; name files in the folder of the organization's file`);
  if (isStrange || !/\.ya?ml$/.test(pattern)) throw new DocsError(`"${pattern}" cannot be included; ${syntax}`);
  const [names, anyFolders] = [segments.filter((one) => one !== "**"), segments.filter((one) => one === "**")];
  const hasManyStars = names.some((name) => (name.match(/\*+/g) ?? []).length > 2);
  if (hasManyStars || anyFolders.length > 1)
    throw new DocsError(`"${pattern}" has too many wildcards; use ** once, and * at most twice in a name`);
  return segments;
}

const isWild = (segment: string) => /[*?]/.test(segment);

/** The folder and its subfolders, without hidden ones and installed packages. Links are not followed: they may form a cycle. */
function foldersBelow(path: string, list: (path: string) => { name: string; isDirectory(): boolean }[]): string[] {
  const below = list(path).filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  return [path, ...below.flatMap(({ name }) => foldersBelow(join(path, name), list))];
}
