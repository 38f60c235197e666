import type { AnyDefinition } from "../../lifecycle/definition";
import { nothingToSend, untouchedOutputs } from "../../lifecycle/diff";
import { ResourceHandler } from "../../lifecycle/handler";
import { declaredIn, isState, providerKey } from "../../lifecycle/state";
import { noteServices, originKey } from "../../run/origin";
import { differingProperties, type Properties, pick, unknownValue } from "../../run/properties";
import type { Run } from "../../run/run";
import type { CalledResource } from "./called-resource";

/** A change of a resource: the answer to Diff. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Names of the properties that differ. */
  readonly properties: readonly string[];
}

/** The output that marks an imported state until the first update. */
const importedKey = "__imported";

export interface PluginHost {
  /** Shows a warning below a resource, and ends when it is shown. */
  warn(text: string, urn: string): Promise<void>;
  /** Refuses a second provider object for an organization. `deletedUrn`: the resource to delete, if it is a deletion. */
  claim(organizationId: string, deletedUrn?: string): void;
  /** The port of the provider that deletes resources of the organization instead of this one, if there is another version of it. */
  findDeleter(organizationId: string): number | undefined;
}

/** The lifecycle of every resource, as the engine calls it. All calls of one instance of the provider belong to one run. */
export class Resources {
  private readonly warned = new Set<string>();
  /** How many creations, updates and deletions have ended, with an error or without. */
  changes = 0;

  constructor(
    private readonly run: Run,
    private readonly host: PluginHost,
  ) {}

  /** `olds` and `recorded` are the recorded inputs and outputs, empty for a new resource. */
  async check(called: CalledResource, olds: Properties, recorded: Properties, news: Properties) {
    // A creation must not get to another service than the rest of the stack.
    if (typeof recorded[originKey] === "string") noteServices(this.run, { services: { [recorded[originKey]]: "" } });
    const { inputs, failures } = await this.handler(called).check(olds, news);
    await this.claim(inputs);
    return { inputs: withoutStub(inputs), failures };
  }

  async diff(called: CalledResource, id: string, recorded: Properties, news: Properties): Promise<Difference> {
    const { definition } = called;
    const state = asDeclared(definition, recorded, news);
    const difference = await this.handler(called).diff(id, state, news);
    const { changes = false, replaces = [], deleteBeforeReplace = false } = difference;
    const properties = differingProperties(
      declaredIn(definition, state),
      declaredIn(definition, news),
      definition.equal,
    );
    return { changes: changes || replaces.length > 0, replaces, deleteBeforeReplace, properties };
  }

  /** The state that a creation will have, as far as it is known before. */
  async previewCreate(called: CalledResource, inputs: Properties): Promise<Properties> {
    const { definition } = called;
    await this.handler(called).preview(undefined, inputs);
    return { ...declaredIn(definition, inputs), ...unknownOutputs(definition) };
  }

  async create(called: CalledResource, inputs: Properties): Promise<{ id: string; state: Properties }> {
    await this.claim(inputs);
    const { id, outs } = await this.countChange(() => this.handler(called).create(inputs));
    return { id, state: outs };
  }

  /** Reads a recorded resource, or, without a record, an existing object: for an import, or for `get` of a program. */
  async read(called: CalledResource, id: string, recorded: Properties, inputs: Properties) {
    // For an import or `get`, the engine passes no inputs.
    const isRecorded = isState(recorded) || Object.keys(inputs).length > 0;
    const handler = this.handler(called);
    const before = isRecorded ? asDeclared(called.definition, recorded, inputs) : { [importedKey]: true };
    const result = await (isRecorded ? handler.read(id, before) : handler.readExisting(id, recorded));
    if (!result.id) return undefined;
    const { props, inputs: declared = {} } = result;
    return { id: result.id, state: { ...props, ...pick(before, [importedKey]) }, inputs: declared };
  }

  /** The state that an update will have, with the outputs that it cannot change. */
  async previewUpdate(called: CalledResource, recorded: Properties, news: Properties): Promise<Properties> {
    const { definition } = called;
    const state = asDeclared(definition, recorded, news);
    const declared = declaredIn(definition, news);
    if (nothingToSend(definition, state, declared)) return { ...withoutStub(state), ...declared };
    await this.handler(called).preview(state, news);
    return { ...declared, ...unknownOutputs(definition), ...untouchedOutputs(definition, state, declared) };
  }

  async update(called: CalledResource, id: string, state: Properties, news: Properties): Promise<Properties> {
    await this.claim(state);
    const { outs } = await this.countChange(() => this.handler(called).update(id, state, news));
    return outs;
  }

  /** The port of the provider that deletes the resource instead of this one, if there is another version of it. */
  findDeleter(state: Properties): Promise<number | undefined> {
    return this.inOrganization(state, (organizationId) => this.host.findDeleter(organizationId));
  }

  async delete(called: CalledResource, id: string, state: Properties): Promise<void> {
    await this.claim(state, called.urn);
    await this.countChange(() => this.handler(called).delete(id, state));
  }

  /**
   * Every change claims its organization: a deletion may be the only call that a provider object gets in a command. Reads do
   * not: a refresh reads with every provider object that the state records. An organization has two of them after a new version of
   * this package, or a move to a provider object.
   */
  private claim(properties: Properties, deletedUrn?: string): Promise<void> {
    return this.inOrganization(properties, (organizationId) => this.host.claim(organizationId, deletedUrn));
  }

  private async inOrganization<T>(properties: Properties, work: (organizationId: string) => T) {
    const organizationId = properties.organizationId ?? this.run.settings.organizationId();
    if (typeof organizationId !== "string" || organizationId === unknownValue) return undefined;
    return work(organizationId);
  }

  private async countChange<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.changes += 1;
    }
  }

  /** The engine calls `check` and `diff` in a refresh, and again in the preview after it. */
  private warnOnce(warning: string, { urn, hide }: CalledResource): void {
    const text = hide(warning);
    const key = `${urn} ${text}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    void this.host.warn(text, urn);
  }

  private handler(called: CalledResource): ResourceHandler {
    const { definition, manager, secrets } = called;
    const resource = { manager, secrets, warn: (text: string) => this.warnOnce(text, called) };
    return new ResourceHandler(definition, { run: this.run, resource });
  }
}

const unknownOutputs = ({ outputs }: AnyDefinition): Properties =>
  Object.fromEntries(Object.keys(outputs.shape).map((name) => [name, unknownValue]));

/** An imported state as the program declares it: until the first update, what the program omits is no difference. */
function asDeclared({ inputs }: AnyDefinition, state: Properties, declared: Properties): Properties {
  if (!state[importedKey]) return state;
  const isOmitted = (name: string) => name in inputs.shape && name !== "organizationId" && !(name in declared);
  return Object.fromEntries(Object.entries(state).filter(([name]) => !isOmitted(name)));
}

/** A stack that came from the dynamic host still has the text of that host, until the next update. */
const withoutStub = ({ [providerKey]: _, ...properties }: Properties): Properties => properties;
