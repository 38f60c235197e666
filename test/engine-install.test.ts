import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, test as base, beforeEach, describe, expect, vi } from "vitest";
import { CommandFailed, runProcess } from "../provider/engine/child";
import {
  CLI,
  cachedFolder,
  type Engine,
  LANGUAGE_HOST,
  PROVIDER_SCRIPT,
  sdkFolder,
  searchEngine,
} from "../provider/engine/find";
import { ENGINE_VERSION, isAtLeast } from "../provider/engine/version";
import { ensureEngine, ensureLanguages } from "../scripts/engine";
import { OTHER_HOSTS } from "../scripts/engine/language-hosts";
import { failureOf } from "./support/failure";

const THREE_FILES = [CLI, LANGUAGE_HOST, PROVIDER_SCRIPT];
const engineName = `engine-${ENGINE_VERSION}-${process.platform}-${process.arch}`;

/** An installation script, whose pulumi tells that version. */
const installer = (version: string) => `while [ "$1" != --install-root ]; do shift; done
  mkdir "$2/bin"; cd "$2/bin"
  for file in ${CLI} ${LANGUAGE_HOST}; do printf '#!/bin/sh\\necho v%s\\n' "${version}" > $file; chmod +x $file; done`;

/** A folder for one test, with what it puts there; the processes that it starts end with it. */
class Box {
  readonly log = vi.fn<(line: string) => void>();
  readonly started: ChildProcess[] = [];

  constructor(readonly home: string) {}

  /** Nothing on PATH but these folders, and a cache of the test's own. */
  environment(...folders: string[]): NodeJS.ProcessEnv {
    return { ...process.env, PATH: folders.join(":"), XDG_CACHE_HOME: path.join(this.home, "cache") };
  }

  get cache(): string {
    return path.join(this.home, "cache", "pulumi-docs-org");
  }

  said(): string[] {
    return this.log.mock.calls.flat();
  }

  /** A folder of that name with one executable script. */
  async script(name: string, file: string, body: string): Promise<string> {
    const folder = path.join(this.home, name);
    await mkdir(folder);
    await writeScript(path.join(folder, file), body);
    return folder;
  }

  /** A folder with the three files, or without some, whose pulumi tells that version. */
  async engine(name: string, version: string, without: readonly string[] = []): Promise<string> {
    const folder = await this.script(name, PROVIDER_SCRIPT, "");
    await fillEngine(folder, version);
    for (const file of without) await rm(path.join(folder, file));
    return folder;
  }

  /** The folders of a Go that builds programs which tell that version, and of what its script needs. */
  async go(version = ENGINE_VERSION): Promise<string[]> {
    const program = `#!/bin/sh\n[ "$1" = version ] && echo v${version}\n`;
    const body = `[ "$1" = version ] && echo go1.30.0 && exit
      while [ "$1" != -o ]; do shift; done
      cat > "$2" <<'END'\n${program}END\nchmod +x "$2"`;
    return [await this.script("go", "go", body), "/usr/bin", "/bin"];
  }

  /** Node.js as the npm scripts start it, in a process group of its own as a terminal does. */
  node(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(process.execPath, ["-r", "./scripts/load-typescript.js", ...args], {
      cwd: path.join(__dirname, ".."),
      env,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.started.push(child);
    return child;
  }

  /** `npm run pulumi -- ARGUMENTS`, with a pulumi on PATH that is this script. */
  async wrapper(body: string, args: readonly string[]) {
    const folder = await this.engine("wrapped", "3.259.0");
    await writeScript(path.join(folder, CLI), `[ "$1" = version ] && echo v3.259.0 && exit\n${body}`);
    const env = { ...this.environment(), PATH: `${folder}:${process.env.PATH}` };
    const child = this.node([path.join("scripts", "pulumi.ts"), ...args], env);
    const printed: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => printed.push(text));
    const prints = (text: string) => vi.waitFor(() => expect(printed.join("")).toBe(text), { timeout: 15_000 });
    return { child, prints };
  }
}

const test = base.extend<{ box: Box }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern here, to read from it what the fixture needs.
  box: async ({}, use) => {
    const box = new Box(await mkdtemp(path.join(tmpdir(), "engine-install-")));
    await use(box);
    for (const child of box.started) killGroup(child);
    await rm(box.home, { recursive: true, force: true });
  },
});

/** The network of a test is not that of a user. */
function answerDownloads(answer: (url: string) => Response): void {
  vi.stubGlobal("fetch", async (url: string) => answer(url));
}
beforeEach(() =>
  answerDownloads(() => {
    throw new TypeError("fetch failed");
  }),
);
afterEach(() => void vi.unstubAllGlobals());

const pathOf = (engine: object): string[] => (engine as Engine).environment.PATH?.split(":") ?? [];

