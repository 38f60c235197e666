import type * as dynamic from "@pulumi/pulumi/dynamic";
import { z } from "zod";
import { DocsError } from "./api/errors";
import { type Context, connect, explained } from "./context";
import { markManaged, TwinFound } from "./creation";
import {
  containsUnknown,
  defined,
  differing,
  type Equal,
  failuresOf,
  type Properties,
  pick,
  pickAll,
} from "./declaration";
import { presented } from "./presentation";
import { configure, requiredOrganizationId, settings } from "./settings";
import { providerKey, stubOf, typeOf } from "./stub";

declare module "zod" {
  interface GlobalMeta {
    /** A change of the declaration replaces the resource; the output of this name tells what is live. */
    replaces?: string;
    /** Tells the provider how to act and is no property of the service: a change of it sends nothing. */
    option?: true;
  }
}

/** What is special about a resource. Live state decides: every step may run again, and sends nothing where all is equal. */
export interface Lifecycle<Inputs, Outputs, Live> {
  /** The first step of a creation, after which there is an id to keep; `sync` does the rest. */
  create(context: Context, inputs: Inputs): Promise<{ id: string; live: Live }>;
  /** What is live now, or `undefined` where it is proven gone; `recorded` stands in for what can not be read. */
  observe(context: Context, id: string, recorded: Inputs, declared: Inputs): Promise<Live | undefined>;
  /** Brings what is live to what is declared; yields what is live after each step that was carried out. */
  sync(context: Context, id: string, live: Live, inputs: Inputs): AsyncIterable<Live>;
  /** The live values of input properties; a property that is left out has no live value and stays as declared. */
  values(live: Live): { [Name in keyof Inputs]?: Inputs[Name] | undefined };
  /** Everything else that is worth knowing, under names of its own. */
  outputs(live: Live): Outputs;
  /** Deletes it; succeeds when it is gone. */
  remove(context: Context, id: string): Promise<void>;
}

export interface Definition<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live> {
  readonly name: string;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  /** Replacing loses what the API can not restore: refused with this reason, unless `allowReplace` is declared. */
  readonly replaceLoses?: string;
  /** Where old and new can not be there at once, for example because a name is unique. */
  readonly deleteBeforeReplace?: (declared: Properties) => boolean;
  readonly equal?: Readonly<Record<string, Equal>>;
  readonly lifecycle: Lifecycle<z.output<Inputs>, z.output<Outputs>, Live>;
}

// Definitions of all kinds stand side by side in the registry; what they are made of fits by construction.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyDefinition = Definition<z.ZodObject, z.ZodObject, any>;

export function defineResource<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live>(
  definition: Definition<Inputs, Outputs, Live>,
): Definition<Inputs, Outputs, Live> {
  return definition;
}

/** Properties of ours in the state that are neither declared nor of the service. */
const versionKey = "__version";
const declaredOrganizationKey = "__organizationDeclared";
export const stateVersion = 1;

