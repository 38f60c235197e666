import { setTimeout as sleep } from "node:timers/promises";
import type { Properties } from "../run/properties";
import { perRun, type Run } from "../run/run";
import { typesIn } from "../run/urn";
import type { AnyDefinition } from "./definition";
import {
  describeFormer,
  type Former,
  lossWarning,
  managedTwice,
  refusedLoss,
  refusedRename,
  renameWarning,
} from "./rename-messages";

/**
 * An object with an identity, such as the title of a site. For the engine, a resource with a new name is a new resource, and
 * the old one is deleted with all its content. If an object is to be created and the state has one with the same identity that
 * is no longer declared, the resource was renamed.
 */
export interface Thing {
  readonly resource: string;
  /** Empty if only a listing of the state shows the object, which has no ids. */
  readonly id: string;
  /** Empty in a handler of the dynamic host, which does not get it. */
  readonly urn: string;
  readonly organizationId: unknown;
  readonly identities: readonly string[];
  readonly createdAt: number;
  /** The user allows a second object, or the loss of the old one. */
  readonly allowed: boolean;
  /** What the program calls it, for a handler that does not get URNs. */
  readonly former?: Former | undefined;
}

/** A resource in a preview. */
export interface Previewed {
  readonly urn: string;
  readonly declared: Properties;
  /** What the state has of it; nothing of a new resource. */
  readonly recorded: Properties | undefined;
}

type State = Readonly<Record<string, { readonly outputs?: Properties }>>;

const keyOf = ({ name }: AnyDefinition, id: string): string => `${name} ${id}`;

function thingOf(definition: AnyDefinition, { id = "", urn = "" }, properties: Properties): Thing {
  return {
    resource: definition.name,
    id,
    urn,
    organizationId: properties.organizationId,
    identities: definition.identities?.(properties) ?? [],
    createdAt: Date.parse(String(properties.createdAt)),
    allowed: properties.allowTwin === true || properties.allowReplace === true,
  };
}

/** What a run knows about renamed resources: of a program, or of a process of the provider. */
class Renames {
  /** The recorded objects, by URN or by resource and id. */
  private readonly recorded = new Map<string, Thing>();
  /** Their keys, by resource and identity: a program may declare thousands, and each is compared with all of them. */
  private readonly keysByIdentity = new Map<string, Set<string>>();
  /** The states that were noted, by resource. */
  private readonly states = new Map<string, State>();
  /** The declared objects that are in the state or were created in this run. */
  private readonly declared = new Map<string, Thing>();
  /** The URNs that a program has declared so far, and their aliases. */
  private readonly declaredUrns = new Set<string>();
  /** The names of the components that declare an organization. */
  private readonly components = new Map<unknown, string>();
  /**
   * Identities of resources that the engine replaces without a call of `diff` (`--target-replace`). It calls `check` and `diff`
   * of one resource after another, so a `diff` of the last checked resource may still follow.
   */
  private readonly replaced = new Set<string>();
  private lastChecked: readonly string[] = [];
  /** The objects that the refresh before a program has read more than once, as the state has them under several names. */
  private readonly read = new Set<string>();
  private readonly readTwice = new Set<string>();
  /** The declared objects for which the last `diff` found no replacement. */
  private readonly kept = new Set<string>();

  constructor(private readonly run: Run) {}

  noteComponent(organizationId: string, name: string): void {
    this.components.set(organizationId, name);
  }

  /** Records URNs that a program declares. */
  noteUrns(urns: readonly string[]): void {
    for (const urn of urns) this.declaredUrns.add(urn);
  }

  /** Records the resources of the state, for a caller that can read it. */
  noteState(definition: AnyDefinition, state: State): void {
    if (!definition.identities || this.states.get(definition.name) === state) return;
    this.states.set(definition.name, state);
    for (const [urn, { outputs = {} }] of Object.entries(state)) {
      if (isOf(definition, urn)) this.add(definition, thingOf(definition, { urn }, outputs));
    }
  }

  /** Records what the resource class passed to `check`. */
  noteFormer(definition: AnyDefinition, handed: unknown): void {
    const { former = [] } = (handed ?? {}) as { readonly former?: readonly Thing[] };
    for (const one of former) this.add(definition, one);
  }