describe("the choice of an engine", () => {
  test("takes pulumi from PATH if it is new enough and its language host is beside it", async ({ box }) => {
    const folder = await box.engine("good", "3.259.0");
    const engine = await searchEngine(box.environment("/usr/bin", folder));
    expect(engine).toMatchObject({ folder, version: "3.259.0" });
    expect(pathOf(engine)[0]).toBe(folder);
  });

  test("accepts a language host elsewhere on PATH", async ({ box }) => {
    const folder = await box.engine("cli", "3.300.1", [LANGUAGE_HOST]);
    const host = await box.script("host", LANGUAGE_HOST, "");
    expect(await searchEngine(box.environment(folder, host))).toMatchObject({ folder });
  });

  test("skips an old pulumi in front of a new one", async ({ box }) => {
    const old = await box.engine("old", "3.258.9");
    const folder = await box.engine("new", "3.260.0");
    const engine = await searchEngine(box.environment(old, folder));
    expect(engine).toMatchObject({ folder, version: "3.260.0" });
    expect(pathOf(engine)[0]).toBe(folder);
  });

  test("adds the SDK's script to PATH if a distribution omits it", async ({ box }) => {
    const folder = await box.engine("bare", "3.259.0", [PROVIDER_SCRIPT]);
    const engine = await searchEngine(box.environment(folder));
    expect(pathOf(engine).at(-1)).toBe(sdkFolder());
  });

  test.for([
    ["too old", "3.258.0", [], "is 3.258.0, too old"],
    ["without its language host", "3.259.0", [LANGUAGE_HOST], `${LANGUAGE_HOST} is neither beside it nor on PATH`],
    ["broken", "nonsense", [], "does not report its version"],
  ] as const)("refuses one that is %s, and says why", async ([, version, without, reason], { box }) => {
    const options = { environment: box.environment(await box.engine("refused", version, without)) };
    expect(await searchEngine(options.environment)).not.toHaveProperty("folder");
    await expect(ensureEngine({ ...options, log: box.log })).rejects.toThrow(reason);
  });

  test("checks one of the cache that is on PATH like any other, and refuses it without its language host", async ({
    box,
  }) => {
    const cache = cachedFolder(box.environment());
    await mkdir(path.dirname(cache), { recursive: true });
    await rename(await box.engine("cached", "3.259.0", [LANGUAGE_HOST]), cache);
    expect(await searchEngine(box.environment(cache))).not.toHaveProperty("folder");
  });

  test("falls back to the cached copy", async ({ box }) => {
    const { folder } = await ensureEngine({ environment: box.environment(...(await box.go())), log: box.log });
    const script = path.join(folder, PROVIDER_SCRIPT);
    expect(await readFile(script)).toEqual(await readFile(path.join(sdkFolder(), PROVIDER_SCRIPT)));
    const old = await box.engine("old", "3.100.0");
    expect(await searchEngine(box.environment(old))).toMatchObject({ folder, version: ENGINE_VERSION });
    await runProcess(script, [], { deadline: 5_000, cwd: box.home, env: { PATH: "" } });
    expect(await readdir(folder)).toEqual(THREE_FILES);
  });

  test("takes the language hosts of other languages from PATH, if there are all of them", async ({ box }) => {
    const folder = await box.engine("all", ENGINE_VERSION);
    const options = { environment: box.environment(folder), log: box.log };
    for (const host of OTHER_HOSTS) {
      await expect(ensureLanguages(options)).rejects.toThrow(/no language hosts .*put pulumi-language-go/s);
      await writeScript(path.join(folder, host), "");
    }
    expect(await ensureLanguages(options)).toMatchObject({ folder });
    expect(await readdir(box.cache)).toEqual([]);
  });

  test("compares versions by number", () => {
    expect(isAtLeast("3.1000.0", "3.259")).toBe(true);
    expect(isAtLeast("4.0.0", "3.259")).toBe(true);
    expect(isAtLeast("go1.9.2", "1.26")).toBe(false);
    expect(isAtLeast("unknown", "1.26")).toBe(false);
  });
});

