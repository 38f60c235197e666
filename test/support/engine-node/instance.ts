import { createRequire } from "node:module";
import path from "node:path";
import type { Server } from "@grpc/grpc-js";
import { providerScript as script } from ".";

/** What the engine gives to the process that it starts. */
export interface Start {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Address of the engine. */
  readonly engine: string;
}

interface Bound {
  readonly server: Server;
  readonly port: number;
}

const host = createRequire(script);
const { Server: grpcServer } = host("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
const compiled = path.resolve(__dirname, "../../../dist") + path.sep;
const events = ["uncaughtException", "unhandledRejection", "exit"] as const;
// biome-ignore lint/suspicious/noConsole: the compiled package replaces it, once for each instance
const print = console.error;

/** Everything that an instance needs and no instance changes; loaded once, which is what this process is for. */
export function prepare(): void {
  host("../../index");
  for (const name of ["../../runtime", "require-from-string", "source-map-support/register"]) host(name);
}

/**
 * A run of the SDK's script in this process. The script, the compiled package and the state of the SDK are new in each, as in a
 * process of their own; arguments, environment and folder of this process are those of the last instance.
 */
export class Instance {
  private constructor(private readonly bound: Bound) {}

  static async start({ folder, environment, engine }: Start): Promise<Instance> {
    forget();
    process.chdir(folder);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, environment);
    const bound = nextBound();
    process.argv = [process.execPath, script, engine];
    host(script);
    // The package ends its process when the engine at this address is gone; here, the end of the connection is the sign.
    process.argv = [process.execPath, script];
    return new Instance(await bound);
  }

  get port(): number {
    return this.bound.port;
  }

  end(): void {
    this.bound.server.forceShutdown();
  }
}

function forget(): void {
  for (const file of Object.keys(require.cache)) {
    if (file === script || file.startsWith(compiled)) delete require.cache[file];
  }
  Object.assign(globalThis, { globalStore: undefined });
  for (const event of events) process.removeAllListeners(event);
  console.error = print;
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
