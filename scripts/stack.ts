import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { CLI } from "../provider/engine/find";
import { type Places, passphrase, stateFileOf, writeEmptyStack } from "./empty-stack";
import { type Engine, ensureEngine } from "./engine";

export const root = path.resolve(__dirname, "..");

export interface CommandOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout and stderr interleaved, as a terminal shows them. */
  readonly output: string;
}

export interface Written {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export function outcomeOf(status: number, written: readonly Written[]): CommandOutcome {
  const textOf = (...streams: string[]) =>
    written.flatMap(({ stream, text }) => (streams.includes(stream) ? text : [])).join("");
  return { status, stdout: textOf("stdout"), stderr: textOf("stderr"), output: textOf("stdout", "stderr") };
}

/** A program: its `index.ts`, or the folder of an example to copy. */
export type Program = { readonly text: string } | { readonly example: string };

export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly protect?: boolean;
}

const projectFile = "name: docs-org-test\nruntime: nodejs\nmain: index.ts\noptions:\n  refresh: always\n";
const tsconfig = { extends: "../../examples/tsconfig.json" };

/**
 * A separate stack with the real engine. State, settings and passphrase are in temporary folders that are removed with it, so
 * the user's login and global settings are not touched. The program is below the checkout, because only there it can import
 * the package by name.
 */
export class Stack {
  private constructor(
    readonly folder: string,
    private readonly home: string,
    private readonly engine: Engine,
    /** Settings of the service for the commands. May change between them, for example to a rotated token. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(program: Program, environment: NodeJS.ProcessEnv = {}): Promise<Stack> {
    const engine = await ensureEngine();
    await mkdir(path.join(root, ".stacks"), { recursive: true });
    const folder = await mkdtemp(path.join(root, ".stacks", "stack-"));
    const home = await mkdtemp(path.join(tmpdir(), "docs-org-stack-"));
    await mkdir(path.join(home, "state"));
    const stack = new Stack(folder, home, engine, { ...environment });
    await stack.write(program);
    await writeEmptyStack(stack.places);
    return stack;
  }

  async write(program: Program): Promise<void> {
    if ("example" in program) {
      await cp(path.join(root, "examples", program.example), this.folder, { recursive: true });
    } else {
      const project = path.join(this.folder, "Pulumi.yaml");
      if (!existsSync(project)) await writeFile(project, projectFile);
      await writeFile(path.join(this.folder, "index.ts"), program.text);
    }
    await writeFile(path.join(this.folder, "tsconfig.json"), JSON.stringify(tsconfig));
  }

  /** Puts this package where an installation would: some projects name folders of it. */
  async linkPackage(): Promise<void> {
    await mkdir(path.join(this.folder, "node_modules"), { recursive: true });
    await symlink(root, path.join(this.folder, "node_modules", "pulumi-docs-org"));
  }

  preview = (...args: string[]) => this.run("preview", ...args);
  up = (...args: string[]) => this.run("up", "--yes", "--skip-preview", ...args);
  refresh = (...args: string[]) => this.run("refresh", "--yes", "--skip-preview", ...args);
  destroy = (...args: string[]) => this.run("destroy", "--yes", "--skip-preview", ...args);

  async setConfig(key: string, value: string, ...options: string[]): Promise<void> {
    const { status, output } = await this.run("config", "set", ...options, key, "--", value);
    if (status !== 0) throw new Error(output);
  }

  /** Stores the token as a secret, and the other settings as they are. */
  async setSettings({ token, ...others }: Readonly<Record<string, string>>): Promise<void> {
    const plain = Object.entries(others).flatMap(([name, value]) => ["--plaintext", `docs:${name}=${value}`]);
    const { status, output } = await this.run("config", "set-all", ...plain, "--secret", `docs:token=${token}`);
    if (status !== 0) throw new Error(output);
  }

  /** The resources in the state, without the stack and its providers. */
  async resources(): Promise<ResourceState[]> {
    const all = await this.allResources();
    return all.filter(({ type }) => type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:"));
  }

  /** The outputs of the program; secrets are encrypted. */
  async outputs(): Promise<Record<string, unknown>> {
    const all = await this.allResources();
    return all.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  }

  private async allResources(): Promise<ResourceState[]> {
    const { checkpoint } = JSON.parse(await this.stateFile());
    return checkpoint.latest?.resources ?? [];
  }

  /** Content of the state file, as a reader of the backend sees it. */
  async stateFile(): Promise<string> {
    return readFile(await stateFileOf(this.places), "utf8");
  }

  async restoreStateFile(content: string): Promise<void> {
    const file = await stateFileOf(this.places);
    // The attributes have the checksum of the former content.
    await rm(`${file}.attrs`, { force: true });
    await writeFile(file, content);
  }

  run(...args: string[]): Promise<CommandOutcome> {
    return this.execute(path.join(this.engine.folder, CLI), ["--non-interactive", "--color", "never", ...args]);
  }

  /** Runs another program in the same folder, with the same settings, and with the engine on its PATH. */
  execute(
    command: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
    input?: string,
  ): Promise<CommandOutcome> {
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...this.settings(), ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(input);
    const written: Written[] = [];
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => written.push({ stream, text }));
    }
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(outcomeOf(code ?? 1, written)));
    });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.home, { recursive: true, force: true });
    // Removes the parent folder with the last stack; rmdir fails while other stacks exist.
    await rmdir(path.dirname(this.folder)).catch(() => undefined);
  }

  /**
   * Removes the file with the attributes of the state file if a killed engine has left it empty, because the engine then reads
   * no state: "failed to load checkpoint: EOF" (seen in CLI 3.259).
   */
  async removeEmptyAttributes(): Promise<void> {
    const file = `${await stateFileOf(this.places)}.attrs`;
    if (existsSync(file) && (await readFile(file, "utf8")) === "") await rm(file);
  }

  get pulumiHome(): string {
    return this.places.home;
  }

  get stateFolder(): string {
    return this.places.state;
  }

  private get places(): Places {
    const { PULUMI_HOME = "", PULUMI_BACKEND_URL = "" } = this.settings();
    return { program: this.folder, home: PULUMI_HOME, state: PULUMI_BACKEND_URL.replace("file://", "") };
  }

  /** Lets a script follow the options of a project that has some: the language host of scripts/language-host ignores them. */
  private runtimeOptions(): NodeJS.ProcessEnv {
    const project = path.join(this.folder, "Pulumi.yaml");
    const hasOptions = existsSync(project) && readFileSync(project, "utf8").includes("nodeargs:");
    return hasOptions ? { PULUMI_LANGUAGE_NODEJS_RUN_PATH: path.join(__dirname, "run-with-options.js") } : {};
  }

  settings(): NodeJS.ProcessEnv {
    return {
      ...this.engine.environment,
      PULUMI_HOME: path.join(this.home, "home"),
      PULUMI_BACKEND_URL: `file://${path.join(this.home, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // `npm run check` checks types; checking them again for every command would take longer than everything else.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      ...this.runtimeOptions(),
      ...this.environment,
    };
  }
}