/** The handlers that the engine calls, made from a definition: what is true for every resource is done here, once. */
export function handlerOf(definition: AnyDefinition): dynamic.ResourceProvider {
  const { lifecycle } = definition;
  const declaredOf = (properties: Properties) => declaredIn(definition, properties);
  return {
    configure: async ({ config }) => configure((key) => config.get(key)),

    check: async (_olds, news: Properties) => {
      const { [providerKey]: _, ...declared } = news;
      return { inputs: news, failures: failuresOf(definition.inputs, declared) };
    },

    diff: async (id, olds: Properties, news: Properties) => {
      markManaged(id);
      return presented(async () => diffOf(definition, olds, news));
    },

    create: (inputs: Properties) => {
      const declared = declaredOf(inputs);
      return within(declared, undefined, async (context) => {
        const { id, live } = await lifecycle.create(context, declared).catch((error) => {
          throw error instanceof TwinFound ? refusedTwin(definition, context, declared, error) : error;
        });
        markManaged(id);
        return { id, outs: await synced(definition, context, { id, live, inputs, started: true }) };
      });
    },

    read: (id, props: Properties) => {
      markManaged(id);
      const declared = declaredOf(props);
      return within(declared, props, async (context) => {
        const live = await lifecycle.observe(context, id, declared, declared);
        if (live === undefined) return { id: "", props: {} };
        const outs = stateOf(definition, context, live, declared);
        return { id, props: outs, inputs: declaredOf(outs) };
      });
    },

    update: (id, olds: Properties, news: Properties) => {
      markManaged(id);
      const declared = declaredOf(news);
      return within(declared, olds, async (context) => {
        const recorded = declaredOf(olds);
        if (nothingToSend(definition, recorded, declared)) return { outs: redeclared(definition, olds, declared) };
        const live = await lifecycle.observe(context, id, recorded, declared);
        if (live === undefined) throw goneMeanwhile(definition, id);
        return { outs: await synced(definition, context, { id, live, inputs: news, started: false }) };
      });
    },

    delete: (id, props: Properties) => {
      markManaged(id);
      return within(declaredOf(props), props, (context) => lifecycle.remove(context, id));
    },
  };
}

/** Declared properties in a state or in inputs; the organization is one only where the declaration names it. */
function declaredIn({ inputs }: AnyDefinition, properties: Properties): Properties {
  const declared = pick(properties, Object.keys(inputs.shape));
  if (versionKey in properties && !properties[declaredOrganizationKey]) delete declared.organizationId;
  return declared;
}

/** What is stored: declared properties with their live values, everything else under names of its own. */
function stateOf(definition: AnyDefinition, context: Context, live: unknown, declared: Properties): Properties {
  const values: Properties = definition.lifecycle.values(live);
  const readable = Object.keys(declared).filter((name) => name in values);
  return defined({
    ...declared,
    ...pickAll(values, readable),
    ...definition.lifecycle.outputs(live),
    ...marks(context.organizationId, declared),
  });
}

function marks(organizationId: string, declared: Properties): Properties {
  const byDeclaration = declared.organizationId !== undefined && { [declaredOrganizationKey]: true };
  return { organizationId, [versionKey]: stateVersion, ...byDeclaration };
}

/** The state after properties left the program, or an option changed: nothing of it is news to the service. */
function redeclared(definition: AnyDefinition, olds: Properties, declared: Properties): Properties {
  const outputs = pick(olds, Object.keys(definition.outputs.shape));
  return { ...declared, ...outputs, ...marks(String(olds.organizationId), declared) };
}

function nothingToSend(definition: AnyDefinition, recorded: Properties, declared: Properties): boolean {
  const changed = differing(recorded, declared, definition.equal);
  return changed.every((name) => {
    return declared[name] === undefined || name === "organizationId" || metaOf(definition, name)?.option;
  });
}

function metaOf({ inputs }: AnyDefinition, name: string): z.core.GlobalMeta | undefined {
  const property = inputs.shape[name] as z.ZodType | undefined;
  return property instanceof z.ZodOptional ? (property.unwrap() as z.ZodType).meta() : property?.meta();
}

/** A stack belongs to its organization: settings that name another one are a mistake, not a move. */
function organizationOf(declared: Properties, recorded?: Properties): string {
  if (typeof declared.organizationId === "string") return declared.organizationId;
  const managed = recorded?.organizationId;
  if (typeof managed !== "string") return requiredOrganizationId();
  const { organizationId } = settings();
  if (organizationId === undefined || organizationId === managed) return managed;
  throw new DocsError(
    `this stack manages organization ${managed}, the settings say ${organizationId}; correct DOCS_ORGANIZATION_ID or ` +
      "docs:organizationId, or use a stack of its own for the other organization",
  );
}

/** Runs the work in the organization of the resource, and makes its errors presentable. */
function within<T>(
  declared: Properties,
  recorded: Properties | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return presented(() => {
    const context = connect(organizationOf(declared, recorded));
    return explained(context, () => work(context));
  });
}

