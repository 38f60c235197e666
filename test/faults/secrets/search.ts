import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { constants, gunzipSync } from "node:zlib";
import type { CommandOutcome } from "../../../scripts/stack";
import { leaksOf } from "../hostile/leaks";

export interface Leak {
  readonly where: string;
  /** The text around the secret where it is first found, or only its form if its position is not known. */
  readonly text: string;
}

/** Milliseconds between two looks at the arguments of processes; most live longer. */
const interval = 15;
/** A process that has lived for so many looks rarely becomes another program, and is looked at once a second. */
const young = 200;
const looksInSecond = Math.ceil(1_000 / interval);

/** Collects everything that commands print, write and pass to other processes, and searches it for a secret. */
export class Search {
  private readonly printed: { readonly where: string; readonly text: string }[] = [];
  /** Arguments of processes, and whether they ran below a command. */
  private readonly commands = new Map<string, boolean>();
  private readonly folders: string[];
  private watching = true;
  private readonly watch: Promise<void>;
  private files = 0;
  private bytes = 0;

  private constructor(
    private readonly secret: string,
    private readonly home: string,
  ) {
    this.folders = [home];
    this.watch = this.watchProcesses();
  }

  static async start(secret: string): Promise<Search> {
    const search = new Search(secret, await mkdtemp(path.join(tmpdir(), "docs-org-secrets-")));
    for (const name of ["home", "tmp", "cache"]) await mkdir(path.join(search.home, name));
    return search;
  }

  /** Folders for everything that commands write somewhere on the machine. */
  get environment(): NodeJS.ProcessEnv {
    const [HOME, TMPDIR, XDG_CACHE_HOME] = ["home", "tmp", "cache"].map((name) => path.join(this.home, name));
    return { HOME, TMPDIR, XDG_CACHE_HOME };
  }

  /** Every file in these folders will be searched. */
  addFolders(...folders: readonly string[]): void {
    this.folders.push(...folders);
  }

  async record(where: string, command: Promise<CommandOutcome>): Promise<CommandOutcome> {
    const outcome = await command;
    this.printed.push({ where: `what ${where} prints`, text: outcome.output });
    return outcome;
  }

  /** Lines that match `except` are what somebody else prints. */
  async leaks(except?: RegExp): Promise<Leak[]> {
    const texts = [
      ...this.printed,
      ...[...this.commands.keys()].map((text) => ({ where: "the arguments of a process", text })),
    ];
    for (const folder of this.folders) texts.push(...(await this.filesIn(folder)));
    this.bytes = texts.reduce((sum, { text }) => sum + text.length, 0);
    return texts.flatMap(({ where, text: whole }) => {
      const text = except ? whole.replace(except, "") : whole;
      const [form] = leaksOf(this.secret, text);
      if (form === undefined) return [];
      const at = text.indexOf(form);
      return [{ where, text: at < 0 ? form : text.slice(Math.max(0, at - 200), at + form.length + 60) }];
    });
  }

  get size(): string {
    const megabytes = (this.bytes / 2 ** 20).toFixed(1);
    return `${this.printed.length} commands, ${this.files} files and ${this.processes} processes, ${megabytes} MiB`;
  }

  /** Processes below the commands whose arguments were searched. */
  get processes(): number {
    return [...this.commands.values()].filter(Boolean).length;
  }

  async stop(): Promise<void> {
    this.watching = false;
    await this.watch;
    await rm(this.home, { recursive: true, force: true });
  }

  private async filesIn(folder: string): Promise<{ readonly where: string; readonly text: string }[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
    // The package itself is a link in node_modules, and no command wrote it.
    const own = names.filter((name) => !name.includes(`${path.sep}node_modules${path.sep}`));
    this.files += own.length;
    return Promise.all(own.map(async (where) => ({ where, text: textOf(await readFile(where)) })));
  }

  private async watchProcesses(): Promise<void> {
    let looks = new Map<string, number>();
    while (this.watching) {
      const ids = readdirSync("/proc").filter((name) => /^\d/.test(name));
      looks = new Map(ids.map((id) => [id, (looks.get(id) ?? 0) + 1]));
      for (const [id, count] of looks) if (count <= young || count % looksInSecond === 0) this.keepArguments(id);
      await sleep(interval);
    }
  }

  private keepArguments(id: string): void {
    const command = ofProcess(id, "cmdline");
    if (command === "" || this.commands.has(command)) return;
    this.commands.set(command, ofProcess(id, "environ").includes(this.home));
  }
}

/** What the system knows of a process; nothing if it has ended. */
function ofProcess(id: string, name: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** Each byte is a character, so that a text in any encoding is found. Logs of the engine are compressed. */
const textOf = (content: Buffer): string =>
  (content[0] === 0x1f && content[1] === 0x8b
    ? gunzipSync(content, { finishFlush: constants.Z_SYNC_FLUSH })
    : content
  ).toString("latin1");
