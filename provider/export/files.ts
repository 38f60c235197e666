import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DocsError } from "../api/http/errors";

/** Texts by the paths of their files, in a folder. */
export type Files = ReadonlyMap<string, string>;

/** Names every file that is there already. */
export function refuseExisting(folder: string, names: readonly string[]): void {
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const existing = names.filter((name) => attempt(folder, () => isThere(join(folder, name))));
  if (existing.length === 0) return;
  const [are, them] = existing.length === 1 ? ["is", "it"] : ["are", "them"];
  throw new DocsError(
    `nothing was written: ${existing.map((name) => join(folder, name)).join(", ")} ${are} there already; use another ` +
      `folder, or --force to overwrite ${them}`,
  );
}

/** Runs the work in a folder of its own inside the other one, on the same disk; whatever is left there is removed. */
export async function inStaging<T>(folder: string, work: (staging: string) => Promise<T>): Promise<T> {
  const made = attempt(folder, () => (existsSync(folder) ? undefined : mkdirSync(folder, { recursive: true })));
  const staging = attempt(folder, () => mkdtempSync(join(folder, ".docs-org-export-")));
  let done = false;
  const clear = () => {
    rmSync(staging, { recursive: true, force: true });
    if (!done && made !== undefined) removeEmpty(folder, made);
  };
  const interrupted = (signal: NodeJS.Signals) => {
    clear();
    process.kill(process.pid, signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupted);
  try {
    const result = await work(staging);
    done = true;
    return result;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupted);
    clear();
  }
}

/** The folders from the inner one to the outer one that we have made, as far as nobody has put anything there. */
function removeEmpty(inner: string, outer: string): void {
  try {
    for (let folder = inner; folder.length >= outer.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Somebody else uses it by now.
  }
}

export function write(folder: string, files: Files): void {
  for (const [name, text] of files) {
    const path = join(folder, name);
    attempt(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    });
  }
}

/** Before the first one is put in its place: with a folder there, the others would stand alone. */
export function refuseFolders(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, name);
    const found = attempt(path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (found?.isDirectory())
      throw new DocsError(`nothing was written: ${path} is a folder; move it away, or use another folder`);
  }
}

/** Puts written files into their places, each at once: a run that is killed leaves no half file. */
export function publish(staging: string, folder: string, names: Iterable<string>): void {
  for (const name of names) {
    const path = join(folder, name);
    attempt(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      renameSync(join(staging, name), path);
    });
  }
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DocsError(`could not write ${path}: ${reasons[code ?? ""] ?? code ?? message}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EEXIST: "a file is in the place of the folder",
  EISDIR: "a folder is in the place of the file",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file is in the place of the folder",
  EROFS: "the disk can only be read",
};