describe("an installation", () => {
  test("runs the installation script of get.pulumi.com through the Automation API", async ({ box }) => {
    answerDownloads((url) => new Response(url === "https://get.pulumi.com/install.sh" ? installer("$4") : "exit 1"));
    const engine = await ensureEngine({ environment: box.environment("/usr/bin", "/bin"), log: box.log });
    expect(engine).toMatchObject({ folder: path.join(box.cache, engineName), version: ENGINE_VERSION });
    expect(await readdir(engine.folder)).toEqual([CLI, LANGUAGE_HOST]);
    expect(await readdir(box.cache)).toEqual([engineName]);
    const stdout = await runProcess("pulumi", ["version"], { env: engine.environment, deadline: 5_000 });
    expect(stdout).toBe(`v${ENGINE_VERSION}\n`);
  });

  test.for([
    ["an old CLI", installer("3.1.0"), "Minimum version requirement failed"],
    ["a CLI without its language host", `${installer("$4")}; rm ${LANGUAGE_HOST}`, "did not produce both"],
    ["nothing", "echo no space left >&2; exit 1", "no space left"],
  ] as const)("refuses a download that is %s, and leaves nothing behind", async ([, script, reason], { box }) => {
    answerDownloads(() => new Response(script));
    const environment = box.environment("/usr/bin", "/bin");
    await expect(ensureEngine({ environment, log: box.log })).rejects.toThrow(reason);
    expect(await readdir(box.cache)).toEqual([]);
  });

  test("builds the engine if it cannot be downloaded, and reports it", async ({ box }) => {
    const engine = await ensureEngine({ environment: box.environment(...(await box.go())), log: box.log });
    expect(engine).toMatchObject({ folder: path.join(box.cache, engineName), version: ENGINE_VERSION });
    expect(await readdir(engine.folder)).toEqual(THREE_FILES);
    expect(await readdir(box.cache)).toEqual([engineName]);
    expect(box.said()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Failed to download .*: fetch failed/),
        expect.stringMatching(/about 5 minutes/),
      ]),
    );
  });

  test("replaces a damaged engine in the cache", async ({ box }) => {
    const options = { environment: box.environment(...(await box.go())), log: box.log };
    const { folder } = await ensureEngine(options);
    await rm(path.join(folder, LANGUAGE_HOST));
    await ensureEngine(options);
    expect(await readdir(folder)).toEqual(THREE_FILES);
    expect(await readdir(box.cache)).toEqual([path.basename(folder)]);
  });

  test("if nothing works, names the causes and what to do", async ({ box }) => {
    const go = await box.script("go", "go", "echo go version go1.22.1 linux/amd64");
    const old = await box.engine("old", "3.258.0");
    const { message } = await failureOf(ensureEngine({ environment: box.environment(old, go), log: box.log }));
    const said = message.replace(old, "OLD").replace(`${box.cache}/${engineName}`, "FOLDER");
    expect(said).toHaveWording("no engine, no download and an old Go");
  });

  test("shows the last lines of a failed build, and says that Go is missing", async ({ box }) => {
    const body = `[ "$1" = version ] && echo go1.30.0 && exit; echo compiling; echo no such module >&2; exit 1`;
    const go = await box.script("go", "go", body);
    const failed = ensureEngine({ environment: box.environment(go), log: box.log });
    await expect(failed).rejects.toThrow(/\(now: go failed \(1\)\)\n {2}\| compiling\n {2}\| no such module$/);
    const missing = ensureEngine({ environment: box.environment(), log: box.log });
    await expect(missing).rejects.toThrow("now: go is not on PATH");
    expect(await readdir(box.cache)).toEqual([]);
  });
});

describe.concurrent("with real processes", { timeout: 20_000 }, () => {
  test("ends a program at its time limit, and says how one failed", async () => {
    const late = runProcess("/bin/sleep", ["60"], { deadline: 300 });
    await expect(late).rejects.toThrow("sleep took longer than 0.3 s");
    const failed = runProcess("/bin/sh", ["-c", "echo right; echo wrong >&2; exit 3"], { deadline: 5_000 });
    await expect(failed).rejects.toEqual(new CommandFailed("sh failed (3)", "right\nwrong\n"));
  });

  test("Ctrl-C reaches pulumi once, and the wrapper ends with the status of pulumi", async ({ box }) => {
    const body = `trap 'echo interrupted' INT; echo "$@"; for i in 1 2 3 4; do sleep 0.1; done; exit 5`;
    const { child, prints } = await box.wrapper(body, ["up", "--yes"]);
    await prints("up --yes\n");
    process.kill(-Number(child.pid), "SIGINT");
    expect(await once(child, "close")).toEqual([5, null]);
    await prints("up --yes\ninterrupted\n");
  });

  test("SIGTERM is passed on to pulumi", async ({ box }) => {
    const { child, prints } = await box.wrapper("trap 'exit 9' TERM; echo ready; while :; do sleep 0.1; done", ["up"]);
    await prints("ready\n");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([9, null]);
  });
});

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-Number(pid), "SIGKILL");
  } catch {
    // It has ended, as it should.
  }
}

async function fillEngine(folder: string, version: string): Promise<void> {
  await writeScript(path.join(folder, CLI), `[ "$1" = version ] && echo v${version}`);
  await writeScript(path.join(folder, LANGUAGE_HOST), "");
}

function writeScript(file: string, body: string): Promise<void> {
  return writeFile(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}
