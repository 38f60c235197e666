import { Server, type ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { answerTo, bind } from "../../provider/hosts/plugin/grpc";
import { Instance } from "../../provider/hosts/plugin/instance";
import { listen } from "../../provider/hosts/plugin/main";
import { received, sent } from "../../provider/hosts/plugin/values";
import { noticeOf } from "../../provider/run/presentation";
import { engineClient } from "./engine-client";
import { type CheckResult, type DiffResult, failureAt, type PartialFailure, type Properties } from "./provider-process";

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
      callback(null, new Empty());
    };
    server.addService(EngineService, { log: receive } as never);
    return log;
  }

  stop(): void {
    this.server.forceShutdown();
  }
}

/** What the engine sends for a secret. */
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

/** The provider plugin, driven over its protocol as the engine does, for one resource. */
export class PluginProvider {
  readonly client: ResourceProviderClient;
  readonly log: LogOfEngine;
  private readonly urn: string;

  private constructor(
    resource: string,
    private readonly plugin: Awaited<ReturnType<typeof startPlugin>>,
    name = "test",
  ) {
    this.client = plugin.client;
    this.log = plugin.log;
    this.urn = `urn:pulumi:test::project::docs:index:${resource}::${name}`;
  }

  static async start(resource: string, options: PluginOptions = {}): Promise<PluginProvider> {
    const { config = {}, name = "default", urn = "", log, ...instance } = options;
    const plugin = await startPlugin(instance, log);
    const args = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace("docs:", ""), value]));
    const request = new messages.ConfigureRequest().setName(name).setUrn(urn).setId("id");
    await answerTo((done) => plugin.client.configure(request.setArgs(sent(args, new Set(["token", "tokens"]))), done));
    return new PluginProvider(resource, plugin);
  }

  /** The same plugin for another resource, with the name that the program gives it. */
  of(resource: string, name?: string): PluginProvider {
    return new PluginProvider(resource, this.plugin, name);
  }

  /** Everything that the provider has told the user. */
  get stderr(): string {
    return this.log.messages.map(({ text }) => noticeOf(text)).join("");
  }

  async check(olds: Properties | undefined, news: Properties): Promise<CheckResult> {
    const request = new messages.CheckRequest()
      .setUrn(this.urn)
      .setOlds(struct(olds ?? {}))
      .setNews(struct(news));
    const answer = await this.call<messages.CheckResponse>((done) => this.client.check(request, done));
    const failures = answer.getFailuresList().map((one) => failureAt(one.getProperty(), one.getReason()));
    return { inputs: plain(answer.getInputs()), failures };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const request = new messages.DiffRequest().setUrn(this.urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    const answer = await this.call<messages.DiffResponse>((done) => this.client.diff(request, done));
    return {
      changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    };
  }

  async create(inputs: Properties): Promise<{ id: string; properties: Properties }> {
    const request = new messages.CreateRequest().setUrn(this.urn).setProperties(struct(inputs));
    const answer = await this.call<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: answer.getId(), properties: plain(answer.getProperties()) };
  }

  /** The preview of a creation, or of an update of the recorded state. */
  async preview(news: Properties, olds?: Properties): Promise<Properties> {
    const creation = new messages.CreateRequest().setUrn(this.urn).setProperties(struct(news)).setPreview(true);
    const update = new messages.UpdateRequest()
      .setUrn(this.urn)
      .setId("id")
      .setOlds(struct(olds ?? {}));
    const answer = await this.call<messages.CreateResponse | messages.UpdateResponse>((done) =>
      olds
        ? this.client.update(update.setNews(struct(news)).setPreview(true), done)
        : this.client.create(creation, done),
    );
    return plain(answer.getProperties());
  }

  async read(id: string, properties: Properties): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    const request = new messages.ReadRequest().setUrn(this.urn).setId(id).setProperties(struct(properties));
    // The engine sends the recorded inputs as well; an import has none.
    return this.answerOfRead(request.setInputs(struct(properties)));
  }

  async readExisting(id: string): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    return this.answerOfRead(new messages.ReadRequest().setUrn(this.urn).setId(id));
  }

  private async answerOfRead(request: messages.ReadRequest) {
    const answer = await this.call<messages.ReadResponse>((done) => this.client.read(request, done));
    if (!answer.getId()) return undefined;
    return { properties: plain(answer.getProperties()), inputs: plain(answer.getInputs()) };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.UpdateRequest().setUrn(this.urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    return plain(
      (await this.call<messages.UpdateResponse>((done) => this.client.update(request, done))).getProperties(),
    );
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const request = new messages.DeleteRequest().setUrn(this.urn).setId(id).setProperties(struct(properties));
    await this.call((done) => this.client.delete(request, done));
  }

  stop(): Promise<void> {
    return this.plugin.stop();
  }

  private call<Response>(call: Parameters<typeof answerTo<Response>>[0]): Promise<Response> {
    return answerTo(call).catch((error: ServiceError) => {
      throw failureOf(error);
    });
  }
}

const struct = (properties: Properties): Struct => sent(properties);
const plain = (properties: Struct | undefined): Properties => received(properties).properties;

/** What the engine learns from an error: its message, and the state of a change that was done in part. */
function failureOf(error: ServiceError): PartialFailure {
  const failure: PartialFailure = new Error(error.details);
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (details === undefined) return failure;
  const [packed] = Status.deserializeBinary(details as Buffer).getDetailsList();
  const partial = messages.ErrorResourceInitFailed.deserializeBinary(packed?.getValue_asU8() as Uint8Array);
  const properties = plain(partial.getProperties());
  failure.partial = { id: partial.getId(), properties, reasons: partial.getReasonsList() };
  return failure;
}
