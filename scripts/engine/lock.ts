import { readFileSync } from "node:fs";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const POLL = 200;
const HEARTBEAT = 5_000;
/** A holder that has not touched its lock for so long is dead, even if another process has its number by now. */
const SILENCE = 30_000;

export interface LockOptions {
  signal: AbortSignal;
  /** Called once, with the holder's process number, if there is somebody to wait for. */
  onWait(holder: string): void;
}

/**
 * Does `work` while nobody else does. The lock saves a second build of minutes, it does not guard correctness: the result
 * is put in place by a rename. So the moment in which two waiters may both take over a dead holder's lock is no harm.
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

/** True if a process with this number runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** In a container whose first process does not reap orphans, a killed process answers for ever. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function acquire(file: string, options: LockOptions): Promise<void> {
  let told = false;
  while (!(await take(file))) {
    const holder = await readHolder(file);
    if (await isAbandoned(file, holder)) {
      await rm(file, { force: true });
      continue;
    }
    if (holder && !told) {
      options.onWait(holder);
      told = true;
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
  // Empty: its owner is between making the file and writing its number.
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

/** Somebody who thought us dead may hold it now. */
async function release(file: string): Promise<void> {
  if ((await readHolder(file)) === String(process.pid)) await rm(file, { force: true });
}
