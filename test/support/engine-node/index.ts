import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { root } from "../../../scripts/stack";
import { keyEnvironment } from "./key-service";
import { pluginFile } from "./plugin";

const sdk = path.dirname(require.resolve("@pulumi/pulumi/package.json"));

/** The SDK's own host of dynamic providers. */
export const providerScript = path.join(sdk, "cmd", "dynamic-provider", "index.js");

/** The host that a project gets with the folder `dynamic-host`: its path, as the script of that folder writes it. */
const dynamicHostScript = `${path.join(root, "dynamic-host")}/../dist/start/dynamic-provider.js`;

/** A run leaves much garbage. With more space for new objects, Node.js collects it less often. */
export const nodeOptions = ["--max-semi-space-size=64"];

/** The SDK's own start of a program. */
export const programScript = path.join(sdk, "cmd", "run", "index.js");

/**
 * Saves the engine's commands most of their time, which is Node.js loading the SDK: up to three times for each provider and
 * once for each program. The script `node` of this folder is first on the PATH of the commands. The engine and its scripts
 * start it as they start Node.js, and it hands providers to a resident process, one for each worker of vitest, which has
 * loaded the SDK.
 */
export class EngineNode {
  private constructor(private readonly residents: readonly Resident[]) {}

  static async start(workers: number): Promise<EngineNode> {
    const residents = await Promise.all(Array.from({ length: workers }, startResident));
    return new EngineNode(residents);
  }

  /** Environment of the commands of each worker. */
  get environments(): Record<string, string>[] {
    return this.residents.map(({ port, keyPort }) => ({
      ...keyEnvironment(keyPort),
      ENGINE_NODE_PORT: port,
      ENGINE_NODE_REAL: process.execPath,
      ENGINE_NODE_VERSION: process.version,
      ENGINE_NODE_SETTINGS: `${process.env.NODE_OPTIONS ?? ""} ${process.env.NODE_EXTRA_CA_CERTS ?? ""}`,
      ENGINE_NODE_SDK: sdk,
      ENGINE_NODE_PLUGIN: pluginFile,
      ENGINE_NODE_DYNAMIC_HOST: dynamicHostScript,
      ENGINE_NODE_STACKS: path.join(root, ".stacks"),
      PATH: [__dirname, process.env.PATH].join(path.delimiter),
      // The engine needs little memory, but would spend a sixth of its start on collecting garbage.
      GOGC: "400",
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.residents.map(stopResident));
  }
}

/** Environment of commands whose providers and programs are processes as the engine starts them. */
export const ownProcesses = { ENGINE_NODE_PORT: "" };

interface Resident {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly port: string;
  /** Of the key service. */
  readonly keyPort: string;
}

async function startResident(): Promise<Resident> {
  const loader = path.join(root, "scripts", "load-typescript.js");
  const args = [...nodeOptions, "-r", loader, path.join(__dirname, "server.ts")];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the resident provider did not start")));
  const [ports] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  ended.catch(() => undefined);
  const [port = "", keyPort = ""] = String(ports).split(" ");
  return { child, port, keyPort };
}

async function stopResident({ child }: Resident): Promise<void> {
  const ended = once(child, "exit");
  child.stdin.end();
  await ended;
}
