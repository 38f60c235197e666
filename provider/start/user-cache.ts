import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

export function userCache({ XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv): string {
  // The XDG specification says to ignore a relative path.
  const isUsable = XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME);
  return join(isUsable ? XDG_CACHE_HOME : join(HOME ?? homedir(), ".cache"), "pulumi-docs-org");
}

/** Files in the user's cache that only save time. Only this user can write there, as in the folders of the user's programs. */
export class UserCache {
  private readonly folder: string;

  constructor(content: string, environment: NodeJS.ProcessEnv) {
    this.folder = join(userCache(environment), content);
  }

  read(name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.folder, name));
    } catch {
      return undefined;
    }
  }

  /** Puts the whole file in place by a rename, since another process may read it at the same moment. */
  write(name: string, content: string | Buffer): void {
    const file = join(this.folder, name);
    const scratch = `${file}.${randomUUID()}`;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(scratch, content, { mode: 0o600 });
      renameSync(scratch, file);
    } catch {
      // Without a place for it, such as in a container that can only be read, the next run takes as long as this one.
    }
  }
}
