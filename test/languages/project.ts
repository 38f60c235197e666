import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import type { Emulator } from "../../provider/emulator";
import { settingsOf } from "../support/settings";
import type { Prepared } from "./setup";

/** A program of any language in an empty folder, whose commands run in a shell, as a reader types them. */
export class Project {
  private constructor(
    readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    /** Earlier commands that change the shell itself. */
    private readonly prelude: string[] = [],
  ) {}

  static async create(emulator: Emulator): Promise<Project> {
    const folder = await mkdtemp(path.join(tmpdir(), "docs-org-language-"));
    const prepared = await readPrepared();
    if ("failure" in prepared) throw new Error(prepared.failure);
    const { path: searched, home, project } = prepared;
    await copyFile(path.join(project, "package.json"), path.join(folder, "package.json"));
    await symlink(path.join(project, "node_modules"), path.join(folder, "node_modules"));
    await mkdir(path.join(folder, ".state"));
    return new Project(folder, {
      ...process.env,
      PATH: searched,
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${path.join(folder, ".state")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      // Python itself compiles the modules that a program imports, which are a small part.
      PIP_COMPILE: "0",
      npm_config_prefer_offline: "true",
      // As the engine's own modules are compiled, so that those that a program shares with it are compiled once.
      CGO_ENABLED: "0",
      GOFLAGS: "-trimpath",
      ...settingsOf(emulator),
    });
  }

  /** The same folder, against another emulator. */
  at(emulator: Emulator): Project {
    return new Project(this.folder, { ...this.environment, ...settingsOf(emulator) }, this.prelude);
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
      await writeFile(path.join(this.folder, name), content);
    }
  }

  read = (name: string): Promise<string> => readFile(path.join(this.folder, name), "utf8");

  /** Runs commands, and returns what they print; a failure throws it. */
  async run(commands: string): Promise<string> {
    const { status, output } = await this.attempt(commands);
    if (status !== 0) throw new Error(`${commands}\nexit status ${status}:\n${output}`);
    this.prelude.push(...commands.split("\n").filter((line) => line.startsWith(". ")));
    return output;
  }

  attempt(commands: string): Promise<{ status: number; output: string }> {
    const script = [...this.prelude, commands].join("\n");
    const child = spawn("sh", ["-ec", script], {
      cwd: this.folder,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ status: code ?? 1, output }));
    });
  }

  remove = (): Promise<void> => rm(this.folder, { recursive: true, force: true });
}

/** Waits for the file of the setup. */
async function readPrepared(): Promise<Prepared> {
  const file = inject("languages");
  while (!existsSync(file)) await setTimeout(100);
  return JSON.parse(await readFile(file, "utf8"));
}
