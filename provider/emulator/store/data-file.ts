import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { DocsError } from "../../api/http/errors";
import { whyNotRead, whyNotWritten } from "../../text/file-errors";
import { lock } from "./lock";
import type { State } from "./state";

/** Content of the file. It includes the token, so that clients keep working after a restart. */
export interface Kept {
  readonly token: string;
  readonly state: State;
}

const format = "docs-org-emulator";
/** Version of the format; increase it if records change incompatibly. */
const version = 1;

/** Milliseconds between a change and the write, so that one write covers many changes. */
const shortestPause = 50;
/** Minimum length of the pause, as a multiple of the time of a serialization, which blocks the process. */
const pauseFactor = 4;

/** A file with the state: one line with format, version and checksum, then the content as V8 serializes it. */
export class DataFile {
  private readonly path: string;
  private readonly unlock: () => void;
  private kept: Kept | undefined;
  private timer: NodeJS.Timeout | undefined;
  private writes = Promise.resolve();
  private dirty = false;
  private closed = false;
  private pause = shortestPause;
  private failure: DocsError | undefined;

  /** Locks the file; throws a DocsError if another emulator uses it. */
  constructor(private readonly name: string) {
    this.path = resolve(name);
    this.unlock = lock(this.path);
  }

  /** Reads the file; `undefined` if it does not exist. Throws a DocsError for a file that cannot be used, and does not change it. */
  read(): Kept | undefined {
    const file = this.bytes();
    if (file === undefined) return undefined;
    const end = file.indexOf("\n");
    const head = this.head(file.toString("utf8", 0, Math.max(0, end)));
    const content = file.subarray(end + 1);
    if (head.sha256 !== checksum(content)) throw this.unusable("it is damaged (its checksum does not fit)");
    this.kept = this.keptIn(content);
    return this.kept;
  }

  /** Writes the state now, unless it was just read, and from now on after each change. */
  async keep(kept: Kept): Promise<void> {
    const known = this.kept?.state === kept.state && this.kept.token === kept.token;
    this.kept = kept;
    if (!known) await this.write();
    if (this.failure) throw this.failure;
  }

  /** Schedules a write; call it after each change. */
  changed(): void {
    this.dirty = true;
    if (!this.closed) this.timer ??= setTimeout(() => void this.flush(), this.pause);
  }

  /** Writes the state a last time, including changes that tests made directly, and unlocks the file. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.kept) await this.write();
    this.unlock();
    if (this.failure) throw this.failure;
  }

  private async flush(): Promise<void> {
    await this.write();
    this.timer = undefined;
    if (this.dirty) this.changed();
  }

  /** Writes run one after the other; the promise never rejects. */
  private write(): Promise<void> {
    this.writes = this.writes.then(() => this.writeNow());
    return this.writes;
  }

  private async writeNow(): Promise<void> {
    this.dirty = false;
    const before = performance.now();
    try {
      const content = serialize(this.kept);
      const head = JSON.stringify({ format, version, sha256: checksum(content) });
      this.pause = Math.max(shortestPause, pauseFactor * (performance.now() - before));
      await replace(this.path, Buffer.concat([Buffer.from(`${head}\n`), content]));
      this.failure = undefined;
    } catch (error) {
      // Reported when the emulator stops, unless a later write succeeds.
      this.failure = new DocsError(`could not write ${this.name}: ${whyNotWritten(error)}`);
    }
  }

  private bytes(): Buffer | undefined {
    try {
      return readFileSync(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new DocsError(`could not read ${this.name}: ${whyNotRead(error)}`);
    }
  }

  private head(line: string): { readonly sha256: unknown } {
    const head = parsed(line);
    if (head?.format !== format) throw this.unusable("it is not a data file of the emulator, or it is damaged");
    if (head.version === version) return { sha256: head.sha256 };
    throw this.unusable(`its format has version ${head.version}, but this release reads version ${version}`);
  }

  private keptIn(content: Buffer): Kept {
    try {
      return deserialize(content) as Kept;
    } catch {
      throw this.unusable("a newer version of Node.js wrote it");
    }
  }

  private unusable(reason: string): DocsError {
    return new DocsError(`${this.name} cannot be used: ${reason}; it was not changed, use another file or move it`);
  }
}

const checksum = (content: Buffer) => createHash("sha256").update(content).digest("hex");

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const head: unknown = JSON.parse(line);
    return typeof head === "object" && head !== null ? (head as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically: readers see the old content or the new one, even if the process is killed. */
async function replace(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.tmp`;
  // Readable by the owner only, because the file contains the token.
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes the rename durable; skipped on systems that cannot open a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
