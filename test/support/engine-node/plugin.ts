import { Console } from "node:console";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PassThrough } from "node:stream";
import { Script } from "node:vm";
import { root } from "../../../scripts/stack";

/** What the script of the plugin runs. */
export const pluginFile = path.join(root, "plugin", "index.js");
/** What that file runs. */
const bundle = path.join(root, "plugin", "provider.js");

/** What Node.js gives to a module, and two globals that belong to a process. */
const names = ["exports", "require", "module", "__filename", "__dirname", "process", "console"];
let script: Script | undefined;

const shared = globalThis as { proto?: { google: { protobuf: object } } };
/** The messages of the SDK in `proto`. The bundle of each instance adds its own there, which would keep all instances in memory. */
let messages: object | undefined;

/** V8 keeps what it has compiled of the bundle for the next instance. */
function load(process: NodeJS.Process, console: Console): void {
  messages ??= shared.proto?.google.protobuf ?? {};
  shared.proto = { google: { protobuf: { ...messages } } };
  script ??= new Script(`(function (${names}) {${readFileSync(bundle, "utf8")}\n})`, { filename: bundle });
  const module = { exports: {} };
  const require = createRequire(bundle);
  script.runInThisContext()(module.exports, require, module, bundle, path.dirname(bundle), process, console);
}

/**
 * A run of the plugin in this process. All its modules are its own, since the bundle has them, and so are its environment,
 * streams and listeners. Its end is that of a real process which gets SIGTERM.
 */
export class PluginInstance {
  port = 0;
  /** What it prints for the user. */
  readonly errors = new PassThrough();
  private readonly listeners = new Map<string, () => void>();

  static async start(environment: NodeJS.ProcessEnv): Promise<PluginInstance> {
    const instance = new PluginInstance();
    instance.port = await new Promise<number>((resolve) => {
      const stdout = { write: (text: string) => resolve(Number(text)) };
      load(instance.processWith(environment, stdout), new Console(instance.errors, instance.errors));
    });
    return instance;
  }

  end(): void {
    this.listeners.get("SIGTERM")?.();
  }

  /**
   * The process, as the plugin sees it. Its arguments have no address of the engine: with one, the plugin would end this process when
   * the engine is gone. Here, the end of the connection ends the instance, and the engine sends its address anyway.
   */
  private processWith(env: NodeJS.ProcessEnv, stdout: object): NodeJS.Process {
    const { errors: stderr, listeners } = this;
    const on = (event: string, listener: () => void) => listeners.set(event, listener);
    const own = { argv: [process.execPath, pluginFile], env, stdout, stderr, on, exit: () => undefined };
    return Object.create(process, Object.getOwnPropertyDescriptors(own));
  }
}
