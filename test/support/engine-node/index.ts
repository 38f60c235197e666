import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { root } from "../../../scripts/stack";

const sdk = path.dirname(require.resolve("@pulumi/pulumi/package.json"));

/** The SDK's own host of dynamic providers. */
export const providerScript = path.join(sdk, "cmd", "dynamic-provider", "index.js");

/**
 * Saves the engine's commands most of their time, which is Node.js loading the SDK: up to three times for each provider and
 * once for each program. The script `node` of this folder is first on the PATH of the commands. The engine and its scripts
 * start it as they start Node.js, and it hands providers to a resident process, one for each worker of vitest, which has
 * loaded the SDK.
 */
export class EngineNode {
  private constructor(
    private readonly residents: readonly Resident[],
    private readonly folder: string,
  ) {}

  static async start(workers: number): Promise<EngineNode> {
    const residents = await Promise.all(Array.from({ length: workers }, startResident));
    const folder = await mkdtemp(path.join(tmpdir(), "docs-org-code-"));
    await mkdir(path.join(folder, "node_modules"));
    await copyFile(path.join(__dirname, "before-program.js"), beforeProgram(folder));
    return new EngineNode(residents, folder);
  }

  /** Environment of the commands of each worker. */
  get environments(): Record<string, string>[] {
    return this.residents.map(({ port }) => ({
      ENGINE_NODE_PORT: port,
      ENGINE_NODE_REAL: process.execPath,
      ENGINE_NODE_SDK: sdk,
      ENGINE_NODE_STACKS: path.join(root, ".stacks"),
      ENGINE_NODE_BEFORE_PROGRAM: beforeProgram(this.folder),
      ENGINE_NODE_CODE: path.join(this.folder, "code"),
      PATH: [__dirname, process.env.PATH].join(path.delimiter),
      // The engine needs little memory, and collects garbage a sixth of the time that it takes to start.
      GOGC: "400",
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.residents.map(stopResident));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Where the positions of resources in the program pass over it, as over every installed package. */
const beforeProgram = (folder: string) => path.join(folder, "node_modules", "before-program.js");

/** Environment of commands whose providers and programs are processes as the engine starts them. */
export const ownProcesses = { ENGINE_NODE_PORT: "" };

interface Resident {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly port: string;
}

async function startResident(): Promise<Resident> {
  const args = ["-r", "ts-node/register/transpile-only", path.join(__dirname, "server.ts")];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the resident provider did not start")));
  const [port] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  ended.catch(() => undefined);
  return { child, port };
}

async function stopResident({ child }: Resident): Promise<void> {
  const ended = once(child, "exit");
  child.stdin.end();
  await ended;
}
