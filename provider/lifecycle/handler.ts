import type { ConfigureRequest, ResourceProvider } from "@pulumi/pulumi/dynamic";
import { type Holder, hold, layClaim, letGo } from "../access/claims";
import { refuseUnreviewedOrganization, reviewedPlan } from "../access/reviewed";
import { DocsError, ownError } from "../api/http/errors";
import { type Context, connect, explained } from "../run/context";
import { noteServices, refuseCreationElsewhere, refuseOtherService, servicesKey } from "../run/origin";
import { presented, tellOnce } from "../run/presentation";
import { noteCall, noteProgram, runsProgram } from "../run/program";
import { containsUnknown, differing, failuresOf, type Properties, pick } from "../run/properties";
import { configure, refuseMissingSettings, settings } from "../run/settings";
import { explainedOnce } from "../run/settings-explained";
import { shown } from "../text/mistakes";
import { markManaged, TwinFound } from "./create-once";
import { type AnyDefinition, metaOf } from "./definition";
import { differenceOf, nothingToSend } from "./diff";
import {
  noteChecked,
  noteCompared,
  noteDeclared,
  noteDeleted,
  noteFormerNames,
  noteOutcome,
  noteRecorded,
  refuseLoss,
  refuseRenamed,
} from "./renames";
import { declaredIn, organizationOf, providerKey, recordedIn, redeclared, stateOf } from "./state";
import { type Step, upgrading } from "./state-versions";

/** What serves the handlers to the engine, as far as messages need it. */
export interface Host {
  /** How a user imports an existing object whose state would be `outputs`: one sentence that ends with a command. */
  howToImport(definition: AnyDefinition, id: string, outputs: Properties): string;
}

/** The handlers that the engine calls, made from a definition: what is true for every resource is done here, once. */
export function handlerOf(definition: AnyDefinition, host: Host, steps?: readonly Step[]): ResourceProvider {
  return upgrading(definition.name, currentHandlerOf(definition, host), steps);
}

/** Every state that these get has the shape of this version. */
function currentHandlerOf(definition: AnyDefinition, host: Host) {
  const { lifecycle } = definition;
  const declaredOf = (properties: Properties) => declaredIn(definition, properties);
  return {
    configure: async ({ config }: ConfigureRequest) => configure((key) => config.get(key)),

    check: async (olds: Properties, news: Properties) => {
      noteProgram();
      noteChecked(definition, olds);
      const { [servicesKey]: services, ...inputs } = news;
      const { [providerKey]: _, ...declared } = inputs;
      const failures = failuresOf(definition.inputs, declared);
      if (failures.length === 0) layClaims(definition, declared);
      return presentedOnce(async () => {
        refuseMissingSettings(declared.organizationId);
        noteServices(services);
        noteFormerNames(definition, services);
        if (isNew(olds)) refuseCreationElsewhere();
        reviewedPlan();
        return { inputs, failures };
      });
    },

    diff: async (id: string, olds: Properties, news: Properties) => {
      markManaged(id);
      noteCompared(definition, id, olds, declaredOf(news));
      return presentedOnce(async () => {
        const notes = definition.changeNotes?.(recordedIn(definition, olds), declaredOf(news)) ?? [];
        for (const note of notes) tellOnce(note);
        const difference = differenceOf(definition, olds, news);
        noteOutcome(definition, id, difference);
        return difference;
      });
    },

    create: (inputs: Properties) => {
      noteCall();
      const declared = declaredOf(inputs);
      return within(declared, undefined, async (context) => {
        refuseUnreviewedOrganization(context.organizationId);
        await refuseRenamed(definition, context.organizationId, declared);
        const { id, live } = await lifecycle.create(context, declared).catch((error) => {
          if (!(error instanceof TwinFound)) throw error;
          const state = stateOf(definition, context.organizationId, error.live, declared);
          throw refusedTwin(error, host.howToImport(definition, error.id, state));
        });
        markManaged(id);
        noteDeclared(definition, id, stateOf(definition, context.organizationId, live, declared), declared);
        return { id, outs: await synced(definition, context, { id, live, inputs, started: true }) };
      });
    },

    read: (id: string, props: Properties) => {
      markManaged(id);
      const declared = declaredOf(props);
      return within(declared, props, async (context) => {
        const live = await lifecycle.observe(context, id, recordedIn(definition, props), declared);
        const outs = live === undefined ? undefined : stateOf(definition, context.organizationId, live, declared);
        noteRecorded(definition, id, outs);
        if (outs === undefined) return { id: "", props: {} };
        hold(holderOf(definition, context, id, outs));
        return { id, props: outs, inputs: declaredOf(outs) };
      });
    },

    update: (id: string, olds: Properties, news: Properties) => {
      noteCall();
      markManaged(id);
      const declared = declaredOf(news);
      const change = async (context: Context) => {
        if (nothingToSend(definition, olds, declared)) return redeclared(definition, olds, declared);
        const observed = await lifecycle.observe(context, id, recordedIn(definition, olds), declared);
        if (observed === undefined && !definition.repeatable) throw goneMeanwhile(definition, id);
        const live = observed ?? (await lifecycle.create(context, declared)).live;
        return synced(definition, context, { id, live, inputs: news, started: false });
      };
      return within(declared, olds, async (context) => ({
        outs: await changing(definition, context, { id, state: olds }, () => change(context)),
      }));
    },

    delete: (id: string, props: Properties) => {
      noteCall();
      markManaged(id);
      return within(declaredOf(props), props, (context) =>
        changing(definition, context, { id, state: props }, async () => {
          refuseLoss(definition, id, props);
          await lifecycle.remove(context, id, recordedIn(definition, props));
          noteDeleted(definition, id);
          return undefined;
        }),
      );
    },
  };
}

