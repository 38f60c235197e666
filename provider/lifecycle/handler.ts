import type { ConfigureRequest, DiffResult, ResourceProvider } from "@pulumi/pulumi/dynamic";
import { type Management, managementOf, type RecordedSubjects, type ResourceManager } from "../access/management";
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
import { containsUnknown, type Failure, failuresOf, type Properties, pick } from "../run/properties";
import type { Run } from "../run/run";
import { explainedOnce } from "../run/settings-explained";
import { writesOf, writtenKey } from "../run/writes";
import { shownValue } from "../text/mistakes";
import { type AnyDefinition, replaceNulls, warningsOf } from "./definition";
import { differenceOf, nothingToSend } from "./diff";
import { noteNew, refuseDuplicate } from "./existing";
import { IncompleteId, liveState } from "./live-state";
import { declareManager, type ManagedProperties, ownManager, subjectsIn } from "./manager";
import { refuseOtherPeople, refuseUnplanned } from "./planned";
import { type FormerObject, type Renames, renamesIn } from "./renames";
import {
  admitState,
  declaredIn,
  keepPeopleNotDue,
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

/**
 * What the engine calls for the resources of a definition: the protocol of dynamic providers, the reading of an object for an import,
 * and previews of changes. It does what all resources have in common, and accepts a state of any version.
 */
export class ResourceHandler implements ResourceProvider {
  private readonly management: Management;
  private readonly renames: Renames;
  /** `undefined` if the host does not know the names of resources. */
  private readonly urn: string | undefined;

  constructor(
    private readonly definition: AnyDefinition,
    private readonly host: Host,
    private readonly steps?: readonly StateStep[],
  ) {
    this.management = managementOf(host.run);
    this.renames = renamesIn(host.run);
    this.urn = host.resource?.manager.position;
  }

  async configure({ config }: ConfigureRequest): Promise<void> {
    this.host.run.settings.configure((key) => config.get(key));
  }

  check(olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: Failure[] }> {
    const { definition, renames } = this;
    const { run, resource } = this.host;
    run.noteProgram();
    renames.noteChecked(definition, olds);
    const { [servicesKey]: knowledge = {}, ...given } = news as Properties & { [servicesKey]?: StackKnowledge };
    const manager = resource?.manager ?? knowledge.manager;
    const inputs = replaceNulls(definition.inputs, given) as Properties;
    const { [providerKey]: _, ...declared } = inputs;
    const failures = failuresOf(definition.inputs, declared, resource?.secrets);
    // For an import, the engine calls `check` with what the file says, without the class.
    const isImport = manager === undefined;
    if (failures.length === 0 && isImport) this.declareSubjects(declared);
    return this.present(async () => {
      run.settings.requireFor(declared.organizationId);
      this.noteKnowledge(knowledge);
      refuseBesidePlugin(run);
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
      this.refuseSecondName({ declared });
      return { inputs, failures };
    });
  }

  diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const { definition, renames } = this;
    const { run, resource } = this.host;
    return this.presentFor(id, olds, async (state) => {
      const declared = this.declaredIn(news);
      renames.noteCompared(definition, id, state, declared, this.urn);
      for (const note of definition.changeNotes?.(recordedValues(definition, state), declared) ?? []) {
        if (resource) resource.warn(note);
        else run.tellOnce(note);
      }
      const difference = differenceOf(run, definition, definition.ownState?.(run, state) ?? state, news);
      renames.noteOutcome(definition, id, difference);
      // A refresh compares with the recorded inputs, which the program may have changed.
      if (run.runsProgram()) this.refuseSecondName({ declared, recorded: state });
      return difference;
    });
  }

  /** Warnings and refusals before a creation or update; only some hosts call it. */
  preview(recorded: Properties | undefined, news: Properties): Promise<void> {
    const { definition } = this;
    const declared = this.declaredIn(news);
    return this.present(async () => {
      if (!recorded) await this.previewCreation(declared);
      if (containsUnknown(declared)) return;
      await this.withContext(declared, recorded, async (context) => {
        const subjects = subjectsIn(definition, context.organizationId, declared);
        const people = await readDeclared(context, subjects);
        this.refuseSecondName({ declared, recorded }, people);
        await definition.atPreview?.(context, declared, recorded && recordedValues(definition, recorded));
      });
    });
  }

  private async previewCreation(declared: Properties): Promise<void> {
    const { definition, urn } = this;
    const warning = urn && (await this.renames.describeRenamed(definition, urn, declared));
    if (warning) this.host.resource?.warn(warning);
    if (!definition.recognition || containsUnknown(declared.organizationId)) return;
    await this.withContext(declared, undefined, (context) => refuseDuplicate(context, definition, declared));
  }

  create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const { definition, management, renames, urn } = this;
    this.host.run.calledAt = Date.now();
    const declared = this.declaredIn(inputs);
    return this.presentNew(declared, async (context) => {
      refuseUnreviewedOrganization(context);
      refuseUnplanned(context, definition, { operation: "create", declared });
      await refuseOtherPeople(context, definition, declared);
      const refusal = await renames.findRefusal(definition, urn, declared);
      if (refusal) throw refusal;
      await refuseDuplicate(context, definition, declared);
      const { id, live } = await definition.lifecycle.create(context, declared);
      management.recordObject(id);
      renames.noteCreated(definition, id);
      renames.noteDeclared(definition, id, stateOf(definition, context, live, declared), declared, urn);
      const sync = { id, live, inputs, alreadyCreated: true, secrets: this.host.resource?.secrets };
      return { id, outs: await runSync(definition, context, sync) };
    });
  }

  read(id: string, props: Properties = {}): Promise<{ id: string; props: Properties; inputs?: Properties }> {
    const { definition, host } = this;
    return this.presentFor(id, props, (recorded) => {
      const declared = this.declaredIn(recorded);
      return this.withContext(declared, recorded, async (context) => {
        const live = await definition.lifecycle.observe(context, id, recordedValues(definition, recorded), declared);
        // A read that finds no change returns the state as it is, with the writes that it records.
        const state = live && { ...stateOf(definition, context, live, declared), ...pick(recorded, [writtenKey]) };
        const outs = state && keepPeopleNotDue(host.run, recorded, state);
        this.renames.noteRecorded(definition, id, outs, this.urn);
        if (outs === undefined) return { id: "", props: {} };
        this.management.record(this.recordedResource(context, id, outs));
        return { id, props: outs, inputs: this.declaredIn(outs) };
      });
    });
  }

  /** Reads an existing object that the state does not have, to import it. `given` is what is known of its declaration. */
  readExisting(id: string, given: Properties): Promise<{ id: string; props: Properties; inputs: Properties }> {
    const { definition, management } = this;
    management.recordObject(id);
    const inputs = this.declaredIn(given);
    return this.presentNew(inputs, async (context) => {
      const givenInputs = Object.keys(inputs).length > 0 && { inputs };
      const leaveOut = (what: string) => this.host.resource?.warn(what);
      const state = await liveState(context, definition, { id, ...givenInputs, leaveOut }).catch((error) => {
        throw error instanceof IncompleteId ? impossibleImport(definition, id) : error;
      });
      management.record(this.recordedResource(context, id, state));
      return { id, props: state, inputs: this.declaredIn(state) };
    });
  }

  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    this.host.run.calledAt = Date.now();
    return this.presentFor(id, olds, (state) =>
      this.withContext(this.declaredIn(news), state, async (context) => ({
        outs: await this.trackSubjects(context, id, state, () => this.change(context, id, state, news)),
      })),
    );
  }

  private async change(context: Context, id: string, state: Properties, news: Properties): Promise<Properties> {
    const { definition } = this;
    const { lifecycle, canSendAgain, name } = definition;
    const declared = this.declaredIn(news);
    if (nothingToSend(definition, state, declared)) return stateWithoutRequest(context, definition, state, declared);
    const observed = await lifecycle.observe(context, id, recordedValues(definition, state), declared);
    if (observed === undefined && !canSendAgain)
      throw new DocsError(`${name} ${id} is gone; run pulumi up --refresh, which creates it again`);
    refuseUnplanned(context, definition, { operation: "update", id, declared, live: observed });
    const live = observed ?? (await lifecycle.create(context, declared)).live;
    const sync = { id, live, inputs: news, alreadyCreated: false, secrets: this.host.resource?.secrets };
    return runSync(definition, context, sync);
  }

  delete(id: string, props: Properties): Promise<void> {
    const { definition, host, renames } = this;
    host.run.calledAt = Date.now();
    return this.presentFor(id, props, (state) =>
      this.withContext(this.declaredIn(state), state, async (context) => {
        await this.trackSubjects(context, id, state, async () => {
          refuseUnplanned(context, definition, { operation: "delete", id, declared: {} });
          renames.refuseLoss(definition, id, state);
          await definition.lifecycle.remove(context, id, recordedValues(definition, state));
          renames.noteDeleted(definition, id);
          return undefined;
        });
      }),
    );
  }

  private declaredIn(properties: Properties): Properties {
    return declaredIn(this.definition, properties);
  }

  private noteKnowledge({ former, managed = [], ...services }: StackKnowledge): void {
    noteServices(this.host.run, services);
    this.renames.noteFormer(former);
    for (const id of managed) this.management.recordObject(id);
  }

  /** Prepares errors for the user. Errors of settings, which all resources share, are explained once. */
  private present<T>(work: () => Promise<T>): Promise<T> {
    return presentErrors(() => explainedOnce(this.host.run, work));
  }

  /** Runs a call for a recorded resource, with its state in the shape of this version. */
  private presentFor<T>(id: string, olds: Properties, work: (state: Properties) => Promise<T>): Promise<T> {
    return this.present(async () => {
      const state = admitState(this.host.run, this.definition, olds, this.steps);
      this.management.recordObject(id);
      return work(state);
    });
  }

  /** Runs a call for a resource that the state does not have. */
  private presentNew<T>(declared: Properties, work: (context: Context) => Promise<T>): Promise<T> {
    return this.present(() => this.withContext(declared, undefined, work));
  }

  /** Runs the work with a client for the organization of the resource. */
  private async withContext<T>(
    declared: Properties,
    recorded: Properties | undefined,
    work: (context: Context) => Promise<T>,
  ): Promise<T> {
    const { run } = this.host;
    run.settings.requireFor(declared.organizationId ?? recorded?.organizationId);
    if (recorded) refuseOtherService(run, recorded);
    else refuseCreationElsewhere(run);
    reviewedPlan(run);
    const connected = await connect(run, organizationOf(run.settings, declared, recorded));
    const context = { ...connected, recorded };
    writesOf(context).restore(recorded?.[writtenKey]);
    return explained(context, () => work(context));
  }

  /** Declares the subjects of a resource, unless a preview does not know a value yet. */
  private declareSubjects(declared: Properties): void {
    const organizationId = declared.organizationId ?? this.host.run.settings.organizationId();
    if (typeof organizationId !== "string" || containsUnknown(declared)) return;
    this.management.declare(subjectsIn(this.definition, organizationId, declared));
  }

  /** Refuses a second resource for a person under another name, as far as the state, or a preview of a change, shows it. */
  private refuseSecondName(properties: ManagedProperties, people?: readonly LivePerson[]): void {
    const { run } = this.host;
    const { declared = {} } = properties;
    const organizationId = declared.organizationId ?? run.settings.organizationId();
    if (typeof organizationId !== "string" || containsUnknown(declared)) return;
    const own = ownManager(this.definition, organizationId, properties);
    if (own) refuseTwoNames(run, own, people);
  }

  private recordedResource({ organizationId }: Context, id: string, state: Properties): RecordedSubjects {
    const subjects = subjectsIn(this.definition, organizationId, recordedValues(this.definition, state));
    return { resource: `${this.definition.name} ${id}`, subjects };
  }

  /**
   * Runs an update or delete. The resource manages no recorded subject while it runs; afterwards it manages the subjects of the
   * resulting state. If the work failed, these are the subjects of the previous state, or of the part that was done, which
   * `runSync` puts on the error.
   */
  private async trackSubjects<State extends Properties | undefined>(
    context: Context,
    id: string,
    state: Properties,
    work: () => Promise<State>,
  ): Promise<State> {
    const resource = (properties: Properties) => this.recordedResource(context, id, properties);
    this.management.removeRecord(resource(state));
    try {
      const after = await work();
      if (after) this.management.record(resource(after));
      return after;
    } catch (error) {
      const { properties = state } = error as { readonly properties?: Properties };
      this.management.record(resource(properties));
      throw error;
    }
  }
}

/** An import by the engine has no inputs, and there is nothing to import: such a resource has no object of its own at the service. */
function impossibleImport({ name }: AnyDefinition, id: string): DocsError {
  return new DocsError(
    `${name} cannot be imported: the id ${shownValue(id)} does not say what it manages; ` +
      "declare it without an import, which sends nothing if the declared values are live",
  );
}
