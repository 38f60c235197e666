import type { ConfigureRequest, ResourceProvider } from "@pulumi/pulumi/dynamic";
import { managementOf, type RecordedSubjects, type ResourceManager } from "../access/management";
import { refuseUnreviewedOrganization } from "../access/refuse-unreviewed";
import { reviewedPlan } from "../access/reviewed";
import type { LivePerson } from "../access-plan/input";
import { DocsError } from "../api/http/errors";
import { type Context, connect, explained } from "../run/context";
import {
  noteServices,
  refuseBesidePlugin,
  refuseCreationElsewhere,
  refuseOtherService,
  type StackServices,
  servicesKey,
} from "../run/origin";
import { presentErrors } from "../run/presentation";
import { containsUnknown, failuresOf, type Properties, pick } from "../run/properties";
import type { Run } from "../run/run";
import { explainedError, explainedOnce } from "../run/settings-explained";
import { writesOf, writtenKey } from "../run/writes";
import { shownValue } from "../text/mistakes";
import { type AnyDefinition, spelledOut, warningsOf } from "./definition";
import { differenceOf, nothingToSend } from "./diff";
import { noteNew, refuseDuplicate } from "./existing";
import { IncompleteId, liveState } from "./live-state";
import { declareManager, type ManagedProperties, ownManager, subjectsIn } from "./manager";
import { refuseOtherPeople, refuseUnplanned } from "./planned";
import { type FormerObject, renamesIn } from "./renames";
import {
  admitState,
  declaredIn,
  keepOthers,
  organizationOf,
  providerKey,
  recordedValues,
  stateOf,
  stateWithoutRequest,
} from "./state";
import type { StateStep } from "./state-versions";
import { runSync } from "./sync";
import { readDeclared, refuseTwoNames } from "./two-names";

export interface Host {
  readonly run: Run;
  /** The resource that the handlers are called for. Only some hosts know it. */
  readonly resource?: HostResource;
}

/** A resource whose name the host knows in every call. */
export interface HostResource {
  readonly manager: ResourceManager;
  /** The properties whose values are secret in this call, so that no message may show them. */
  readonly secrets: ReadonlySet<string>;
  warn(text: string): void;
}

/** What the class of the dynamic host passes to `check`: its process can neither read the state nor see the name of a resource. */
export interface StackKnowledge extends StackServices {
  readonly manager?: ResourceManager;
  /** Recorded objects that the resource looks like and the program has not declared so far. */
  readonly former?: readonly FormerObject[];
  /** Ids of the recorded objects that the resource may look like when it is live, and of its own. */
  readonly managed?: readonly string[];
}

/** What the engine calls: the protocol of dynamic providers, the reading of an object for an import, and previews of changes. */
export type Handlers = ResourceProvider & Pick<ReturnType<typeof currentHandlerOf>, "readExisting" | "preview">;

/**
 * Makes the handlers of a definition, which the engine calls. They have everything that all resources have in common, and accept a
 * state of any version.
 */
export function handlerOf(definition: AnyDefinition, host: Host, steps?: readonly StateStep[]): Handlers {
  const handlers = currentHandlerOf(definition, host);
  const current = (state: Properties) => {
    try {
      return admitState(host.run, definition, state, steps);
    } catch (error) {
      throw explainedError(host.run, error);
    }
  };
  return {
    ...handlers,
    diff: (id, olds, news) => presentErrors(async () => handlers.diff(id, current(olds), news)),
    read: (id, props = {}) => presentErrors(async () => handlers.read(id, current(props))),
    update: (id, olds, news) => presentErrors(async () => handlers.update(id, current(olds), news)),
    delete: (id, props) => presentErrors(async () => handlers.delete(id, current(props))),
  };
}