/** Whatever the engine has recorded has the stub's text. */
const isNew = (olds: Properties): boolean => !(providerKey in olds);

/** What is not known yet, at a preview, is claimed when it is. */
function layClaims({ claims }: AnyDefinition, declared: Properties): void {
  const organizationId = declared.organizationId ?? settings().organizationId;
  if (!claims || typeof organizationId !== "string" || containsUnknown(declared)) return;
  layClaim(organizationId, claims(declared));
}

/** The resource, with the people whom this state has. */
function holderOf(definition: AnyDefinition, { organizationId }: Context, id: string, state: Properties): Holder {
  const claims = definition.claims?.(recordedIn(definition, state)) ?? [];
  return { organizationId, resource: `${definition.name} ${id}`, claims };
}

/** Changes or deletes a resource, which has nobody meanwhile, and then whom the state has: the new one, or the old one after a failure. */
async function changing<State extends Properties | undefined>(
  definition: AnyDefinition,
  context: Context,
  { id, state }: { readonly id: string; readonly state: Properties },
  work: () => Promise<State>,
): Promise<State> {
  const holder = (properties: Properties) => holderOf(definition, context, id, properties);
  letGo(holder(state));
  try {
    const after = await work();
    if (after) hold(holder(after));
    return after;
  } catch (error) {
    const { properties = state } = error as { readonly properties?: Properties };
    hold(holder(properties));
    throw error;
  }
}

/** Runs the work in the organization of the resource, and makes its errors presentable. */
function within<T>(
  declared: Properties,
  recorded: Properties | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return presentedOnce(async () => {
    refuseMissingSettings(declared.organizationId ?? recorded?.organizationId);
    if (recorded) refuseOtherService(recorded);
    else refuseCreationElsewhere();
    reviewedPlan();
    const context = await connect(organizationOf(declared, recorded));
    return explained(context, () => work(context));
  });
}

/** Errors of settings, which every resource has alike, are explained once. */
const presentedOnce = <T>(work: () => Promise<T>): Promise<T> => presented(() => explainedOnce(runsProgram, work));

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
  const stored = (live: unknown) => stateOf(definition, context.organizationId, live, declared);
  let done = sync.started;
  let { live } = sync;
  let state = stored(live);
  try {
    for await (const after of definition.lifecycle.sync(context, sync.id, live, declared)) {
      done = true;
      live = after;
      state = stored(live);
    }
    if (done) refuseUntaken(definition, sync.id, live, declared);
  } catch (error) {
    if (!done || !(error instanceof Error)) throw error;
    const properties = { ...state, [providerKey]: sync.inputs[providerKey] };
    throw Object.assign(ownError(error), { id: sync.id, properties, reasons: [error.message] });
  }
  return state;
}

/** A success that did not bring about what was declared is none, whatever the service answered. */
function refuseUntaken(definition: AnyDefinition, id: string, live: unknown, declared: Properties): void {
  const values: Properties = definition.lifecycle.values(live, declared);
  const readable = Object.keys(values).filter((name) => declared[name] !== undefined);
  const untaken = differing(pick(values, readable), pick(declared, readable), definition.equal);
  if (untaken.length === 0) return;
  const found = untaken.map((name) => {
    if (metaOf(definition, name)?.concealed) return `${name} is not the declared one`;
    return `${name} is ${shown(values[name])} instead of ${shown(declared[name])}`;
  });
  throw new DocsError(
    `${definition.name} ${id}: the service answered with success and did not do what was asked: ${found.join(", and ")}; ` +
      "look at it in the service, and run pulumi up again",
  );
}

function goneMeanwhile(definition: AnyDefinition, id: string): DocsError {
  return new DocsError(`${definition.name} ${id} is gone; run pulumi up --refresh, which creates it again`);
}

function refusedTwin(twin: TwinFound, howToImport: string): DocsError {
  return new DocsError(
    `${twin.what} is there already: ${twin.id}, made within the last hour and not seen in this run: maybe a run that was ` +
      "interrupted made it. If this run does not refresh, add --refresh first, which tells whether this stack has it under another " +
      `name: then give the resource the option aliases, since an import would have it in the state twice. Otherwise, ${howToImport}\n` +
      "If nothing manages it and it is not wanted, delete it in the service. If a second one is wanted, declare allowTwin: true.",
  );
}
