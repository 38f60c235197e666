import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { RegisterResourceRequest, Result } from "@pulumi/pulumi/proto/resource_pb.js";
import type { ResourceName } from "../../resources/names";
import { type Properties, unknownValue } from "../../run/properties";
import type { Run } from "../../run/run";
import { makeUrn, organizationType, typeIn, typesIn } from "../../run/urn";
import { readStackState, type StackResources } from "../stack-state";
import { unknownName } from "./call-error";
import { Monitor } from "./monitor";
import type { PluginHost } from "./resources";
import { type Receive, toStruct } from "./values";

/** Constructs an organization. Its code is in `provider/organization`, which this folder does not import. */
export type ConstructOrganization = (component: EngineComponent) => Promise<Constructed>;

/** Outputs of a component, and by name the URNs of the resources that they come from. */
export interface Constructed {
  readonly outputs: Properties;
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

/** What the provider object has for its components. */
export interface ConstructionHost extends Pick<PluginHost, "warn" | "claim"> {
  readonly run: Run;
  /** The reference of the provider object, which serves the children. */
  readonly provider: string;
  readonly constructOrganization: ConstructOrganization | undefined;
  readonly receive: Receive;
}

export interface Registration {
  readonly resource: ResourceName;
  readonly name: string;
  readonly inputs: Properties;
  /** Whether the engine refuses to delete the resource; if omitted, as the component. */
  readonly protect?: boolean | undefined;
}

/** A resource that the engine has registered, and created or updated if this is no preview. */
export interface RegisteredResource {
  readonly urn: string;
  /** `unknownValue` in the preview of a creation. */
  readonly id: string;
  readonly outputs: Properties;
  /** The resource failed, or the engine left it out. The engine has reported that, and the values are not known. */
  readonly isMissing: boolean;
}

/** A component without resources of its own. Of a recorded one, the inputs in `kept` stay as they are. */
export interface Leaf {
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly kept: string[];
}

export async function construct(
  request: messages.ConstructRequest,
  constructing: ConstructionHost,
): Promise<messages.ConstructResponse> {
  const { constructOrganization, receive } = constructing;
  if (request.getType() !== organizationType || !constructOrganization)
    throw unknownName("component type", request.getType(), [organizationType]);
  const monitor = new Monitor(request.getMonitorendpoint(), receive);
  try {
    const component = new EngineComponent(request, constructing, monitor);
    const constructed = await constructOrganization(component);
    await monitor.registerOutputs(component.urn, constructed.outputs);
    return answerWith(component.urn, constructed);
  } finally {
    monitor.close();
  }
}

/** A component of a program in any language, which the engine knows and this process constructs. */
export class EngineComponent {
  readonly name: string;
  readonly urn: string;
  readonly isPreview: boolean;
  /** Plain values; `unknownValue` for a value that is known only during the up. */
  readonly inputs: Properties;
  /** Names of the inputs that contain a secret. */
  readonly secrets: ReadonlySet<string>;

  constructor(
    private readonly request: messages.ConstructRequest,
    readonly host: ConstructionHost,
    private readonly monitor: Monitor,
  ) {
    this.name = request.getName();
    this.urn = makeUrn({ ...this.names(), type: request.getType(), name: this.name });
    this.isPreview = request.getDryrun();
    const { properties, secrets } = host.receive(request.getInputs());
    this.inputs = properties;
    this.secrets = secrets;
  }

  /** The URN, and earlier ones by the aliases that the program declares. */
  urns(): readonly string[] {
    return [this.urn, ...this.request.getAliasesList().map((alias) => this.formerUrn(alias))];
  }

  /** The recorded resources of the stack. `why` begins the message if they cannot be read. */
  recordedResources(why: string): Promise<StackResources> {
    const names = { ...this.names(), organization: this.request.getOrganization() };
    return readStackState(this.host.run, why, names, (stackName) => this.monitor.readStack(stackName));
  }

  /** Registers the component itself, which comes before everything below it. */
  async begin(): Promise<void> {
    const { request } = this;
    const component = requestFor(request.getType(), this.name, request.getParent())
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

  /** Registers a resource; `site` is given if the resource is a part of a site. */
  async register(
    { resource, name, inputs, protect }: Registration,
    site?: RegisteredResource,
  ): Promise<RegisteredResource> {
    const child = requestFor(typeIn("plugin", resource), name, this.urn)
      .setCustom(true)
      .setObject(toStruct(site ? { ...inputs, siteId: site.id } : inputs))
      .setProvider(this.host.provider);
    // The type with the dynamic host: a stack that moves keeps the resource.
    child.addAliases(new Alias().setSpec(new Alias.Spec().setType(typeIn("dynamic", resource))));
    if (protect !== undefined) child.setProtect(protect);
    if (site) {
      const dependencies = new RegisterResourceRequest.PropertyDependencies().setUrnsList([site.urn]);
      child.setDependenciesList([site.urn]).getPropertydependenciesMap().set("siteId", dependencies);
    }
    const response = await this.monitor.register(child);
    const isMissing = response?.getResult() !== Result.SUCCESS || (response.getUnknown() && !this.isPreview);
    return {
      urn: response?.getUrn() ?? "",
      id: response?.getId() || unknownValue,
      outputs: this.host.receive(response?.getObject()).properties,
      isMissing,
    };
  }

  /** Registers a component below this one. */
  async registerLeaf(type: string, name: string, { inputs, outputs, kept }: Leaf): Promise<void> {
    const request = requestFor(type, name, this.urn).setObject(toStruct(inputs)).setIgnorechangesList(kept);
    const response = await this.monitor.register(request);
    if (response) await this.monitor.registerOutputs(response.getUrn(), outputs);
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
}

/** The position in the program is left out: the engine would store the call stack of the program with every child. */
const requestFor = (type: string, name: string, parent: string): RegisterResourceRequest =>
  new RegisterResourceRequest().setType(type).setName(name).setParent(parent);

function answerWith(urn: string, { outputs, sources }: Constructed): messages.ConstructResponse {
  const response = new messages.ConstructResponse().setUrn(urn).setState(toStruct(outputs));
  for (const [name, urns] of Object.entries(sources)) {
    const dependencies = new messages.ConstructResponse.PropertyDependencies().setUrnsList([...urns]);
    response.getStatedependenciesMap().set(name, dependencies);
  }
  return response;
}
