import { setTimeout as sleep } from "node:timers/promises";
import { managementOf } from "../access/management";
import type { Properties } from "../run/properties";
import { type Run, runScoped } from "../run/run";
import { typeAt, typeIn } from "../run/urn";
import { type AnyDefinition, idOutput } from "./definition";
import { describeFormer, type Former, managedTwice, refusedRename } from "./rename-messages";

/**
 * An object with an identity, such as the title of a site. For the engine, a resource with a new name is a new resource, and
 * the old one is deleted with all its content. If an object is to be created and the state has one with the same identity that
 * is no longer declared, the resource was renamed.
 */
interface NamedObject {
  readonly resource: string;
  readonly id: string;
  /** Empty in a handler of the dynamic host, which does not get it. */
  readonly urn: string;
  /** A program may not say which organization a new resource belongs to. */
  readonly organizationId: unknown;
  readonly identities: readonly string[];
  /** The user allows a second object, or the loss of the old one. */
  readonly allowed: boolean;
}

/** A recorded object that a resource looks like, as the class of the resource passes it to `check`. */
export interface FormerObject extends NamedObject {
  readonly former: Former;
}

type State = Readonly<Record<string, { readonly outputs?: Properties }>>;

const keyOf = ({ resource }: Pick<NamedObject, "resource">, idOrIdentity: string) => `${resource} ${idOrIdentity}`;

function namedObjectOf(definition: AnyDefinition, { id = "", urn = "" }, properties: Properties): NamedObject {
  return {
    resource: definition.name,
    id,
    urn,
    organizationId: properties.organizationId,
    identities: definition.identities?.(properties) ?? [],
    allowed: properties.allowDuplicate === true || properties.allowReplace === true,
  };
}

/** What a run knows about renamed resources: of a program, or of a process of the provider. */
export class Renames {
  private readonly recorded = new Map<string, NamedObject | FormerObject>();
  /** The URNs of these objects by identity: a program may declare thousands, and each is compared with all of them. */
  private readonly urnsByIdentity = new Map<string, Set<string>>();
  private readonly states = new Map<string, State>();
  private readonly declared = new Map<string, NamedObject>();
  /** The URNs that a program has declared so far, and their aliases. */
  private readonly declaredUrns = new Set<string>();
  /** The objects that are gone, or that this run has deleted. */
  private readonly gone = new Set<string>();
  private readonly components = new Map<unknown, string>();
  /**
   * Identities of resources that the engine replaces without a call of `diff` (`--target-replace`). It calls `check` and `diff`
   * of one resource after another, so a `diff` of the last checked resource may still follow.
   */
  private readonly replaced = new Set<string>();
  private lastChecked: readonly string[] = [];
  /** The objects that the refresh before a program has read. */
  private readonly read = new Set<string>();
  /** The objects among these reads that the state has under several names. */
  private readonly readTwice = new Set<string>();
  /** The declared objects for which the last `diff` found no replacement. */
  private readonly kept = new Set<string>();
  /** The objects that this run has taken over (`DOCS_TAKE_OVER`): the state may have them under a former name as well. */
  private readonly takenOver = new Set<string>();

  constructor(private readonly run: Run) {}

  noteComponent(organizationId: string, name: string): void {
    this.components.set(organizationId, name);
  }

  noteUrns(urns: readonly string[]): void {
    for (const urn of urns) this.declaredUrns.add(urn);
  }

  /** Records the resources of the state, for a caller that can read it. */
  noteState(definition: AnyDefinition, state: State): void {
    if (!definition.identities || this.states.get(definition.name) === state) return;
    this.states.set(definition.name, state);
    for (const [urn, { outputs = {} }] of Object.entries(state)) {
      const id = outputs[idOutput(definition.name)];
      if (typeof id !== "string" || !isUrnOf(definition, urn)) continue;
      managementOf(this.run).recordObject(id);
      this.add(namedObjectOf(definition, { id, urn }, outputs));
    }
  }

