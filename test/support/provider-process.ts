import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import type { ServiceError } from "@grpc/grpc-js";
import { stubOf } from "../../provider/hosts/dynamic/stub";
import { engineClient } from "./engine-client";

/** Properties as the engine sends them: values of JSON. */
export type Properties = Record<string, unknown>;

export interface CheckResult {
  inputs: Properties;
  failures: { property: string; reason: string }[];
}

export interface DiffResult {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** The state that the engine records if a resource was created, but not everything that was declared could be set. */
export interface PartialFailure extends Error {
  partial?: { id: string; properties: Properties; reasons: string[] };
}

/** A failure of a concealed property names it in the reason, since the engine would show its value. */
export function failureAt(property: string, text: string) {
  const [, concealed, reason] = (property === "" && /^(\w[\w.]*): (.*)$/s.exec(text)) || ["", property, text];
  return { property: concealed ?? "", reason: reason ?? "" };
}

const root = `${__dirname}/../..`;
const proto = (name: string) => require(`@pulumi/pulumi/proto/${name}`);
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const messages = proto("provider_pb");
const status = proto("status_pb");

/** A server in place of the engine. */
const standIn = new Promise<string>((resolve) => {
  const server = createServer((socket) => socket.destroy()).unref();
  server.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`));
});

/**
 * The real dynamic-provider process of the engine, driven over its protocol as the engine does, but without
 * the engine. It runs the compiled code, loaded by the stub's text, as in a stack.
 */
export class ProviderProcess {
  /** Everything the process wrote to stderr. */
  stderr = "";
  /** Resolves with the status of the process when it ends. */
  readonly ended: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly client: Record<string, Unary>,
    private readonly text: string,
  ) {
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
    const client = engineClient(`127.0.0.1:${await portOf(child)}`) as unknown as Record<string, Unary>;
    const started = new ProviderProcess(child, client, text);
    await started.configure(options.config ?? {});
    return started;
  }

  /** Without `olds`, as of a resource that is new to the engine. */
  async check(olds: Properties | undefined, news: Properties): Promise<CheckResult> {
    const request = new messages.CheckRequest()
      .setOlds(olds ? this.struct(olds) : Struct.fromJavaScript({}))
      .setNews(this.struct(news));
    const reply = await this.call("check", request);
    const failures = reply
      .getFailuresList()
      .map((failure: Message) => failureAt(failure.getProperty(), failure.getReason()));
    return { inputs: this.plain(reply.getInputs()), failures };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const request = new messages.DiffRequest().setId(id).setOlds(this.struct(olds)).setNews(this.struct(news));
    const reply = await this.call("diff", request);
    return {
      changes: reply.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: reply.getReplacesList(),
      deleteBeforeReplace: reply.getDeletebeforereplace(),
    };
  }

  async create(inputs: Properties): Promise<{ id: string; properties: Properties }> {
    const reply = await this.call("create", new messages.CreateRequest().setProperties(this.struct(inputs)));
    return { id: reply.getId(), properties: this.plain(reply.getProperties()) };
  }

  /** `undefined` if the resource is gone. */
  async read(id: string, properties: Properties): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    const request = new messages.ReadRequest().setId(id).setProperties(this.struct(properties));
    const reply = await this.call("read", request);
    if (!reply.getId()) return undefined;
    return { properties: this.plain(reply.getProperties()), inputs: this.plain(reply.getInputs()) };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.UpdateRequest().setId(id).setOlds(this.struct(olds)).setNews(this.struct(news));
    return this.plain((await this.call("update", request)).getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    await this.call("delete", new messages.DeleteRequest().setId(id).setProperties(this.struct(properties)));
  }

  async stop(): Promise<void> {
    this.client.close?.(undefined as never, () => undefined);
    this.child.kill("SIGKILL");
    await this.ended;
  }

  private async configure(config: Record<string, string>): Promise<void> {
    await this.call("configure", new messages.ConfigureRequest().setArgs(Struct.fromJavaScript(config)));
  }

  private struct(properties: Properties): unknown {
    return Struct.fromJavaScript({ ...properties, __provider: this.text });
  }

  private plain(struct: { toJavaScript(): Properties } | undefined): Properties {
    const { __provider, ...properties } = struct?.toJavaScript() ?? {};
    if (struct && __provider !== this.text) throw new Error("an answer without the provider's text");
    return properties;
  }

  private call(method: string, request: unknown): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.client[method]?.(request, (error: ServiceError | null, reply: Message) => {
        if (error) reject(withPartial(error));
        else resolve(reply);
      });
    });
  }
}

/** The process prints the port that it serves. */
function portOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`the provider process ended with ${code}`)));
  });
}

// What the protocol's generated code gives has getters for everything; the methods above name those that are used.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Message = any;
type Unary = (request: unknown, done: (error: ServiceError | null, reply: Message) => void) => void;

/** Reads the state that the host packs into the error of a partly applied creation or update. */
function withPartial(error: ServiceError): PartialFailure {
  const failure: PartialFailure = new Error(error.details, { cause: error });
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (packed === undefined) return failure;
  const [detail] = status.Status.deserializeBinary(packed).getDetailsList();
  const init = detail.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  const { __provider, ...properties } = init.getProperties().toJavaScript();
  if (typeof __provider !== "string") throw new Error("a partial failure without the provider's text");
  failure.partial = { id: init.getId(), properties, reasons: init.getReasonsList() };
  return failure;
}
