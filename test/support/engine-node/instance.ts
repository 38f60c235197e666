import Module, { createRequire } from "node:module";
import path from "node:path";
import type { Server } from "@grpc/grpc-js";
import { providerScript as script } from ".";

/** What the engine gives to the process that it starts. */
export interface Start {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly engine: string;
}

interface Bound {
  readonly server: Server;
  readonly port: number;
}

type Evaluate = (text: string) => { handler(): unknown };

const requireForScript = createRequire(script);
const evaluator = requireForScript.resolve("require-from-string");
const evaluate = requireForScript(evaluator) as Evaluate;
const { Server: grpcServer } = requireForScript("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
const compiled = path.resolve(__dirname, "../../../dist") + path.sep;
const events = ["uncaughtException", "unhandledRejection", "exit"] as const;
// biome-ignore lint/suspicious/noConsole: the compiled package replaces it, once for each instance
const print = console.error;

/** The instance whose modules are being loaded. */
let loading: Instance | undefined;

/** Loads what every instance needs and none changes, which is what this process is for. */
export function prepareInstance(): void {
  requireForScript("../../index");
  requireForScript("source-map-support/register");
  // Not a no-op: after any assignment to `wrapper`, Node.js compiles modules with the function around them, and V8 reuses equal texts.
  Object.assign(Module, { wrapper: (Module as unknown as { wrapper: string[] }).wrapper });
}

/**
 * A run of the SDK's script in this process. The script, the modules of the compiled package and the state of the SDK are its
 * own, as in a process; arguments, environment and folder of this process are those of the last instance.
 */
export class Instance {
  private modules: NodeJS.Dict<NodeModule> = {};
  private bound!: Bound;

  static async start({ folder, environment, engine }: Start): Promise<Instance> {
    const instance = new Instance();
    forget();
    process.chdir(folder);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, environment);
    const bound = nextBound();
    process.argv = [process.execPath, script, engine];
    withEvaluator(
      (text) => instance.evaluate(text),
      () => requireForScript(script),
    );
    // Without the engine's address, the package does not watch the engine: here, the end of the connection ends the instance.
    process.argv = [process.execPath, script];
    instance.bound = await bound;
    return instance;
  }

  get port(): number {
    return this.bound.port;
  }

  end(): void {
    this.bound.server.forceShutdown();
  }

  /** Loads modules of the compiled package as those of this instance. */
  inside<T>(load: () => T): T {
    const outer = loading;
    outer?.takeModules();
    Object.assign(require.cache, this.modules);
    loading = this;
    try {
      return load();
    } finally {
      this.takeModules();
      Object.assign(require.cache, outer?.modules);
      loading = outer;
    }
  }

  private evaluate(text: string): ReturnType<Evaluate> {
    const { handler } = this.inside(() => evaluate(text));
    return { handler: () => this.inside(handler) };
  }

  private takeModules(): void {
    for (const [file, module] of Object.entries(require.cache)) {
      if (!module || !file.startsWith(compiled)) continue;
      this.modules[file] = module;
      // What the module loads later belongs to this instance as well.
      const load = (name: string) => this.inside(() => Module.prototype.require.call(module, name));
      Object.assign(module, { require: load });
      delete require.cache[file];
    }
  }
}

function forget(): void {
  // A module keeps those that it loads as its children, and so everything that belongs to an instance.
  const loader = require.cache[script]?.parent;
  if (loader) loader.children.length = 0;
  delete require.cache[script];
  Object.assign(globalThis, { globalStore: undefined });
  for (const event of events) process.removeAllListeners(event);
  console.error = print;
}

/** Calls `load`, and lets the script evaluate the texts in the state with `own` meanwhile. */
function withEvaluator(own: Evaluate, load: () => void): void {
  const module = require.cache[evaluator] as NodeModule;
  module.exports = own;
  load();
  module.exports = evaluate;
}

/** The script prints its port, and keeps its server to itself. */
function nextBound(): Promise<Bound> {
  const { bindAsync } = grpcServer.prototype;
  return new Promise((resolve, reject) => {
    grpcServer.prototype.bindAsync = function (address, credentials, done) {
      grpcServer.prototype.bindAsync = bindAsync;
      bindAsync.call(this, address, credentials, (error, port) => {
        done(error, port);
        if (error) reject(error);
        else resolve({ server: this, port });
      });
    };
  });
}