/** The handlers without the upgrade of states: they get states of the current version only. */
function currentHandlerOf(definition: AnyDefinition, { run, resource }: Host) {
  const { lifecycle } = definition;
  const declaredOf = (properties: Properties) => declaredIn(definition, properties);
  const management = managementOf(run);
  const renames = renamesIn(run);
  // `undefined` if the host does not know the names of resources.
  const urn = resource?.manager.position;
  return {
    configure: async ({ config }: ConfigureRequest) => run.settings.configure((key) => config.get(key)),

    check: async (olds: Properties, news: Properties) => {
      run.noteProgram();
      renames.noteChecked(definition, olds);
      const { [servicesKey]: handed = {}, ...given } = news as Properties & { [servicesKey]?: StackKnowledge };
      const manager = resource?.manager ?? handed.manager;
      const inputs = spelledOut(definition.inputs, given) as Properties;
      const { [providerKey]: _, ...declared } = inputs;
      const failures = failuresOf(definition.inputs, declared, resource?.secrets);
      // For an import, the engine calls `check` with what the file says, without the class.
      const isImport = manager === undefined;
      if (failures.length === 0 && isImport) declareSubjects(run, definition, declared);
      return presentedOnce(run, async () => {
        run.settings.requireFor(declared.organizationId);
        noteServices(run, handed);
        refuseBesidePlugin(run);
        renames.noteFormer(handed.former);
        for (const id of handed.managed ?? []) management.recordObject(id);
        // The engine passes no inputs of a resource that is not recorded. A recorded one has at least its required inputs.
        const isNew = Object.keys(olds).length === 0;
        if (isNew) refuseCreationElsewhere(run);
        // Refuses a plan that cannot be used.
        reviewedPlan(run);
        if (failures.length > 0) return { inputs, failures };
        if (isNew) noteNew(run, definition, declared);
        const refusal = manager && declareManager(run, definition, manager, declared);
        if (refusal !== undefined) throw new DocsError(refusal);
        // If the host does not know the resource, its class shows the warnings.
        if (resource) for (const text of warningsOf(definition, declared)) resource.warn(text);
        refuseSecondName(run, definition, { declared });
        return { inputs, failures };
      });
    },

    diff: async (id: string, olds: Properties, news: Properties) => {
      management.recordObject(id);
      renames.noteCompared(definition, id, olds, declaredOf(news), urn);
      return presentedOnce(run, async () => {
        const notes = definition.changeNotes?.(recordedValues(definition, olds), declaredOf(news)) ?? [];
        for (const note of notes) {
          if (resource) resource.warn(note);
          else run.tellOnce(note);
        }
        const difference = differenceOf(run, definition, definition.ownState?.(run, olds) ?? olds, news);
        renames.noteOutcome(definition, id, difference);
        // A refresh compares with the recorded inputs, which the program may have changed.
        if (run.runsProgram()) refuseSecondName(run, definition, { declared: declaredOf(news), recorded: olds });
        return difference;
      });
    },

    /** Warnings and refusals before a creation or update; only some hosts call it. */
    preview: async (recorded: Properties | undefined, news: Properties) => {
      const declared = declaredOf(news);
      const warning = urn && !recorded && (await renames.describeRenamed(definition, urn, declared));
      if (warning) resource?.warn(warning);
      if (!recorded && definition.recognition && !containsUnknown(declared.organizationId))
        await withContext(run, declared, recorded, (context) => refuseDuplicate(context, definition, declared));
      if (containsUnknown(declared)) return undefined;
      return withContext(run, declared, recorded, async (context) => {
        refuseSecondName(
          run,
          definition,
          { declared, recorded },
          await readDeclared(context, subjectsIn(definition, context.organizationId, declared)),
        );
        await definition.atPreview?.(context, declared, recorded && recordedValues(definition, recorded));
      });
    },

    create: (inputs: Properties) => {
      run.calledAt = Date.now();
      const declared = declaredOf(inputs);
      return withContext(run, declared, undefined, async (context) => {
        refuseUnreviewedOrganization(context);
        refuseUnplanned(context, definition, { operation: "create", declared });
        await refuseOtherPeople(context, definition, declared);
        const refusal = await renames.findRefusal(definition, urn, declared);
        if (refusal) throw refusal;
        await refuseDuplicate(context, definition, declared);
        const { id, live } = await lifecycle.create(context, declared);
        management.recordObject(id);
        renames.noteMade(definition, id);
        renames.noteDeclared(definition, id, stateOf(definition, context, live, declared), declared, urn);
        const sync = { id, live, inputs, alreadyCreated: true, secrets: resource?.secrets };
        return { id, outs: await runSync(definition, context, sync) };
      });
    },

    read: (id: string, props: Properties) => {
      management.recordObject(id);
      const declared = declaredOf(props);
      return withContext(run, declared, props, async (context) => {
        const live = await lifecycle.observe(context, id, recordedValues(definition, props), declared);
        // A read that finds no change returns the state as it is, with the writes that it records.
        const state = live && { ...stateOf(definition, context, live, declared), ...pick(props, [writtenKey]) };
        const outs = state && keepOthers(run, props, state);
        renames.noteRecorded(definition, id, outs, urn);
        if (outs === undefined) return { id: "", props: {} };
        management.record(recordedResource(definition, context, id, outs));
        return { id, props: outs, inputs: declaredOf(outs) };
      });
    },

    /** Reads an existing object that the state does not have, to import it. `given` is what is known of its declaration. */
    readExisting: (id: string, given: Properties) => {
      management.recordObject(id);
      const inputs = declaredOf(given);
      return withContext(run, inputs, undefined, async (context) => {
        const givenInputs = Object.keys(inputs).length > 0 && { inputs };
        const leaveOut = (what: string) => resource?.warn(what);
        const state = await liveState(context, definition, { id, ...givenInputs, leaveOut }).catch((error) => {
          throw error instanceof IncompleteId ? impossibleImport(definition, id) : error;
        });
        management.record(recordedResource(definition, context, id, state));
        return { id, props: state, inputs: declaredOf(state) };
      });
    },

    update: (id: string, olds: Properties, news: Properties) => {
      run.calledAt = Date.now();
      management.recordObject(id);
      const declared = declaredOf(news);
      const change = async (context: Context) => {
        if (nothingToSend(definition, olds, declared)) return stateWithoutRequest(context, definition, olds, declared);
        const observed = await lifecycle.observe(context, id, recordedValues(definition, olds), declared);
        if (observed === undefined && !definition.canSendAgain)
          throw new DocsError(`${definition.name} ${id} is gone; run pulumi up --refresh, which creates it again`);
        refuseUnplanned(context, definition, { operation: "update", id, declared, live: observed });
        const live = observed ?? (await lifecycle.create(context, declared)).live;
        const sync = { id, live, inputs: news, alreadyCreated: false, secrets: resource?.secrets };
        return runSync(definition, context, sync);
      };
      return withContext(run, declared, olds, async (context) => ({
        outs: await trackSubjects(definition, context, { id, state: olds }, () => change(context)),
      }));
    },

    delete: (id: string, props: Properties) => {
      run.calledAt = Date.now();
      management.recordObject(id);
      return withContext(run, declaredOf(props), props, (context) =>
        trackSubjects(definition, context, { id, state: props }, async () => {
          refuseUnplanned(context, definition, { operation: "delete", id, declared: {} });
          renames.refuseLoss(definition, id, props);
          await lifecycle.remove(context, id, recordedValues(definition, props));
          renames.noteDeleted(definition, id);
          return undefined;
        }),
      );
    },
  };
}

