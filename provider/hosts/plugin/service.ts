import { isDeepStrictEqual } from "node:util";
import { Metadata, type ServerUnaryCall, type sendUnaryData, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { DocsError } from "../../api/http/errors";
import { presentable } from "../../run/presentation";
import type { Failure, Properties } from "../../run/properties";
import { parseUrn } from "../../run/urn";
import { CallError, Code } from "./call-error";
import { calledResource } from "./called";
import { calledFunction } from "./functions";
import type { Instance } from "./instance";
import { deleteAt } from "./other-version";
import type { Difference } from "./resources";
import { concealing, secretsInState } from "./secrets";
import { received, sent } from "./values";

/** The methods of a provider, as the engine calls them. Everything that is not about messages is in `Instance`. */
export function serviceOf(instance: Instance): UntypedServiceImplementation {
  const hide = (message: string) => instance.hide(message);
  const answering = <Request, Response>(answer: (request: Request) => Promise<Response>) => unary(answer, hide);
  const shown = ({ property, reason }: Failure): Failure => ({ property, reason: hide(reason) });
  return {
    handshake: answering(async (request: messages.ProviderHandshakeRequest) => {
      instance.meet(request.getEngineAddress());
      return new messages.ProviderHandshakeResponse().setAcceptSecrets(true);
    }),

    getPluginInfo: answering(async () => new PluginInfo().setVersion(instance.version)),

    getSchema: answering(async (request: messages.GetSchemaRequest) => {
      if (request.getVersion() > 0)
        throw new CallError(Code.invalid, `there is no schema of version ${request.getVersion()}`);
      return new messages.GetSchemaResponse().setSchema(instance.schema());
    }),

    checkConfig: answering(async (request: messages.CheckRequest) => {
      const { properties } = received(request.getNews());
      const { properties: olds } = received(request.getOlds());
      const { inputs, secrets, failures } = instance.checkConfiguration(olds, properties, nameOf(request));
      return checked(inputs, failures, secrets);
    }),

    // Never a replacement: the engine would replace every resource of the provider without a call of `diff`.
    diffConfig: answering(async (request: messages.DiffRequest) => {
      const olds = received(request.getOldInputs() ?? request.getOlds()).properties;
      const changes = !isDeepStrictEqual(olds, received(request.getNews()).properties);
      return differenceMessage({ changes, replaces: [], deleteBeforeReplace: false, detailed: [] });
    }),

    configure: answering(async (request: messages.ConfigureRequest) => {
      const [urn, id] = [request.getUrn() ?? "", request.getId() ?? ""];
      instance.configure(received(request.getArgs()), { name: nameOf(request), urn, id });
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),

    check: answering(async (request: messages.CheckRequest) => {
      const news = instance.receive(request.getNews());
      const called = calledResource(request.getUrn(), news);
      const olds = instance.receive(request.getOlds()).properties;
      const recorded = instance.receive(request.getOldOutputs()).properties;
      const { inputs, failures } = await instance
        .configured()
        .resources.check(called, { olds, recorded }, news.properties);
      return checked(inputs, failures.map(shown), news.secrets);
    }),

    diff: answering(async (request: messages.DiffRequest) => {
      const state = instance.receive(request.getOlds());
      const news = instance.receive(request.getNews());
      const called = calledResource(request.getUrn(), state, news);
      const { resources } = instance.configured();
      return differenceMessage(await resources.diff(called, request.getId(), state.properties, news.properties));
    }),

    create: answering(async (request: messages.CreateRequest) => {
      const inputs = instance.receive(request.getProperties());
      const { properties } = inputs;
      const called = calledResource(request.getUrn(), inputs);
      const secrets = secretsInState(called.definition, called.secrets);
      const resources = instance.configured().resources;
      const response = new messages.CreateResponse().setRefreshBeforeUpdate(true);
      if (request.getPreview())
        return response.setProperties(sent(await resources.previewCreate(called, properties), secrets));
      const { id, state } = await resources.create(called, properties).catch(rethrown(secrets, hide));
      return response.setId(id).setProperties(sent(state, secrets));
    }),

    read: answering(async (request: messages.ReadRequest) => {
      const state = instance.receive(request.getProperties());
      const inputs = instance.receive(request.getInputs());
      const called = calledResource(request.getUrn(), state, inputs);
      const secrets = secretsInState(called.definition, called.secrets);
      const found = await instance
        .configured()
        .resources.read(called, request.getId(), state.properties, inputs.properties);
      if (!found) return new messages.ReadResponse();
      return new messages.ReadResponse()
        .setId(found.id)
        .setProperties(sent(found.state, secrets))
        .setInputs(sent(found.inputs, secrets))
        .setRefreshBeforeUpdate(true);
    }),

    update: answering(async (request: messages.UpdateRequest) => {
      const olds = instance.receive(request.getOlds());
      const news = instance.receive(request.getNews());
      const called = calledResource(request.getUrn(), olds, news);
      const secrets = secretsInState(called.definition, { names: news.secrets });
      const { properties: state } = olds;
      const { properties } = news;
      const resources = instance.configured().resources;
      const response = new messages.UpdateResponse().setRefreshBeforeUpdate(true);
      if (request.getPreview()) {
        return response.setProperties(sent(await resources.previewUpdate(called, state, properties), secrets));
      }
      const after = await resources.update(called, request.getId(), state, properties).catch(rethrown(secrets, hide));
      return response.setProperties(sent(after, secrets));
    }),

    delete: answering(async (request: messages.DeleteRequest) => {
      const state = instance.receive(request.getProperties());
      const called = calledResource(request.getUrn(), state);
      const { resources } = instance.configured();
      const port = await resources.findDeleter(called, state.properties);
      if (port !== undefined) await deleteAt(port, request);
      else await resources.delete(called, request.getId(), state.properties);
      return new Empty();
    }),

    construct: answering(async (request: messages.ConstructRequest) => {
      // Few programs have a component, so its code is loaded with the first one.
      const { construct } = await import("./construct.js");
      return construct(request, instance.configured().constructing);
    }),

    invoke: answering(async (request: messages.InvokeRequest) => {
      const lookup = calledFunction(request.getTok());
      const { properties, secrets, secretTexts: texts } = instance.receive(request.getArgs());
      const { functions } = instance.configured();
      const result = await concealing({ texts }, () => functions.call(lookup, properties));
      // A part of the result may repeat a secret argument.
      const secret = new Set(secrets.size > 0 ? Object.keys(result) : []);
      return new messages.InvokeResponse().setReturn(sent(result, secret));
    }),

    cancel: answering(async () => {
      instance.cancel();
      return new Empty();
    }),
  };
}

/** The name of a provider object: newer engines send it, and each URN ends with it. */
const nameOf = (request: { getName(): string | undefined; getUrn(): string | undefined }): string =>
  request.getName() || parseUrn(request.getUrn() ?? "")?.name || "";

type Answer = (
  error: (Partial<Error> & { code: number; details: string; metadata?: Metadata }) | null,
  value?: unknown,
) => void;

type Hide = (message: string) => string;

/** Answers one call. Errors for users become a status with one message; any other error keeps its stack, for a report. */
function unary<Request, Response>(answer: (request: Request) => Promise<Response>, hide: Hide) {
  return (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void => {
    answer(call.request).then(
      (response) => callback(null, response),
      (error: Error) => (callback as Answer)(statusOf(error, hide)),
    );
  };
}

function statusOf(error: Error, hide: Hide) {
  const code: number = error instanceof CallError ? error.code : Code.unknown;
  const isForUser = error instanceof CallError || error instanceof DocsError;
  const details = presentable(hide(isForUser ? error.message : (error.stack ?? error.message)));
  const { partial } = error as { partial?: Metadata };
  return { code, details, ...(partial && { metadata: partial }) };
}

/**
 * A change that failed in the middle: the engine records what was done if the error carries it. The inputs are left out: the
 * engine records those that it has sent, and accepts no more than 16 MiB of headers (seen in 3.259).
 */
function rethrown(secrets: ReadonlySet<string>, hide: Hide) {
  return (error: Error): never => {
    const { id, properties, reasons = [] } = error as { id?: string; properties?: Properties; reasons?: string[] };
    if (!id) throw error;
    const detail = new messages.ErrorResourceInitFailed()
      .setId(id)
      .setProperties(sent(properties ?? {}, secrets))
      .setReasonsList(reasons.map(hide).map(presentable));
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(Code.unknown).setMessage(presentable(hide(error.message)));
    status.addDetails(packed);
    const metadata = new Metadata();
    // gRPC for Node.js does not know the details of a status; this header has them for every other implementation.
    metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    throw Object.assign(error, { partial: metadata });
  };
}

function checked(inputs: Properties, failures: readonly Failure[], secrets: ReadonlySet<string>) {
  const list = failures.map(({ property, reason }) =>
    new messages.CheckFailure().setProperty(property).setReason(reason),
  );
  return new messages.CheckResponse().setInputs(sent(inputs, secrets)).setFailuresList(list);
}

const kinds = {
  add: [messages.PropertyDiff.Kind.ADD, messages.PropertyDiff.Kind.ADD_REPLACE],
  delete: [messages.PropertyDiff.Kind.DELETE, messages.PropertyDiff.Kind.DELETE_REPLACE],
  update: [messages.PropertyDiff.Kind.UPDATE, messages.PropertyDiff.Kind.UPDATE_REPLACE],
} as const;

function differenceMessage({ changes, replaces, deleteBeforeReplace, detailed }: Difference): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(detailed.length > 0);
  for (const { path, kind, replaces: isReplacing } of detailed) {
    const change = new messages.PropertyDiff().setKind(kinds[kind][isReplacing ? 1 : 0]);
    response.getDetaileddiffMap().set(path, change);
  }
  return response.setDiffsList([...new Set(detailed.map(({ path }) => /^[\w-]+/.exec(path)?.[0] ?? path))]);
}
