import { isDeepStrictEqual } from "node:util";
import {
  credentials,
  Metadata,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { DocsError } from "../../api/http/errors";
import { presentable } from "../../run/presentation";
import type { Failure, Properties } from "../../run/properties";
import { nameIn } from "../../run/urn";
import { CallError } from "./call-error";
import { calledResource } from "./called-resource";
import { calledFunction } from "./functions";
import { answerTo, messageSizes } from "./grpc";
import type { EngineCall, Instance } from "./instance";
import type { Difference } from "./resources";
import { secretsInState } from "./secrets";
import { keepingStructs } from "./struct-bytes";
import { readStruct, toStruct } from "./values";

const { check, diff, create, read, update } = ResourceProviderService;

/** The protocol. The structs in the largest messages are read later; the numbers of their fields are those of `provider.proto`. */
export const definition = {
  ...ResourceProviderService,
  check: { ...check, requestDeserialize: keepingStructs([2, 3, 9], check.requestDeserialize) },
  diff: { ...diff, requestDeserialize: keepingStructs([3, 4, 6], diff.requestDeserialize) },
  create: { ...create, requestDeserialize: keepingStructs([2], create.requestDeserialize) },
  read: { ...read, requestDeserialize: keepingStructs([3, 4], read.requestDeserialize) },
  update: { ...update, requestDeserialize: keepingStructs([3, 4, 8], update.requestDeserialize) },
};

/** The methods of a provider; what is not about messages is in `Instance`. */
export function serviceOf(instance: Instance): UntypedServiceImplementation {
  return {
    ...providerMethods(instance),
    ...comparingMethods(instance),
    ...changingMethods(instance),
    ...programMethods(instance),
  };
}

function providerMethods(instance: Instance) {
  const answering = answeringWith(instance);
  return {
    handshake: answering(async (request: messages.ProviderHandshakeRequest) => {
      instance.meet(request.getEngineAddress());
      return new messages.ProviderHandshakeResponse().setAcceptSecrets(true);
    }),

    getPluginInfo: answering(async () => new PluginInfo().setVersion(instance.version)),

    getSchema: answering(async (request: messages.GetSchemaRequest) => {
      if (request.getVersion() > 0)
        throw new CallError(status.INVALID_ARGUMENT, `there is no schema of version ${request.getVersion()}`);
      return new messages.GetSchemaResponse().setSchema(instance.schema());
    }),

    checkConfig: answering(async (request: messages.CheckRequest) => {
      const { properties } = readStruct(request.getNews());
      const { properties: olds } = readStruct(request.getOlds());
      const { inputs, secrets, failures } = instance.checkConfiguration(olds, properties, nameOf(request));
      return checkResponse(inputs, failures, secrets);
    }),

    // Never a replacement: the engine would replace every resource of the provider without a call of `diff`.
    diffConfig: answering(async (request: messages.DiffRequest) => {
      const olds = readStruct(request.getOldInputs() ?? request.getOlds()).properties;
      const changes = !isDeepStrictEqual(olds, readStruct(request.getNews()).properties);
      return differenceMessage({ changes, replaces: [], deleteBeforeReplace: false, properties: [] });
    }),

    configure: answering(async (request: messages.ConfigureRequest) => {
      const [urn, id] = [request.getUrn() ?? "", request.getId() ?? ""];
      instance.configure(readStruct(request.getArgs()), { name: nameOf(request), urn, id });
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),

    cancel: answering(async () => {
      instance.cancel();
      return new Empty();
    }),
  };
}

/** What programs call besides resources: components and functions. */
function programMethods(instance: Instance) {
  const answering = answeringWith(instance);
  return {
    construct: answering(async (request: messages.ConstructRequest) => {
      // Few programs have a component, so its code is loaded with the first one.
      const { construct } = await import("./engine-component.js");
      return construct(request, instance.configured().constructing);
    }),

    invoke: answering(async (request: messages.InvokeRequest, call) => {
      const lookup = calledFunction(request.getTok());
      const { properties } = call.receive(request.getArgs());
      const result = await instance.configured().functions.call(lookup, properties);
      // A part of the result may repeat a secret argument.
      const secret = new Set(call.secrets.size > 0 ? Object.keys(result) : []);
      return new messages.InvokeResponse().setReturn(toStruct(result, secret));
    }),
  };
}

/** With `refreshBeforeUpdate`, the engine reads a resource first, so a plain preview finds drift. */
function changingMethods(instance: Instance) {
  const answering = answeringWith(instance);
  return {
    create: answering(async (request: messages.CreateRequest, call) => {
      const { properties } = call.receive(request.getProperties());
      const called = calledResource(request.getUrn(), call);
      const secrets = secretsInState(called.definition, call.secrets);
      const { resources } = instance.configured();
      const response = new messages.CreateResponse().setRefreshBeforeUpdate(true);
      if (request.getPreview())
        return response.setProperties(toStruct(await resources.previewCreate(called, properties), secrets));
      const { id, state } = await resources.create(called, properties).catch(rethrowWithState(secrets, call));
      return response.setId(id).setProperties(toStruct(state, secrets));
    }),

    update: answering(async (request: messages.UpdateRequest, call) => {
      const state = call.receive(request.getOlds()).properties;
      const { properties: news, secrets: declaredSecrets } = call.receive(request.getNews());
      const called = calledResource(request.getUrn(), call);
      const secrets = secretsInState(called.definition, declaredSecrets);
      const { resources } = instance.configured();
      const response = new messages.UpdateResponse().setRefreshBeforeUpdate(true);
      if (request.getPreview())
        return response.setProperties(toStruct(await resources.previewUpdate(called, state, news), secrets));
      const after = await resources.update(called, request.getId(), state, news).catch(rethrowWithState(secrets, call));
      return response.setProperties(toStruct(after, secrets));
    }),

    delete: answering(async (request: messages.DeleteRequest, call) => {
      const state = call.receive(request.getProperties()).properties;
      const called = calledResource(request.getUrn(), call);
      const { resources } = instance.configured();
      const port = await resources.findDeleter(state);
      if (port !== undefined) await deleteAt(port, request);
      else await resources.delete(called, request.getId(), state);
      return new Empty();
    }),
  };
}

function comparingMethods(instance: Instance) {
  const answering = answeringWith(instance);
  return {
    check: answering(async (request: messages.CheckRequest, call) => {
      const news = call.receive(request.getNews());
      const called = calledResource(request.getUrn(), call);
      const olds = call.receive(request.getOlds()).properties;
      const recorded = call.receive(request.getOldOutputs()).properties;
      const { resources } = instance.configured();
      const { inputs, failures } = await resources.check(called, olds, recorded, news.properties);
      const hidden = failures.map(({ property, reason }) => ({ property, reason: call.hide(reason) }));
      return checkResponse(inputs, hidden, news.secrets);
    }),

    diff: answering(async (request: messages.DiffRequest, call) => {
      const state = call.receive(request.getOlds()).properties;
      const news = call.receive(request.getNews()).properties;
      const called = calledResource(request.getUrn(), call);
      return differenceMessage(await instance.configured().resources.diff(called, request.getId(), state, news));
    }),

    read: answering(async (request: messages.ReadRequest, call) => {
      const state = call.receive(request.getProperties()).properties;
      const inputs = call.receive(request.getInputs()).properties;
      const called = calledResource(request.getUrn(), call);
      const resource = await instance.configured().resources.read(called, request.getId(), state, inputs);
      if (!resource) return new messages.ReadResponse();
      const secrets = secretsInState(called.definition, call.secrets);
      return new messages.ReadResponse()
        .setId(resource.id)
        .setProperties(toStruct(resource.state, secrets))
        .setInputs(toStruct(resource.inputs, secrets))
        .setRefreshBeforeUpdate(true);
    }),
  };
}

/** Passes a deletion on to the provider of another version, which manages the rest of the organization in this command. */
async function deleteAt(port: number, request: messages.DeleteRequest): Promise<void> {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), messageSizes);
  try {
    await answerTo((done) => client.delete(request, done));
  } catch (error) {
    // The other provider has prepared its message for the user.
    throw new DocsError((error as Error).message, { cause: error });
  } finally {
    client.close();
  }
}

