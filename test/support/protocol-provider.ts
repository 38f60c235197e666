import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { answerTo } from "../../provider/hosts/plugin/grpc";

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

/** A failure of a concealed property names the property in its reason only: otherwise, the engine would show the value. */
export function failureAt(property: string, text: string) {
  const [, name, reason] = (property === "" && /^(\w[\w.]*): (.*)$/s.exec(text)) || ["", property, text];
  return { property: name ?? "", reason: reason ?? "" };
}

/** How a host writes properties into messages, and reads them. */
export interface Wire {
  write(properties: Properties): Struct;
  read(struct: Struct | undefined): Properties;
}

type Call<Response> = Parameters<typeof answerTo<Response>>[0];

/** A provider driven over its protocol as the engine does, for one resource. */
export class ProtocolProvider {
  constructor(
    readonly client: ResourceProviderClient,
    protected readonly wire: Wire,
    protected readonly urn = "",
  ) {}

  /** Without `olds`, as of a resource that is new to the engine. */
  async check(olds: Properties | undefined, news: Properties): Promise<CheckResult> {
    const recorded = olds ? this.wire.write(olds) : Struct.fromJavaScript({});
    const request = new messages.CheckRequest().setUrn(this.urn).setOlds(recorded).setNews(this.wire.write(news));
    const answer = await this.call<messages.CheckResponse>((done) => this.client.check(request, done));
    const failures = answer.getFailuresList().map((one) => failureAt(one.getProperty(), one.getReason()));
    return { inputs: this.wire.read(answer.getInputs()), failures };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const { write } = this.wire;
    const request = new messages.DiffRequest().setUrn(this.urn).setId(id).setOlds(write(olds)).setNews(write(news));
    const answer = await this.call<messages.DiffResponse>((done) => this.client.diff(request, done));
    return {
      changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    };
  }

  async create(inputs: Properties): Promise<{ id: string; properties: Properties }> {
    const request = new messages.CreateRequest().setUrn(this.urn).setProperties(this.wire.write(inputs));
    const answer = await this.call<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: answer.getId(), properties: this.wire.read(answer.getProperties()) };
  }

  /** `undefined` if the resource is gone. */
  async read(id: string, properties: Properties): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    const state = this.wire.write(properties);
    // The engine sends the recorded inputs as well; an import has none.
    return this.answerOfRead(
      new messages.ReadRequest().setUrn(this.urn).setId(id).setProperties(state).setInputs(state),
    );
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const { write } = this.wire;
    const request = new messages.UpdateRequest().setUrn(this.urn).setId(id).setOlds(write(olds)).setNews(write(news));
    const answer = await this.call<messages.UpdateResponse>((done) => this.client.update(request, done));
    return this.wire.read(answer.getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const request = new messages.DeleteRequest().setUrn(this.urn).setId(id).setProperties(this.wire.write(properties));
    await this.call((done) => this.client.delete(request, done));
  }

  protected async answerOfRead(request: messages.ReadRequest) {
    const answer = await this.call<messages.ReadResponse>((done) => this.client.read(request, done));
    if (!answer.getId()) return undefined;
    return {
      properties: this.wire.read(answer.getProperties()),
      inputs: this.wire.read(answer.getInputs()),
    };
  }

  protected call<Response>(call: Call<Response>): Promise<Response> {
    return answerTo(call).catch((error: ServiceError) => {
      throw this.failureOf(error);
    });
  }

  /** What the engine learns from an error: its message, and the state of a change that was done in part. */
  private failureOf(error: ServiceError): PartialFailure {
    const failure: PartialFailure = new Error(error.details, { cause: error });
    const [details] = error.metadata.get("grpc-status-details-bin");
    if (details === undefined) return failure;
    const [packed] = Status.deserializeBinary(details as Buffer).getDetailsList();
    const partial = messages.ErrorResourceInitFailed.deserializeBinary(packed?.getValue_asU8() as Uint8Array);
    const properties = this.wire.read(partial.getProperties());
    failure.partial = { id: partial.getId(), properties, reasons: partial.getReasonsList() };
    return failure;
  }
}
