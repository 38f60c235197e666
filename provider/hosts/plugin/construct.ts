import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { RegisterResourceRequest, Result } from "@pulumi/pulumi/proto/resource_pb.js";
import { type Properties, unknownValue } from "../../run/properties";
import type { Run } from "../../run/run";
import { makeUrn, typesIn } from "../../run/urn";
import { readStackState, type StackResources } from "../stack-state";
import { unknownName } from "./call-error";
import type { Components, Constructed, Construction, RegisteredResource, Registration } from "./component";
import type { Constructing } from "./instance";
import { Monitor } from "./monitor";
import { sent } from "./values";

/** Answers the engine's call to construct a component. */
export async function construct(
  request: messages.ConstructRequest,
  constructing: Constructing,
): Promise<messages.ConstructResponse> {
  const constructComponent = componentOf(constructing.components, request.getType());
  const monitor = new Monitor(request.getMonitorendpoint(), constructing.receive);
  try {
    const component = new EngineComponent(request, constructing, monitor);
    const constructed = await constructComponent(component);
    await component.end(constructed);
    return answerWith(component.urn, constructed);
  } finally {
    monitor.close();
  }
}

function componentOf(components: Components, type: string) {
  const found = Object.hasOwn(components, type) ? components[type] : undefined;
  if (found) return found;
  throw unknownName("component type", type, Object.keys(components));
}

/** A component of a program, which the engine knows and this process constructs. */
class EngineComponent implements Construction {
  readonly run: Run;
  readonly name: string;
  readonly urn: string;
  readonly formerUrns: readonly string[];
  readonly isPreview: boolean;
  readonly inputs: Properties;
  readonly secrets: ReadonlySet<string>;

  constructor(
    private readonly request: messages.ConstructRequest,
    private readonly constructing: Constructing,
    private readonly monitor: Monitor,
  ) {
    this.run = constructing.run;
    this.name = request.getName();
    this.urn = makeUrn({ ...this.names(), type: request.getType(), name: this.name });
    this.formerUrns = request.getAliasesList().map((alias) => this.formerUrn(alias));
    this.isPreview = request.getDryrun();
    const { properties, secrets } = constructing.receive(request.getInputs());
    this.inputs = properties;
    this.secrets = secrets;
  }

  recordedResources(why: string): Promise<StackResources> {
    const names = { ...this.names(), organization: this.request.getOrganization() };
    return readStackState(this.run, why, names, (stackName) => this.monitor.readStack(stackName));
  }

  warn(text: string): void {
    this.constructing.warn(text, this.urn);
  }

  claim(organizationId: string): void {
    this.constructing.claim(organizationId);
  }

  async begin(): Promise<void> {
    const { request } = this;
    const component = this.requestFor(request.getType(), this.name, request.getParent())
      .setAliasesList(request.getAliasesList())
      .setDependenciesList(request.getDependenciesList())
      .setDeletedwith(request.getDeletedwith());
    if (request.hasProtect()) component.setProtect(request.getProtect() === true);
    if (request.hasRetainondelete()) component.setRetainondelete(request.getRetainondelete() === true);
    request.getProvidersMap().forEach((reference, name) => {
      component.getProvidersMap().set(name, reference);
    });
    await this.monitor.register(component);
  }

  async register(resource: Registration): Promise<RegisteredResource> {
    const { type, name, inputs, formerType, protect, sources = {} } = resource;
    const child = this.requestFor(type, name, this.urn)
      .setCustom(true)
      .setObject(sent(inputs))
      .setProvider(this.constructing.provider)
      .setDependenciesList([...new Set(Object.values(sources).flat())]);
    if (formerType !== undefined) child.addAliases(new Alias().setSpec(new Alias.Spec().setType(formerType)));
    if (protect !== undefined) child.setProtect(protect);
    for (const [input, urns] of Object.entries(sources)) {
      const dependencies = new RegisterResourceRequest.PropertyDependencies().setUrnsList([...urns]);
      child.getPropertydependenciesMap().set(input, dependencies);
    }
    const response = await this.monitor.register(child);
    const isMissing = response?.getResult() !== Result.SUCCESS || (response.getUnknown() && !this.isPreview);
    return {
      urn: response?.getUrn() ?? "",
      id: response?.getId() || unknownValue,
      outputs: this.constructing.receive(response?.getObject()).properties,
      isMissing,
    };
  }

  async registerLeaf({ type, name, inputs }: Registration): Promise<void> {
    const response = await this.monitor.register(this.requestFor(type, name, this.urn).setObject(sent(inputs)));
    if (response) await this.monitor.registerOutputs(response.getUrn(), {});
  }

  end({ outputs }: Constructed): Promise<void> {
    return this.monitor.registerOutputs(this.urn, outputs);
  }

  private requestFor(type: string, name: string, parent: string): RegisterResourceRequest {
    // The position in the program is left out: the engine would store the stack of the program with every child.
    return new RegisterResourceRequest().setType(type).setName(name).setParent(parent);
  }

  private names() {
    const { request } = this;
    return { stack: request.getStack(), project: request.getProject(), above: typesIn(request.getParent()) };
  }

  /** The URN that an alias stands for, as the engine makes it. Its parts are optional. */
  private formerUrn(alias: Alias): string {
    const spec = alias.getSpec();
    if (!spec) return alias.getUrn();
    const { stack, project } = this.names();
    return makeUrn({
      stack: spec.getStack() || stack,
      project: spec.getProject() || project,
      above: spec.getNoparent() ? [] : typesIn(spec.getParenturn() || this.request.getParent()),
      type: spec.getType() || this.request.getType(),
      name: spec.getName() || this.name,
    });
  }

  /** Reads the state of the stack once for all components of the run. */
}

function answerWith(urn: string, { outputs, sources }: Constructed): messages.ConstructResponse {
  const response = new messages.ConstructResponse().setUrn(urn).setState(sent(outputs));
  for (const [name, urns] of Object.entries(sources)) {
    const dependencies = new messages.ConstructResponse.PropertyDependencies().setUrnsList([...urns]);
    response.getStatedependenciesMap().set(name, dependencies);
  }
  return response;
}