/** The name of a provider object: newer engines send it, and each URN ends with it. */
const nameOf = (request: { getName(): string | undefined; getUrn(): string | undefined }): string =>
  request.getName() || nameIn(request.getUrn() ?? "");

type Answer = (
  error: (Partial<Error> & { code: number; details: string; metadata?: Metadata }) | null,
  value?: unknown,
) => void;

/** Makes methods that answer one call each. Errors for users become a status with one message; any other error keeps its stack, for a report. */
const answeringWith =
  (instance: Instance) =>
  <Request, Response>(answer: (request: Request, call: EngineCall) => Promise<Response>) =>
  (serverCall: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void => {
    const call = instance.beginCall();
    instance.inFlight.add(serverCall);
    const answered = answer(serverCall.request, call).then(
      (response) => callback(null, response),
      (error: Error) => (callback as Answer)(statusOf(error, call)),
    );
    void answered.finally(() => instance.inFlight.delete(serverCall));
  };

function statusOf(error: Error, { hide }: EngineCall) {
  const code: number = error instanceof CallError ? error.code : status.UNKNOWN;
  const isForUser = error instanceof CallError || error instanceof DocsError;
  const details = presentable(hide(isForUser ? error.message : (error.stack ?? error.message)));
  const { partial } = error as { partial?: Metadata };
  return { code, details, ...(partial && { metadata: partial }) };
}

/**
 * A change that failed in the middle: the engine records what was done if the error carries it. The inputs are left out: the
 * engine records those that it has sent, and accepts no more than 16 MiB of headers (seen in 3.259).
 */
function rethrowWithState(secrets: ReadonlySet<string>, { hide }: EngineCall) {
  return (error: Error): never => {
    const { id, properties, reasons = [] } = error as { id?: string; properties?: Properties; reasons?: string[] };
    if (!id) throw error;
    const detail = new messages.ErrorResourceInitFailed()
      .setId(id)
      .setProperties(toStruct(properties ?? {}, secrets))
      .setReasonsList(reasons.map(hide).map(presentable));
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const failed = new Status().setCode(status.UNKNOWN).setMessage(presentable(hide(error.message)));
    failed.addDetails(packed);
    const metadata = new Metadata();
    // gRPC for Node.js does not know the details of a status; this header has them for every other implementation.
    metadata.set("grpc-status-details-bin", Buffer.from(failed.serializeBinary()));
    throw Object.assign(error, { partial: metadata });
  };
}

function checkResponse(inputs: Properties, failures: readonly Failure[], secrets: ReadonlySet<string>) {
  const list = failures.map(({ property, reason }) =>
    new messages.CheckFailure().setProperty(property).setReason(reason),
  );
  return new messages.CheckResponse().setInputs(toStruct(inputs, secrets)).setFailuresList(list);
}

function differenceMessage({ changes, replaces, deleteBeforeReplace, properties }: Difference): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  return new messages.DiffResponse()
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setDiffsList([...properties]);
}
