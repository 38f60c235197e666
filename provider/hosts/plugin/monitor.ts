import { credentials, type MethodDefinition, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceMonitorService as methods, ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/resource_pb.js";
import type { Message } from "google-protobuf";
import { ownTypeOf } from "../../resources/urns";
import type { Properties } from "../../run/properties";
import { type StackResources, stackFunction } from "../stack-state";
import { answerTo, messageSizes } from "./grpc";
import { keepingStructs, partsOf } from "./struct-bytes";
import { type Receive, toStruct } from "./values";

/** The engine's interface for programs: it registers resources, and answers functions. */
export class Monitor {
  private readonly client: ResourceMonitorClient;

  constructor(
    address: string,
    private readonly receive: Receive,
  ) {
    this.client = new ResourceMonitorClient(address, credentials.createInsecure(), messageSizes);
  }

  /** Registers a resource. Returns `undefined` if the engine is ending the command, because another resource has failed. */
  register(request: messages.RegisterResourceRequest): Promise<messages.RegisterResourceResponse | undefined> {
    request.setAcceptsecrets(true).setSupportspartialvalues(true).setSupportsresultreporting(true).setAliasspecs(true);
    return unlessEnding(this.ask(methods.registerResource, request, structFields.object));
  }

  /** Says that everything below a component is registered. */
  async registerOutputs(urn: string, outputs: Properties): Promise<void> {
    const request = new messages.RegisterResourceOutputsRequest().setUrn(urn).setOutputs(toStruct(outputs));
    await unlessEnding(answerTo((answer) => this.client.registerResourceOutputs(request, answer)));
  }

  /** The recorded resources of this package in a stack. Those of other packages may have values that only these packages can read. */
  async readStack(stackName: string): Promise<StackResources | undefined> {
    const request = new messages.ResourceInvokeRequest().setTok(stackFunction).setArgs(toStruct({ stackName }));
    const answer = await this.ask(methods.invoke, request, structFields.return);
    const [failure] = answer.getFailuresList();
    if (failure) throw new Error(failure.getReason());
    const resources = partsOf(answer.getReturn()).structs.get("outputs");
    if (!resources) return undefined;
    const ownResources: Record<string, { outputs: Properties }> = {};
    for (const [urn, resource] of partsOf(resources).structs) {
      const { texts, structs } = partsOf(resource);
      if (ownTypeOf(texts.get("type") ?? ""))
        ownResources[urn] = { outputs: this.receive(structs.get("outputs")).properties };
    }
    return ownResources;
  }

  /** Calls a method. The struct in the field `structField` of the answer stays as bytes (see struct-bytes.ts). */
  private ask<Request, Response extends Message>(
    { path, requestSerialize, responseDeserialize }: MethodDefinition<Request, Response>,
    request: Request,
    structField: number,
  ): Promise<Response> {
    const deserialize = keepingStructs([structField], responseDeserialize);
    return answerTo((done) => this.client.makeUnaryRequest(path, requestSerialize, deserialize, request, done));
  }

  close(): void {
    this.client.close();
  }
}

/** Fields of `RegisterResourceResponse` and of `ResourceInvokeResponse`, by their numbers in `resource.proto`. */
const structFields = { object: 3, return: 1 } as const;

/** The engine has reported why it ends the command, so a call that it no longer answers is no error of its own. */
async function unlessEnding<Response>(answer: Promise<Response>): Promise<Response | undefined> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as ServiceError;
    if (code === status.UNAVAILABLE || code === status.CANCELLED) return undefined;
    throw error;
  }
}
