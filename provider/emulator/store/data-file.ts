import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DocsError } from "../../api/http/errors";
import { lock } from "./lock";
import type { State } from "./state";
import { textOf, valueIn } from "./state-text";

/** What is kept: the token as well, so that clients find the same service after a restart. */
export interface Kept {
  readonly token: string;
  readonly state: State;
}

const format = "docs-org-emulator";
/** To be raised with each change of the records that an older file does not fit. */
const version = 1;

/** Milliseconds from a change to the write, so that one write takes many changes. */
const shortestPause = 50;
/** Of a large state, a write blocks for long: the pause is at least this many times as long. */
const share = 4;

/** A file that holds the state: a line with format, version and checksum, and a line with the content. */
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

  /** Takes the file for this emulator alone. */
  constructor(private readonly name: string) {
    this.path = resolve(name);
    this.unlock = lock(this.path);
  }

  /** What the file holds; `undefined` when there is none. A file that can not be understood is left as it is. */
  read(): Kept | undefined {
    const text = this.text();
    if (text === undefined) return undefined;
    const end = text.indexOf("\n");
    const head = this.head(text.slice(0, end));
    const content = text.slice(end + 1);
    if (head.sha256 !== checksum(content)) throw this.unusable("it is damaged (its checksum does not fit)");
    const { token, state } = valueIn(content) as Kept;
    this.kept = { token, state };
    return this.kept;
  }

  /** Writes the state now, unless it is what was just read, and from now on after each change. */
  async keep(kept: Kept): Promise<void> {
    const known = this.kept?.state === kept.state && this.kept.token === kept.token;
    this.kept = kept;
    if (!known) await this.write();
    if (this.failure) throw this.failure;
  }

  /** To be called after a change. */
  changed(): void {
    this.dirty = true;
    if (!this.closed) this.timer ??= setTimeout(() => void this.flush(), this.pause);
  }

  /** Writes the state a last time, with what was changed behind the API, and gives the file back. */
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

  /** One write after the other; never rejects. */
  private write(): Promise<void> {
    this.writes = this.writes.then(() => this.writeNow());
    return this.writes;
  }

  private async writeNow(): Promise<void> {
    this.dirty = false;
    const before = performance.now();
    try {
      const content = textOf(this.kept);
      const head = JSON.stringify({ format, version, sha256: checksum(content) });
      this.pause = Math.max(shortestPause, share * (performance.now() - before));
      await replace(this.path, `${head}\n${content}`);
      this.failure = undefined;
    } catch (error) {
      // Told when the emulator ends, unless a later write succeeds.
      this.failure = new DocsError(`could not write ${this.name}: ${(error as Error).message}`);
    }
  }

  private text(): string | undefined {
    try {
      return readFileSync(this.path, "utf8");
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return undefined;
      throw new DocsError(`could not read ${this.name}: ${message}`);
    }
  }

  private head(line: string): { readonly sha256: unknown } {
    const head = parsed(line);
    if (head?.format !== format) throw this.unusable("it is no data file of the emulator, or is damaged");
    if (head.version === version) return { sha256: head.sha256 };
    throw this.unusable(`its format has version ${head.version}, and this release has version ${version}`);
  }

  private unusable(reason: string): DocsError {
    return new DocsError(`${this.name} can not be used: ${reason}; it was left as it is, use another file or move it`);
  }
}

const checksum = (text: string) => createHash("sha256").update(text).digest("hex");

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const head: unknown = JSON.parse(line);
    return typeof head === "object" && head !== null ? (head as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whoever reads the file, and however the process ends: it holds the old text or the new one. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  // It holds the token.
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes the renaming itself last; systems that can not open a folder do without. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
