import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { stubOf } from "../../provider/hosts/dynamic/stub";
import { engineClient } from "./engine-client";
import { type Properties, ProtocolProvider, type Wire } from "./protocol-provider";

const root = `${__dirname}/../..`;

/** The address of a server in place of the engine's. */
const standIn = new Promise<string>((resolve) => {
  const server = createServer((socket) => socket.destroy()).unref();
  server.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`));
});

/**
 * The real dynamic-provider process of the engine, driven over its protocol as the engine does, but without
 * the engine. It runs the compiled code, loaded by the stub's text, as in a stack.
 */
export class ProviderProcess extends ProtocolProvider {
  stderr = "";
  readonly ended: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    client: ResourceProviderClient,
    text: string,
  ) {
    super(client, wireWith(text));
    this.ended = new Promise((resolve) => child.once("exit", resolve));
    child.stderr.on("data", (chunk) => {
      this.stderr += chunk;
    });
  }

  static async start(
    resource: string,
    options: {
      config?: Record<string, string>;
      environment?: NodeJS.ProcessEnv;
      text?: string;
      folder?: string;
      engine?: string;
    } = {},
  ): Promise<ProviderProcess> {
    const environment = { PATH: process.env.PATH, HOME: process.env.HOME, ...options.environment };
    const { folder = root, engine = await standIn, text = stubOf(resource) } = options;
    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [script, engine], { cwd: folder, env: environment });
    const client = engineClient(`127.0.0.1:${await portOf(child)}`);
    const started = new ProviderProcess(child, client, text);
    const configuration = new ConfigureRequest().setArgs(struct(options.config ?? {}));
    await started.call((done) => client.configure(configuration, done));
    return started;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

const struct = (properties: Properties): Struct =>
  Struct.fromJavaScript(properties as Parameters<typeof Struct.fromJavaScript>[0]);

/** The state of the dynamic host has the text of the stub. */
const wireWith = (text: string): Wire => ({
  write: (properties) => struct({ ...properties, __provider: text }),
  read: (received) => {
    const { __provider, ...properties } = (received?.toJavaScript() ?? {}) as Properties;
    if (received && __provider !== text) throw new Error("an answer without the provider's text");
    return properties;
  },
});

/** The process prints the port that it serves. */
function portOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`the provider process ended with ${code}`)));
  });
}
