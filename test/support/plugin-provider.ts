import { Server } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { answerTo, bind } from "../../provider/hosts/plugin/grpc";
import { Instance } from "../../provider/hosts/plugin/instance";
import { listen } from "../../provider/hosts/plugin/main";
import { readStruct, toStruct } from "../../provider/hosts/plugin/values";
import { noticeOf } from "../../provider/run/presentation";
import { engineClient } from "./engine-client";
import { type Properties, ProtocolProvider, type Wire } from "./protocol-provider";

type InstanceOptions = ConstructorParameters<typeof Instance>[0];

export interface PluginOptions extends Partial<InstanceOptions> {
  readonly config?: Record<string, string>;
  /** The name of the provider object; by default, the engine's own. */
  readonly name?: string;
  readonly urn?: string;
  /** The engine of the command, if it has several provider objects. */
  readonly log?: LogOfEngine;
}

/** The log of an engine, as the provider sees it. */
export class LogOfEngine {
  readonly messages: { readonly urn: string; readonly text: string; readonly severity: number }[] = [];
  /** Messages are answered after it. */
  answering: Promise<void> = Promise.resolve();
  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async start(): Promise<LogOfEngine> {
    const server = new Server();
    const log = new LogOfEngine(server, `127.0.0.1:${await bind(server)}`);
    const receive = (call: { request: LogRequest }, callback: (error: null, value: Empty) => void) => {
      const { request } = call;
      log.messages.push({ urn: request.getUrn(), text: request.getMessage(), severity: request.getSeverity() });
      void log.answering.then(() => callback(null, new Empty()));
    };
    server.addService(EngineService, { log: receive } as never);
    return log;
  }

  stop(): void {
    this.server.forceShutdown();
  }
}

/** What the engine sends for a secret: the key marks special values, and its value says that this one is a secret. */
export const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** The provider plugin, not configured yet. It uses the given log, or has one of its own. */
export async function startPlugin(options: Partial<InstanceOptions> = {}, given?: LogOfEngine) {
  const log = given ?? (await LogOfEngine.start());
  const instance = new Instance({ version: "0.0.0", environment: {}, ...options });
  instance.meet(log.address);
  const { port, end } = await listen(instance);
  const client = engineClient(`127.0.0.1:${port}`);
  const stop = async () => {
    client.close();
    await end();
    if (!given) log.stop();
  };
  return { client, log, stop };
}

const wire: Wire = { write: (properties) => toStruct(properties), read: (struct) => readStruct(struct).properties };

export class PluginProvider extends ProtocolProvider {
  readonly log: LogOfEngine;

  private constructor(
    resource: string,
    private readonly plugin: Awaited<ReturnType<typeof startPlugin>>,
    name = "test",
  ) {
    super(plugin.client, wire, `urn:pulumi:test::project::docs:index:${resource}::${name}`);
    this.log = plugin.log;
  }

  static async start(resource: string, options: PluginOptions = {}): Promise<PluginProvider> {
    const { config = {}, name = "default", urn = "", log, ...instance } = options;
    const plugin = await startPlugin(instance, log);
    const args = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace("docs:", ""), value]));
    const request = new messages.ConfigureRequest().setName(name).setUrn(urn).setId("id");
    const struct = toStruct(args, new Set(["token", "tokens"]));
    await answerTo((done) => plugin.client.configure(request.setArgs(struct), done));
    return new PluginProvider(resource, plugin);
  }

  /** The same plugin for another resource, with the name that the program gives it. */
  of(resource: string, name?: string): PluginProvider {
    return new PluginProvider(resource, this.plugin, name);
  }

  get stderr(): string {
    return this.log.messages.map(({ text }) => noticeOf(text)).join("");
  }

  /** The preview of a creation, or of an update of the recorded state. */
  async preview(news: Properties, olds?: Properties): Promise<Properties> {
    const creation = new messages.CreateRequest().setUrn(this.urn).setProperties(wire.write(news)).setPreview(true);
    const update = new messages.UpdateRequest()
      .setUrn(this.urn)
      .setId("id")
      .setOlds(wire.write(olds ?? {}));
    const answer = await this.call<messages.CreateResponse | messages.UpdateResponse>((done) =>
      olds
        ? this.client.update(update.setNews(wire.write(news)).setPreview(true), done)
        : this.client.create(creation, done),
    );
    return wire.read(answer.getProperties());
  }

  async readExisting(id: string): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    return this.answerOfRead(new messages.ReadRequest().setUrn(this.urn).setId(id));
  }

  stop(): Promise<void> {
    return this.plugin.stop();
  }
}
