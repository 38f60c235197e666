import { credentials, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/resource_pb.js";
import { ownTypeOf } from "../../resources/urns";
import type { Properties } from "../../run/properties";
import { type StackResources, stackFunction } from "../stack-state";
import { answerTo, messageSizes } from "./grpc";
import { type Receive, sent } from "./values";

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
    return unlessEnding(answerTo((answer) => this.client.registerResource(request, answer)));
  }

  /** Says that everything below a component is registered. */
  async registerOutputs(urn: string, outputs: Properties): Promise<void> {
    const request = new messages.RegisterResourceOutputsRequest().setUrn(urn).setOutputs(sent(outputs));
    await unlessEnding(answerTo((answer) => this.client.registerResourceOutputs(request, answer)));
  }

  /** The recorded resources of this package in a stack. Those of other packages may have values that only they can read. */
  async readStack(stackName: string): Promise<StackResources | undefined> {
    const request = new messages.ResourceInvokeRequest().setTok(stackFunction).setArgs(sent({ stackName }));
    const answer = await answerTo<messages.ResourceInvokeResponse>((done) => this.client.invoke(request, done));
    const [failure] = answer.getFailuresList();
    if (failure) throw new Error(failure.getReason());
    const resources = answer.getReturn()?.getFieldsMap().get("outputs")?.getStructValue();
    if (!resources) return undefined;
    const found: Record<string, { outputs: Properties }> = {};
    resources.getFieldsMap().forEach((resource, urn) => {
      const fields = resource.getStructValue()?.getFieldsMap();
      if (!ownTypeOf(fields?.get("type")?.getStringValue() ?? "")) return;
      found[urn] = { outputs: this.receive(fields?.get("outputs")?.getStructValue()).properties };
    });
    return found;
  }

  close(): void {
    this.client.close();
  }
}

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
