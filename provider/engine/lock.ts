import { readFileSync } from "node:fs";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL = 200;
const HEARTBEAT = 5_000;
/** Milliseconds after which the process of an untouched lock counts as dead, even if another process has its id by now. */
const SILENCE = 30_000;

export interface LockOptions {
  signal: AbortSignal;
  /** Called once with the id of the process that has the lock, if this process must wait. */
  onWait(holder: string): void;
}

/**
 * Runs `work` under a lock. The lock only saves a second build of minutes; correctness does not depend on it, because the
 * result is put in place by a rename. It is therefore harmless if two waiting processes replace a dead process's lock at once.
 */
export async function withLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  await acquire(file, options);
  const heartbeat = setInterval(() => touch(file), HEARTBEAT);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await release(file);
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A killed process stays a zombie for ever in a container whose first process does not reap orphans. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function acquire(file: string, options: LockOptions): Promise<void> {
  let isReported = false;
  while (!(await take(file))) {
    const holder = await readHolder(file);
    if (await isAbandoned(file, holder)) {
      await rm(file, { force: true });
      continue;
    }
    if (holder && !isReported) {
      options.onWait(holder);
      isReported = true;
    }
    await sleep(POLL, undefined, { signal: options.signal });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(file: string, holder: string): Promise<boolean> {
  // If the file is empty, its owner has not written its id yet.
  if (holder && !isAlive(Number(holder))) return true;
  const touched = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  return Date.now() - touched > SILENCE;
}

function readHolder(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

/** Removes the lock unless another process has replaced it because this one seemed dead. */
async function release(file: string): Promise<void> {
  if ((await readHolder(file)) === String(process.pid)) await rm(file, { force: true });
}
