import type { Manager } from "../../access/management";
import { DocsError } from "../../api/http/errors";
import * as definitions from "../../definitions";
import type { AnyDefinition } from "../../lifecycle/definition";
import { detailedDifference, type PropertyChange } from "../../lifecycle/detailed-diff";
import { nothingToSend } from "../../lifecycle/diff";
import { type Host, handlerOf } from "../../lifecycle/handler";
import { IncompleteId, liveState } from "../../lifecycle/live-state";
import { declaredIn, organizationOf, providerKey } from "../../lifecycle/state";
import { versionKey } from "../../lifecycle/state-versions";
import { connect, explained } from "../../run/context";
import { presented } from "../../run/presentation";
import { type Failure, type Properties, unknownValue } from "../../run/properties";
import type { Run } from "../../run/run";
import { nearest } from "../../text/mistakes";
import { CallError, Code } from "./call-error";
import { parseUrn } from "./urn";

const byName: ReadonlyMap<string, AnyDefinition> = new Map(Object.entries(definitions));
export const typeOf = (name: string): string => `docs:index:${name}`;

/** A resource as the engine names it in a call. */
export interface Called {
  readonly urn: string;
  readonly definition: AnyDefinition;
  readonly manager: Manager;
}

/** Finds the definition of the resource that a call is about. */
export function calledResource(urn: string): Called {
  const parsed = parseUrn(urn);
  if (!parsed) throw new CallError(Code.invalid, `${JSON.stringify(urn)} is not the URN of a resource`);
  const definition = parsed.type.startsWith(typeOf("")) && byName.get(parsed.type.slice(typeOf("").length));
  if (!definition) throw unknownType(parsed.type);
  return { urn, definition, manager: { place: urn, name: `${definition.name} "${parsed.name}"` } };
}

function unknownType(type: string): CallError {
  const types = [...byName.keys()].map(typeOf);
  const guess = nearest(type, types);
  const use = guess === undefined ? `use one of ${types.join(", ")}` : `did you mean ${guess}?`;
  return new CallError(Code.notFound, `there is no resource type ${JSON.stringify(type)}; ${use}`);
}

/** A change of a resource: the answer to Diff. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly detailed: readonly PropertyChange[];
}

/** What is recorded of a resource after a read. */
export interface ReadResult {
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
}

type Handlers = Required<ReturnType<typeof handlerOf>>;

/** The lifecycle of every resource, as the engine calls it. All calls of one instance of the provider belong to one run. */
export class Resources {
  constructor(
    private readonly run: Run,
    /** Shows a warning below a resource. */
    private readonly warn: (text: string, urn: string) => void,
  ) {}

  async check({ urn, definition, manager }: Called, olds: Properties, news: Properties) {
    const handlers = this.handlers({ urn, definition, manager });
    const { inputs, failures } = (await handlers.check(olds, news)) as { inputs: Properties; failures: Failure[] };
    return { inputs: withoutStub(inputs), failures };
  }

  async diff(called: Called, id: string, state: Properties, news: Properties): Promise<Difference> {
    const difference = await this.handlers(called).diff(id, state, news);
    const { changes = false, replaces = [], deleteBeforeReplace = false } = difference;
    const { definition } = called;
    const detailed = changes
      ? detailedDifference(definition, declaredIn(definition, state), declaredIn(definition, news), replaces)
      : [];
    return { changes: changes || replaces.length > 0, replaces, deleteBeforeReplace, detailed };
  }

  /** The state that a creation will have, as far as it is known before. */
  previewCreate({ definition }: Called, inputs: Properties): Properties {
    return { ...declaredIn(definition, inputs), ...unknownOutputs(definition) };
  }

  async create(called: Called, inputs: Properties): Promise<{ id: string; state: Properties }> {
    const { id, outs } = await this.handlers(called).create(inputs);
    return { id, state: outs };
  }

  /** Reads a recorded resource, or, without a record, an existing object to import. */
  async read(called: Called, id: string, recorded: Properties, inputs: Properties): Promise<ReadResult | undefined> {
    if (!(versionKey in recorded)) return this.readExisting(called, id, { ...recorded, ...inputs });
    const result = await this.handlers(called).read(id, recorded);
    if (!result.id) return undefined;
    const { props: state = {}, inputs: declared = {} } = result as { props?: Properties; inputs?: Properties };
    return { id: result.id, state, inputs: declared };
  }

  /** Reads an object that the state does not have: an import, or `get` of a program. */
  private readExisting({ definition }: Called, id: string, given: Properties): Promise<ReadResult> {
    return presented(async () => {
      const inputs = declaredIn(definition, given);
      const known = Object.keys(inputs).length > 0 ? { inputs } : {};
      const context = await connect(this.run, organizationOf(this.run.settings, inputs));
      const reading = explained(context, () => liveState(context, definition, { id, ...known }));
      const state = await reading.catch((error) => {
        throw error instanceof IncompleteId ? impossibleImport(definition, id) : error;
      });
      return { id, state, inputs: declaredIn(definition, state) };
    });
  }

  /** The state that an update will have: outputs may change with it, unless it sends nothing. */
  previewUpdate({ definition }: Called, state: Properties, news: Properties): Properties {
    const declared = declaredIn(definition, news);
    if (nothingToSend(definition, state, declared)) return { ...withoutStub(state), ...declared };
    return { ...declared, ...unknownOutputs(definition) };
  }

  async update(called: Called, id: string, state: Properties, news: Properties): Promise<Properties> {
    const { outs } = (await this.handlers(called).update(id, state, news)) as { outs?: Properties };
    return outs ?? {};
  }

  async delete(called: Called, id: string, state: Properties): Promise<void> {
    await this.handlers(called).delete(id, state);
  }

  private handlers({ definition, manager, urn }: Called): Handlers {
    const host: Host = {
      run: this.run,
      resource: { manager, warn: (text) => this.warn(text, urn) },
      howToImport: (_, id) =>
        `to take it over, run: pulumi import ${typeOf(definition.name)} NAME ${id} (NAME is the resource's name in the program)`,
    };
    return handlerOf(definition, host) as Handlers;
  }
}

/** An import has no inputs, and there is nothing to import: such a resource has no object of its own at the service. */
function impossibleImport({ name }: AnyDefinition, id: string): DocsError {
  return new DocsError(
    `${name} cannot be imported: the id ${JSON.stringify(id)} does not say what it manages; ` +
      "declare it without an import, which sends nothing if the declared values are live",
  );
}

const unknownOutputs = ({ outputs }: AnyDefinition): Properties =>
  Object.fromEntries(Object.keys(outputs.shape).map((name) => [name, unknownValue]));

/** A stack that came from the dynamic host still has the text of that host, until the next update. */
function withoutStub({ [providerKey]: _, ...properties }: Properties): Properties {
  return properties;
}