  /** Records what the class of a resource passed to `check`. */
  noteFormer(former: readonly FormerObject[] = []): void {
    for (const one of former) this.add(one);
  }

  /** What the class of a resource passes to `check`: the recorded objects that it looks like, and that are not declared so far. */
  listFormer(definition: AnyDefinition, urn: string, declared: Properties): FormerObject[] {
    const own = namedObjectOf(definition, { urn }, { ...declared, organizationId: undefined });
    return this.findAlike(own).map((one) => ({ ...one, former: this.describe(definition, own, one) }));
  }

  /**
   * The ids of the recorded objects that a resource looks like, and of its own, which the engine may replace. For a new resource,
   * the ids of all recorded objects, because a live object that equals the declaration may be any of them.
   */
  listManaged(definition: AnyDefinition, urn: string, declared: Properties): string[] {
    const own = namedObjectOf(definition, { urn }, declared);
    const urns = this.recorded.has(urn) ? new Set([urn, ...this.urnsLike(own)]) : this.recorded.keys();
    const objects = [...urns].flatMap((one) => this.recorded.get(one) ?? []);
    return objects.filter(({ resource }) => resource === own.resource).map(({ id }) => id);
  }

  /** Records what the refresh before a program has read: the object, or `undefined` if it is gone. */
  noteRecorded(definition: AnyDefinition, id: string, state: Properties | undefined, urn: string | undefined): void {
    const thing = namedObjectOf(definition, { id, urn }, state ?? {});
    const key = keyOf(thing, id);
    if (!state) this.gone.add(key);
    if (!state || !definition.identities || this.run.runsProgram()) return;
    if (this.read.has(key)) this.readTwice.add(key);
    this.read.add(key);
    if (urn !== undefined) this.add(thing);
  }