  /** What the class of a resource passes to `check`: recorded objects that it looks like, and that are not declared so far. */
  listFormer(definition: AnyDefinition, urn: string, declared: Properties): Thing[] {
    const own = thingOf(definition, { urn }, { ...declared, organizationId: undefined });
    return this.findAlike(definition, own).map((one) => ({ ...one, former: this.describe(definition, own, one) }));
  }

  /** Records what the refresh before a program has read: the object, or `undefined` if it is gone. */
  noteRecorded(definition: AnyDefinition, id: string, state: Properties | undefined, urn = ""): void {
    const key = keyOf(definition, id);
    if (state === undefined) this.recorded.delete(urn || key);
    else if (definition.identities && !this.run.runsProgram()) {
      if (this.read.has(key)) this.readTwice.add(key);
      this.read.add(key);
      this.add(definition, thingOf(definition, { id, urn }, state));
    }
  }

  /** Records a declared object that is in the state or was created in this run. A refresh declares nothing. */
  noteDeclared(definition: AnyDefinition, id: string, state: Properties, news: Properties, urn = ""): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const { organizationId, createdAt } = state;
    const thing = thingOf(definition, { id, urn }, { ...news, organizationId, createdAt });
    this.declared.set(keyOf(definition, id), thing);
  }

  /** Records a call of `diff`: the program declares the object, and the engine does not replace it without a `diff`. */
  noteCompared(definition: AnyDefinition, id: string, state: Properties, news: Properties, urn?: string): void {
    this.lastChecked = [];
    this.noteDeclared(definition, id, state, news, urn);
  }

  /** Records the result of `diff`. */
  noteOutcome(definition: AnyDefinition, id: string, { replaces = [] }: { replaces?: string[] }): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    if (replaces.length === 0) this.kept.add(keyOf(definition, id));
    else this.kept.delete(keyOf(definition, id));
  }

  /** Records a call of `check`, with the recorded inputs of a declared resource. */
  noteChecked(definition: AnyDefinition, olds: Properties): void {
    for (const key of this.lastChecked) this.replaced.add(key);
    this.lastChecked = (definition.identities?.(olds) ?? []).map((identity) => keyOf(definition, identity));
  }

  /** Removes a deleted object. */
  noteDeleted(definition: AnyDefinition, id: string, urn = ""): void {
    this.recorded.delete(urn || keyOf(definition, id));
    this.declared.delete(keyOf(definition, id));
  }

  /** Refuses to create an object that the state has under a name that the program no longer declares. Sends nothing. */
  async refuseRenamed(
    definition: AnyDefinition,
    organizationId: string,
    news: Properties,
    urn?: string,
  ): Promise<void> {
    const own = thingOf(definition, { urn }, { ...news, organizationId });
    const other = await this.findAbandoned(() => this.findRenamed(definition, own));
    if (!other) return;
    const former = this.describe(definition, own, other);
    throw refusedRename(definition, { id: other.id, identity: commonIdentity(own, other), former });
  }

  /** The warning at a preview of a resource that the up will refuse to create, or whose older duplicate it will refuse to delete. */
  async describeRenamed(
    definition: AnyDefinition,
    { urn, declared, recorded }: Previewed,
  ): Promise<string | undefined> {
    const { organizationId = this.run.settings.organizationId() } = declared;
    const own = thingOf(definition, { urn }, { ...declared, organizationId });
    const self = recorded && thingOf(definition, { urn }, recorded);
    const mayBe = (one: Thing) => !self || one.createdAt < self.createdAt;
    const other = await this.findAbandoned(() => this.findRenamed(definition, own, mayBe));
    const former = other && this.describe(definition, own, other);
    if (!former) return undefined;
    const { name } = describeFormer(definition, urn, other.urn);
    return (self ? lossWarning : renameWarning)(definition, name, former);
  }

  /**
   * Refuses to delete an object if the program declares a younger one with the same identity, which an earlier run has created
   * beside it. Replaced objects are declared themselves, and `pulumi destroy` declares nothing, so both may delete.
   */
  refuseLoss(definition: AnyDefinition, id: string, state: Properties, urn?: string): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const own = thingOf(definition, { id, urn }, state);
    if (this.isReplaced(definition, own)) return;
    const key = keyOf(definition, id);
    if (this.kept.has(key) && this.readTwice.has(key)) throw managedTwice(definition, id);
    if (own.allowed || this.declared.has(key)) return;
    const other = [...this.declared.values()].find(
      (one) => isAlike(own, one) && !one.allowed && one.createdAt > own.createdAt,
    );
    if (!other) return;
    const former = this.describe(definition, other, own);
    throw refusedLoss(definition, { id, identity: commonIdentity(own, other), former }, other.id);
  }

  private add(definition: AnyDefinition, thing: Thing): void {
    const key = thing.urn || keyOf(definition, thing.id);
    // A listing of the state does not have the id that a read has.
    if (thing.id === "" && this.recorded.get(key)?.id) return;
    this.recorded.set(key, thing);
    for (const identity of thing.identities.map((one) => keyOf(definition, one))) {
      this.keysByIdentity.set(identity, (this.keysByIdentity.get(identity) ?? new Set()).add(key));
    }
  }

  private isReplaced(definition: AnyDefinition, { identities }: Thing): boolean {
    const keys = identities.map((one) => keyOf(definition, one));
    return keys.some((key) => this.replaced.has(key) || this.lastChecked.includes(key));
  }

  /** Finds a recorded object that the program no longer declares. A later declaration may still come. */
  private async findAbandoned(find: () => Thing | undefined): Promise<Thing | undefined> {
    for (let waited = 0; ; waited += 100) {
      const found = find();
      // After a cancellation, no declaration comes, so its lack means nothing; nothing is sent either.
      if (this.run.connections.isStopped()) return undefined;
      if (!found || waited >= this.run.patience) return found;
      await sleep(100);
    }
  }

  /** The recorded object that was renamed, as far as the program has declared its resources. One with an id is described best. */
  private findRenamed(
    definition: AnyDefinition,
    own: Thing,
    mayBe: (one: Thing) => boolean = () => true,
  ): Thing | undefined {
    if (own.allowed || this.isReplaced(definition, own)) return undefined;
    const alike = this.findAlike(definition, own).filter((one) => !one.allowed && mayBe(one));
    return alike.find(({ id }) => id !== "") ?? alike[0];
  }

  private findAlike(definition: AnyDefinition, own: Thing): Thing[] {
    const keys = own.identities.flatMap((one) => [...(this.keysByIdentity.get(keyOf(definition, one)) ?? [])]);
    const things = [...new Set(keys)].flatMap((key) => this.recorded.get(key) ?? []);
    return things.filter(
      (one) => isAlike(own, one) && (one.urn === "" || one.urn !== own.urn) && !this.isDeclared(definition, one),
    );
  }

  /** A declared resource may have the record and another title now: its old title may have passed to the new resource. */
  private isDeclared(definition: AnyDefinition, { id, urn, organizationId, createdAt }: Thing): boolean {
    if (this.declaredUrns.has(urn)) return true;
    if (id !== "") return this.declared.has(keyOf(definition, id));
    const isSame = (one: Thing) => one.organizationId === organizationId && one.createdAt === createdAt;
    // A record without a time cannot be told from a declared one.
    return Number.isNaN(createdAt) || [...this.declared.values()].some(isSame);
  }

  /** Describes a recorded object, for a resource that looks like it. What the class passed may be another record of it. */
  private describe(definition: AnyDefinition, own: Thing, other: Thing): Former | undefined {
    const records = [other, ...this.recorded.values()].filter(
      (one) => isAlike(one, other) && one.createdAt === other.createdAt,
    );
    const handed = records.find(({ former }) => former);
    if (handed) return handed.former;
    const { urn = "" } = records.find(({ urn }) => urn !== "") ?? {};
    return own.urn === "" || urn === ""
      ? undefined
      : describeFormer(definition, urn, own.urn, this.components.get(other.organizationId));
  }
}

export const renamesIn = perRun((run) => new Renames(run));

/** Whether the URN is that of such a resource, under either host (see resources/urns.ts). */
const isOf = ({ name }: AnyDefinition, urn: string): boolean =>
  [`pulumi-nodejs:dynamic/docs:${name}`, `docs:index:${name}`].includes(typesIn(urn).at(-1) ?? "");

const commonIdentity = (a: Thing, b: Thing): string => a.identities.find((one) => b.identities.includes(one)) ?? "";

/** A program may not say which organization a new resource belongs to. */
function isAlike(own: Thing, other: Thing): boolean {
  const isSameOrganization = own.organizationId === undefined || own.organizationId === other.organizationId;
  return own.resource === other.resource && isSameOrganization && commonIdentity(own, other) !== "";
}
