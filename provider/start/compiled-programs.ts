import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { UserCache } from "./user-cache";

/** What a compiler made of a file of a program. */
export interface Compiled {
  readonly code: string;
  /** The files that the code depends on: the source, the settings, and what says the version of the compiler. */
  readonly files: readonly string[];
}

/** A file and the hash of its content; the hash of a missing file is empty. */
type Fingerprint = readonly [file: string, hash: string];

interface Kept {
  readonly code: string;
  readonly fingerprints: readonly Fingerprint[];
}

/** Changes when the same files give other code. */
const format = "1";

/** Keeps the compiled code of programs, one file for each source. */
export class CompiledPrograms {
  private readonly cache: UserCache;
  private readonly hashes = new Map<string, string>();

  constructor(environment: NodeJS.ProcessEnv) {
    this.cache = new UserCache("programs", environment);
  }

  /** The code of a file, if nothing that it depends on has changed. */
  find(file: string, settings: string): string | undefined {
    const kept = keptIn(this.cache.read(nameOf(file, settings)));
    return kept?.fingerprints.every(([name, hash]) => this.hash(name) === hash) ? kept.code : undefined;
  }

  keep(file: string, settings: string, { code, files }: Compiled): string {
    const kept: Kept = { code, fingerprints: files.map((name) => [name, this.hash(name)]) };
    this.cache.write(nameOf(file, settings), JSON.stringify(kept));
    return code;
  }

  private hash(file: string): string {
    const hash = this.hashes.get(file) ?? hashOf(file);
    this.hashes.set(file, hash);
    return hash;
  }
}

function keptIn(content: Buffer | undefined): Kept | undefined {
  if (content === undefined) return undefined;
  try {
    return JSON.parse(content.toString()) as Kept;
  } catch {
    // A full disk left a damaged file.
    return undefined;
  }
}

const nameOf = (file: string, settings: string): string => `${sha256(`${format}\n${file}\n${settings}`)}.json`;

function hashOf(file: string): string {
  try {
    return sha256(readFileSync(file));
  } catch {
    return "";
  }
}

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