  /** Records a declared object that is in the state or was created in this run. A refresh declares nothing. */
  noteDeclared(definition: AnyDefinition, id: string, state: Properties, news: Properties, urn?: string): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const thing = namedObjectOf(definition, { id, urn }, { ...news, organizationId: state.organizationId });
    this.declared.set(keyOf(thing, id), thing);
  }

  /** Records what a creation returned, which may be an object that existed before. */
  noteCreated({ name: resource }: AnyDefinition, id: string): void {
    if (this.run.settings.takesOver(id)) this.takenOver.add(keyOf({ resource }, id));
  }

  /** Whether the run has refreshed anything, so that it knows what the state has under former names. */
  hasRefreshed(): boolean {
    return this.read.size > 0;
  }

  /** Records a call of `diff`: the program declares the object, and the engine does not replace it without a `diff`. */
  noteCompared(definition: AnyDefinition, id: string, state: Properties, news: Properties, urn?: string): void {
    this.lastChecked = [];
    this.noteDeclared(definition, id, state, news, urn);
  }

  /** Records whether the last `diff` of an object found a replacement. */
  noteOutcome({ name: resource }: AnyDefinition, id: string, { replaces = [] }: { replaces?: string[] }): void {
    if (replaces.length === 0) this.kept.add(keyOf({ resource }, id));
    else this.kept.delete(keyOf({ resource }, id));
  }

  /** Records a call of `check`, with the recorded inputs of a declared resource. */
  noteChecked(definition: AnyDefinition, olds: Properties): void {
    for (const key of this.lastChecked) this.replaced.add(key);
    this.lastChecked = keysOf(namedObjectOf(definition, {}, olds));
  }

  noteDeleted({ name: resource }: AnyDefinition, id: string): void {
    this.gone.add(keyOf({ resource }, id));
    this.declared.delete(keyOf({ resource }, id));
  }

  /** The refusal to create an object that the state has under a name that the program no longer declares. Sends nothing. */
  async findRefusal(definition: AnyDefinition, urn: string | undefined, declared: Properties) {
    const { organizationId = this.run.settings.organizationId() } = declared;
    const own = namedObjectOf(definition, { urn }, { ...declared, organizationId });
    const other = await this.findAbandoned(own);
    if (!other) return undefined;
    return refusedRename(definition, commonIdentity(own, other), other.id, this.describe(definition, own, other));
  }

  /** The warning at a preview of a new resource that the up will refuse to create. */
  async describeRenamed(definition: AnyDefinition, urn: string, declared: Properties): Promise<string | undefined> {
    const refusal = await this.findRefusal(definition, urn, declared);
    return refusal && `pulumi up will refuse this: ${refusal.message}`;
  }

  /** Refuses to delete an object that the program still declares under another name: the state has it twice. */
  refuseLoss(definition: AnyDefinition, id: string, state: Properties): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const own = namedObjectOf(definition, { id }, state);
    const key = keyOf(own, id);
    const isKept = this.kept.has(key) && !this.isReplaced(own);
    if (this.takenOver.has(key) || (isKept && this.readTwice.has(key))) throw managedTwice(definition, id);
  }

  private add(thing: NamedObject | FormerObject): void {
    this.recorded.set(thing.urn, thing);
    for (const key of keysOf(thing)) {
      this.urnsByIdentity.set(key, (this.urnsByIdentity.get(key) ?? new Set()).add(thing.urn));
    }
  }

  private isReplaced(thing: NamedObject): boolean {
    return keysOf(thing).some((key) => this.replaced.has(key) || this.lastChecked.includes(key));
  }

  /** Finds a recorded object that was renamed, because the program no longer declares it. A later declaration may still come. */
  private async findAbandoned(own: NamedObject): Promise<NamedObject | undefined> {
    if (own.allowed || this.isReplaced(own)) return undefined;
    for (let waited = 0; ; waited += 100) {
      const abandoned = this.findAlike(own).find((one) => !one.allowed);
      // After a cancellation, no declaration comes, so its lack means nothing; nothing is sent either.
      if (this.run.connections.limiter.isStopped) return undefined;
      if (!abandoned || waited >= this.run.patience) return abandoned;
      await sleep(100);
    }
  }

  /** The URNs of recorded objects with an identity of this one. */
  private urnsLike(thing: NamedObject): Set<string> {
    return new Set(keysOf(thing).flatMap((key) => [...(this.urnsByIdentity.get(key) ?? [])]));
  }

  /** The recorded objects that a resource looks like, and that the program has not declared so far. */
  private findAlike(own: NamedObject): NamedObject[] {
    return [...this.urnsLike(own)]
      .flatMap((urn) => this.recorded.get(urn) ?? [])
      .filter((one) => isAlike(own, one) && one.urn !== own.urn && !this.declaredUrns.has(one.urn))
      .filter((one) => !this.declared.has(keyOf(one, one.id)) && !this.gone.has(keyOf(one, one.id)));
  }

  private describe(definition: AnyDefinition, own: NamedObject, other: NamedObject | FormerObject): Former {
    if ("former" in other) return other.former;
    return describeFormer(definition, other.urn, own.urn, this.components.get(other.organizationId));
  }
}

export const renamesIn = runScoped((run) => new Renames(run));

/** Whether a resource of this definition has the URN, under either host. */
const isUrnOf = ({ name }: AnyDefinition, urn: string): boolean =>
  [typeIn("dynamic", name), typeIn("plugin", name)].includes(typeAt(urn));

const keysOf = (thing: NamedObject): string[] => thing.identities.map((identity) => keyOf(thing, identity));
const commonIdentity = (a: NamedObject, b: NamedObject): string =>
  a.identities.find((one) => b.identities.includes(one)) ?? "";

function isAlike(own: NamedObject, other: NamedObject): boolean {
  const isSameOrganization = own.organizationId === undefined || own.organizationId === other.organizationId;
  return own.resource === other.resource && isSameOrganization && commonIdentity(own, other) !== "";
}