/** Declares the subjects of a resource, unless a preview does not know a value yet. */
function declareSubjects(run: Run, definition: AnyDefinition, declared: Properties): void {
  const organizationId = declared.organizationId ?? run.settings.organizationId();
  if (typeof organizationId !== "string" || containsUnknown(declared)) return;
  managementOf(run).declare(subjectsIn(definition, organizationId, declared));
}

/** Refuses a second resource for a person under another name, as far as the state, or a preview of a change, shows it. */
function refuseSecondName(
  run: Run,
  definition: AnyDefinition,
  properties: ManagedProperties,
  people?: readonly LivePerson[],
): void {
  const { declared = {} } = properties;
  const organizationId = declared.organizationId ?? run.settings.organizationId();
  if (typeof organizationId !== "string" || containsUnknown(declared)) return;
  const own = ownManager(definition, organizationId, properties);
  if (own) refuseTwoNames(run, own, people);
}

function recordedResource(
  definition: AnyDefinition,
  { organizationId }: Context,
  id: string,
  state: Properties,
): RecordedSubjects {
  const subjects = subjectsIn(definition, organizationId, recordedValues(definition, state));
  return { resource: `${definition.name} ${id}`, subjects };
}

/**
 * Runs an update or delete. The resource manages no recorded subject while it runs; afterwards it manages the subjects of the
 * resulting state. If the work failed, these are the subjects of the previous state, or of the part that was done, which
 * `runSync` puts on the error.
 */
async function trackSubjects<State extends Properties | undefined>(
  definition: AnyDefinition,
  context: Context,
  { id, state }: { readonly id: string; readonly state: Properties },
  work: () => Promise<State>,
): Promise<State> {
  const management = managementOf(context.run);
  const resource = (properties: Properties) => recordedResource(definition, context, id, properties);
  management.removeRecord(resource(state));
  try {
    const after = await work();
    if (after) management.record(resource(after));
    return after;
  } catch (error) {
    const { properties = state } = error as { readonly properties?: Properties };
    management.record(resource(properties));
    throw error;
  }
}

/** Runs the work with a client for the organization of the resource, and prepares its errors for the user. */
function withContext<T>(
  run: Run,
  declared: Properties,
  recorded: Properties | undefined,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return presentedOnce(run, async () => {
    run.settings.requireFor(declared.organizationId ?? recorded?.organizationId);
    if (recorded) refuseOtherService(run, recorded);
    else refuseCreationElsewhere(run);
    reviewedPlan(run);
    const connected = await connect(run, organizationOf(run.settings, declared, recorded));
    const context = { ...connected, recorded };
    writesOf(context).restore(recorded?.[writtenKey]);
    return explained(context, () => work(context));
  });
}

/** An import by the engine has no inputs, and there is nothing to import: such a resource has no object of its own at the service. */
function impossibleImport({ name }: AnyDefinition, id: string): DocsError {
  return new DocsError(
    `${name} cannot be imported: the id ${shownValue(id)} does not say what it manages; ` +
      "declare it without an import, which sends nothing if the declared values are live",
  );
}

/** Prepares errors for the user. Errors of settings, which all resources share, are explained once. */
const presentedOnce = <T>(run: Run, work: () => Promise<T>): Promise<T> =>
  presentErrors(() => explainedOnce(run, work));
