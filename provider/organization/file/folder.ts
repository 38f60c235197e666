import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DocsError } from "../../api/http/errors";

/**
 * The folder of the organization's file, and nothing outside of it: whoever may propose a change of the file may not
 * read with it what is elsewhere.
 */
export class Folder {
  private readonly root: string;

  constructor(path: string) {
    this.root = attempt(() => realpathSync(path));
  }

  /** The path from a place in the folder; refused before anything outside is looked at. */
  join(from: string, path: string): string {
    const joined = resolve(this.root, from, path);
    this.refuseOutside(joined);
    return joined;
  }

  /** The path below the folder. */
  relative(path: string): string {
    return relative(this.root, path);
  }

  /** Where the path really leads to. */
  real(path: string): string {
    const real = attempt(() => realpathSync(path));
    this.refuseOutside(real);
    return real;
  }

  /** Content of a file that has at most so many bytes. */
  read(path: string, most: number): Buffer {
    const real = this.real(path);
    const found = attempt(() => statSync(real));
    if (found.isDirectory()) throw new DocsError("it is a folder; name a file");
    // Reading a pipe or a device could take for ever.
    if (!found.isFile()) throw new DocsError("it is no regular file");
    if (found.size > most) throw new DocsError(`it has ${found.size} bytes; use at most ${most}`);
    return attempt(() => readFileSync(real));
  }

  /** What a folder holds; nothing where there is no such folder. */
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
    throw new DocsError("it leads out of the folder of the organization's file; keep it inside");
  }
}

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof DocsError) throw error;
    const reason = codeOf(error) === "ENOENT" ? "there is no such file" : `it can not be read (${codeOf(error)})`;
    throw new DocsError(reason, { cause: error });
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? "";
