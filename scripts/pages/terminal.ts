import { mkdir, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { type CommandOutcome, root, Stack } from "../stack";
import type { PageBlock } from "./page";

/** The port in the pages; another one is used here, because several readers may be on one machine. */
const shownPort = "4010";
/** The bucket of the reader; here it is a folder. */
const shownBucket = "s3://BUCKET";
/** The reader's first folder; another one may be beside it. */
const folder = "acme";
const bucket = "bucket";
/** Before the end of every grant in the pages. */
const today = "2026-11-20T12:00:00Z";

/**
 * Programs below the checkout find its packages, so `npm install` installs nothing. It links this package, because some projects
 * name files in its folder. `npx` runs commands of the checkout. Each job in the background has a process group of its own (-m),
 * which ends with the shell. Commands that ask get a terminal, on which the reader answers yes.
 */
const prelude = `
set -euom pipefail
exec < /dev/null
cd ${folder}
trap 'for job in $(jobs -p); do kill -- "-$job" 2> /dev/null || true; done' EXIT
npm() { case "$1" in init) ;; install | ci) mkdir -p node_modules; ln -sfn "$PACKAGE" node_modules/pulumi-docs-org ;; *) command npm "$@" ;; esac; }
npx() { local name=$1; shift; if [ "$name" = docs-org ]; then docs-org "$@"; else "$BIN/$name" "$@"; fi; }
docs-org() { if asks "$@"; then python3 "$ANSWER" "[y/N] " $'y\\r' node "$CLI" "$@"; else node "$CLI" "$@"; fi; }
asks() {
  case " $* " in *" --yes "*) return 1 ;; esac
  case $1 in up | destroy | take-over | state) ;; *) return 1 ;; esac
}
`;

/** An empty folder with an engine and an empty stack, in whose shell the blocks of a page are followed. */
export class Terminal {
  private constructor(
    private readonly stack: Stack,
    private readonly port: number,
  ) {}

  static async open(environment: NodeJS.ProcessEnv = {}): Promise<Terminal> {
    const stack = await Stack.create({ text: "" }, { DOCS_NOW: today, ...environment });
    for (const file of await readdir(stack.folder)) await rm(path.join(stack.folder, file));
    await mkdir(path.join(stack.folder, folder));
    await mkdir(path.join(stack.folder, bucket));
    return new Terminal(stack, await freePort());
  }

  /** For a reader who has chosen no backend and no passphrase. An empty passphrase would be one. */
  static async openWithoutLogin(environment: NodeJS.ProcessEnv): Promise<Terminal> {
    const terminal = await Terminal.open(environment);
    Object.assign(terminal.stack.environment, { PULUMI_BACKEND_URL: "", PULUMI_CONFIG_PASSPHRASE: undefined });
    return terminal;
  }

  /** Where files of the pages are. */
  get folder(): string {
    return path.join(this.stack.folder, folder);
  }

  /** Writes the files and runs the commands of the blocks, in one shell, as a reader does. A failure throws what was printed. */
  async follow(blocks: readonly PageBlock[]): Promise<CommandOutcome> {
    const script = [prelude, ...blocks.map((block) => this.scriptOf(block))].join("\n");
    const places = {
      CLI: path.join(root, "dist", "cli", "index.js"),
      BIN: path.join(root, "node_modules", ".bin"),
      PACKAGE: root,
      ANSWER: path.join(root, "test", "support", "terminal.py"),
    };
    const outcome = await this.stack.execute("bash", ["-c", script], places);
    if (outcome.status !== 0) throw new Error(`exit status ${outcome.status}:\n${outcome.output}`);
    return outcome;
  }

  close = (): Promise<void> => this.stack.remove();

  private scriptOf({ page, line, language, content, file }: PageBlock): string {
    if (file !== undefined)
      return `mkdir -p "$(dirname '${file}')"\ncat > '${file}' << 'END OF FILE'\n${content}END OF FILE`;
    if (language !== "sh") return "";
    const commands = this.atFreePort(withOwnSettings(content));
    const place = `file://${path.join(this.stack.folder, bucket)}`;
    return `echo "--- ${page}:${line}"\n${commands.replaceAll(shownBucket, place)}`;
  }

  /** Readers wait until the emulator has printed its line. */
  private atFreePort(commands: string): string {
    const answered = `curl --silent --output /dev/null http://127.0.0.1:${this.port}`;
    return commands
      .replaceAll(shownPort, String(this.port))
      .replace(/^.* emulate .*&.*$/gm, `$&\nfor _ in {1..400}; do ${answered} && break; sleep 0.05; done`);
  }
}

/** A line with `...` stands for the settings of the reader, who has them in the environment. */
const withOwnSettings = (commands: string): string => commands.replace(/^export DOCS_.*=\.\.\.( .*)?$/gm, "");

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
