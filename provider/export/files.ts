import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DocsError } from "../api/http/errors";
import { attemptToWrite } from "../run/files";

/** Texts by the paths of their files, in a folder. */
export type Files = ReadonlyMap<string, string>;

/**
 * Refuses to overwrite files without `force`, and a folder in the place of a file in any case. Checked before the first file is
 * moved, so that nothing is left half-written. Files that have their text already stay: a killed run has left them.
 */
export function refuseExisting(
  folder: string,
  names: readonly string[],
  /** `undefined` if the caller has no such option. */
  force: boolean | undefined,
  texts: Files = new Map(),
): void {
  const existing = names.flatMap((name) => {
    const path = join(folder, name);
    const entry = attemptToWrite(folder, () => lstatSync(path, { throwIfNoEntry: false }));
    const text = entry?.isFile() ? attemptToWrite(path, () => readFileSync(path, "utf8")) : undefined;
    const isWritten = text !== undefined && text === texts.get(name);
    return entry && !isWritten ? [{ path, isFolder: entry.isDirectory() }] : [];
  });
  const inTheWay = force ? existing.filter(({ isFolder }) => isFolder) : existing;
  if (inTheWay.length === 0) return;
  const [exist, them] = inTheWay.length === 1 ? ["exists", "it"] : ["exist", "them"];
  const kind = force ? " as a folder" : "";
  const canForce = force === false;
  const remedy = canForce ? `--force to overwrite ${them}` : `move ${them} away`;
  throw new DocsError(
    `nothing was written: ${inTheWay.map(({ path }) => path).join(", ")} already ${exist}${kind}; use another folder, or ${remedy}`,
  );
}

/** Runs the work in a temporary folder inside the target, so on the same disk, and removes it afterwards. */
export async function writeInStaging<T>(folder: string, work: (staging: string) => Promise<T>): Promise<T> {
  const newFolder = attemptToWrite(folder, () =>
    existsSync(folder) ? undefined : mkdirSync(folder, { recursive: true }),
  );
  const staging = attemptToWrite(folder, () => mkdtempSync(join(folder, ".docs-org-export-")));
  let isDone = false;
  const clear = () => {
    rmSync(staging, { recursive: true, force: true });
    if (!isDone && newFolder !== undefined) removeEmpty(folder, newFolder);
  };
  // The signal has no listener after `once`, so it then ends the process.
  const clearAndEnd = (signal: NodeJS.Signals) => {
    clear();
    process.kill(process.pid, signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, clearAndEnd);
  try {
    const result = await work(staging);
    isDone = true;
    return result;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, clearAndEnd);
    clear();
  }
}

/** Removes the created folders, from the inner to the outer one, as far as they are empty. */
function removeEmpty(inner: string, outer: string): void {
  try {
    for (let folder = inner; folder.length >= outer.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // The folder is no longer empty: another process uses it.
  }
}

export function write(folder: string, files: Files): void {
  for (const [name, text] of files) {
    const path = join(folder, name);
    attemptToWrite(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    });
  }
}

/** Moves written files to their places. A rename is atomic, so a killed run leaves no incomplete file. */
export function publish(staging: string, folder: string, names: Iterable<string>): void {
  for (const name of names) {
    const path = join(folder, name);
    attemptToWrite(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      renameSync(join(staging, name), path);
    });
  }
}