interface Sync {
  readonly id: string;
  readonly live: unknown;
  readonly inputs: Properties;
  /** Something is live already that the state does not know. */
  readonly started: boolean;
}

/** Runs the steps; a failure after the first one keeps what was done in the state, and the next up finishes the work. */
async function synced(definition: AnyDefinition, context: Context, sync: Sync): Promise<Properties> {
  const declared = declaredIn(definition, sync.inputs);
  let { live, started } = sync;
  try {
    for await (live of definition.lifecycle.sync(context, sync.id, live, declared)) started = true;
  } catch (error) {
    if (!started || !(error instanceof Error)) throw error;
    const properties = { ...stateOf(definition, context, live, declared), [providerKey]: sync.inputs[providerKey] };
    throw Object.assign(error, { id: sync.id, properties, reasons: [error.message] });
  }
  return stateOf(definition, context, live, declared);
}

function diffOf(definition: AnyDefinition, olds: Properties, news: Properties): dynamic.DiffResult {
  const recorded = declaredIn(definition, olds);
  const declared = declaredIn(definition, news);
  const changes = differing(recorded, declared, definition.equal).length > 0;
  const replaces = replacing(definition, olds, recorded, declared);
  if (!replaces.includes("organizationId")) organizationOf(declared, olds);
  if (replaces.length === 0) return { changes };
  if (definition.replaceLoses === undefined || declared.allowReplace === true) {
    return { changes, replaces, deleteBeforeReplace: definition.deleteBeforeReplace?.(declared) ?? false };
  }
  const certain = replaces.filter((name) => !containsUnknown(declared[name]));
  if (certain.length > 0) throw refusedReplace(definition, certain, olds, declared);
  // What is not known yet may turn out to be what is there: decided at up, when it is known.
  return { changes };
}

/** Properties whose declaration changed and that can only be set at creation; what is live changes nothing here. */
function replacing(definition: AnyDefinition, olds: Properties, recorded: Properties, declared: Properties): string[] {
  return Object.keys(declared).filter((name) => {
    const live = metaOf(definition, name)?.replaces;
    if (live === undefined) return false;
    const before = recorded[name] ?? olds[live];
    return (
      before !== undefined && differing({ [name]: before }, { [name]: declared[name] }, definition.equal).length > 0
    );
  });
}

function refusedReplace(
  definition: AnyDefinition,
  names: readonly string[],
  olds: Properties,
  declared: Properties,
): DocsError {
  const changes = names.map(
    (name) => `${name} from ${JSON.stringify(olds[name])} to ${JSON.stringify(declared[name])}`,
  );
  return new DocsError(
    `${definition.name}: changing ${changes.join(" and ")} would replace it, and ${definition.replaceLoses}; ` +
      "undo the change, or declare allowReplace: true to replace it",
  );
}

function goneMeanwhile(definition: AnyDefinition, id: string): DocsError {
  return new DocsError(`${definition.name} ${id} is gone; run pulumi up --refresh, which creates it again`);
}

/** A resource, as an entry of the file that `pulumi import --file` reads. */
export function importEntry(definition: AnyDefinition, id: string, outputs: Properties, name: string): Properties {
  const provider = { [providerKey]: stubOf(definition.name) };
  const inputs = { ...declaredIn(definition, outputs), ...provider };
  return { type: typeOf(definition.name), name, id, inputs, outputs: { ...outputs, ...provider } };
}

function refusedTwin(definition: AnyDefinition, context: Context, declared: Properties, twin: TwinFound): DocsError {
  const entry = importEntry(definition, twin.id, stateOf(definition, context, twin.live, declared), "NAME");
  return new DocsError(
    `${twin.what} is there already: ${twin.id}, made within the last hour and not managed by this stack, maybe by a run that was ` +
      "interrupted. To take it over, write the next line to import.json (NAME is the resource's name in the program) and run: " +
      "pulumi import --file import.json --protect=false --generate-code=false\n" +
      `${JSON.stringify({ resources: [entry] })}\n` +
      "If it is not wanted, delete it. If a second one is wanted, declare allowTwin: true.",
  );
}
