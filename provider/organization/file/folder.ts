import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DocsError } from "../../api/http/errors";

/**
 * Reads files inside the folder of the organization's file, and nothing outside: a person who may change the file must not be
 * able to read other files of the machine with it.
 */
export class Folder {
  private readonly root: string;

  /** `edited`: new texts of existing files, before they are written, by the real paths of the files. */
  constructor(
    path: string,
    private readonly edited: ReadonlyMap<string, string> = new Map(),
  ) {
    this.root = attempt(() => realpathSync(path));
  }

  /** Joins a path inside the folder. A path that leaves the folder is refused before anything is read. */
  join(from: string, path: string): string {
    const joined = resolve(this.root, from, path);
    this.refuseOutside(joined);
    return joined;
  }

  relative(path: string): string {
    return relative(this.root, path);
  }

  real(path: string): string {
    const real = attempt(() => realpathSync(path));
    this.refuseOutside(real);
    return real;
  }

  /** The content of a file with at most `most` bytes. */
  read(path: string, most: number): Buffer {
    const real = this.real(path);
    const entry = attempt(() => statSync(real));
    if (entry.isDirectory()) throw new DocsError("it is a folder; name a file");
    // Reading a pipe or a device might never end.
    if (!entry.isFile()) throw new DocsError("it is not a regular file");
    const text = this.edited.get(real);
    const size = text === undefined ? entry.size : Buffer.byteLength(text);
    if (size > most) throw new DocsError(`it has ${size} bytes; use at most ${most}`);
    return text === undefined ? attempt(() => readFileSync(real)) : Buffer.from(text);
  }

  /** The entries of a folder; empty if the folder does not exist. */
  list(path: string): Dirent[] {
    try {
      return attempt(() => readdirSync(this.real(path), { withFileTypes: true }));
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(codeOf((error as Error).cause))) return [];
      throw error;
    }
  }

  private refuseOutside(path: string): void {
    const below = relative(this.root, path);
    if (below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below)) return;
    throw new DocsError("it is outside the folder of the organization's file; keep it inside");
  }
}

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof DocsError) throw error;
    const reason = codeOf(error) === "ENOENT" ? "there is no such file" : `it cannot be read (${codeOf(error)})`;
    throw new DocsError(reason, { cause: error });
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? "";
