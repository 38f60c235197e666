import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ensureEngine } from "../scripts/engine";
import { root } from "../scripts/stack";
import { watchProcesses } from "./processes";
import { Service } from "./service";

const cli = path.join(root, "dist", "cli", "index.js");

export interface CommandCost {
  readonly seconds: number;
  readonly requests: number;
  /** Peak memory of the largest process of this package, in MiB. */
  readonly memory: number;
}

/** Whether Node.js runs a command of this package (but not the emulator), or the plugin that the engine starts. */
const isOurs = (command: string) => /^\S*node\0\S*\/(dist\/cli|plugin)\/index\.js\0(?!emulate)/.test(command);

/** A folder with `organization.yaml`, and an organization of its own. */
export class Place {
  private constructor(
    readonly service: Service,
    private readonly home: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(...size: string[]): Promise<Place> {
    const { folder } = await ensureEngine();
    const service = await Service.start(...size);
    const home = await mkdtemp(path.join(tmpdir(), "docs-org-long-"));
    const environment = {
      ...process.env,
      ...service.environment,
      PATH: [folder, process.env.PATH].join(path.delimiter),
      PULUMI_HOME: path.join(home, ".pulumi"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_BACKEND_URL: "",
    };
    return new Place(service, home, environment);
  }

  start(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
    const env = { ...this.environment, ...more };
    return spawn(process.execPath, args, { cwd: this.home, env, stdio: ["ignore", "pipe", "pipe"] });
  }

  async run(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandCost> {
    await this.service.takeRequests();
    const watch = watchProcesses(isOurs);
    const begun = performance.now();
    const child = this.start([cli, ...args], more);
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => printed.push(text));
    const status = await new Promise((resolve) => child.once("close", resolve));
    const seconds = (performance.now() - begun) / 1000;
    const memory = watch.stop() / 1024;
    if (status !== 0)
      throw new Error(`docs-org ${args.join(" ")} ended with ${status}:\n${printed.join("").slice(-4000)}`);
    const requests = Object.values(await this.service.takeRequests()).reduce((sum, count) => sum + count, 0);
    return { seconds, requests, memory };
  }

  async exportState(file: string): Promise<void> {
    const args = ["stack", "export", "--cwd", ".docs-org", "--stack", "main", "--file", path.join(this.home, file)];
    await promisify(execFile)("pulumi", args, {
      cwd: this.home,
      env: { ...this.environment, PULUMI_CONFIG_PASSPHRASE: "" },
    });
  }

  /** The files of a folder, none if there is no such folder. */
  async filesIn(folder: string): Promise<string[]> {
    const names = await readdir(path.join(this.home, folder)).catch(() => []);
    return names.sort().map((name) => path.join(folder, name));
  }

  read = (file: string): Promise<string> => readFile(path.join(this.home, file), "utf8");
  write = (file: string, text: string): Promise<void> => writeFile(path.join(this.home, file), text);

  async remove(): Promise<void> {
    await this.service.stop();
    await rm(this.home, { recursive: true, force: true });
  }
}
