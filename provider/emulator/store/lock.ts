import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DocsError } from "../../api/http/errors";
import { whyNotWritten } from "../../text/file-errors";

/** Lock files of emulators in this process. */
const ours = new Set<string>();

/**
 * Creates a lock file with the id of this process, and returns the function that removes it. The lock of a killed process is
 * replaced, even if this process has the same id, as in a restarted container.
 */
export function lock(file: string): () => void {
  const path = `${file}.lock`;
  for (let attempts = 3; !created(path); attempts--) {
    const holder = holderOf(path);
    if (ours.has(path) || (holder !== process.pid && isAlive(holder)) || attempts === 0) {
      throw new DocsError(`another emulator (process ${holder}) uses ${file}; stop it, or use another file`);
    }
    rmSync(path, { force: true });
  }
  ours.add(path);
  return () => {
    if (ours.delete(path)) rmSync(path, { force: true });
  };
}

function created(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new DocsError(`could not create ${path}: ${whyNotWritten(error)}`);
  }
}

function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    // The other process has just removed it.
    return 0;
  }
}

/** An id of 0 would address the own process group. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
