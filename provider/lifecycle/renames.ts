import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "../api/http/errors";
import type { Properties } from "../run/properties";
import { perRun, type Run } from "../run/run";
import type { AnyDefinition } from "./definition";

/**
 * An object with an identity, such as the title of a site. For the engine, a resource with a new name is a new resource, and
 * the old one is deleted with all its content. Handlers do not get the names, but they see the state and the declarations: if
 * an object is to be created and the state has one with the same identity that is no longer declared, the resource was renamed.
 */
interface Thing {
  readonly id: string;
  readonly group: string;
  readonly identities: readonly string[];
  readonly createdAt: number;
  /** The user allows a second object, or the loss of the old one. */
  readonly allowed: boolean;
}

/** A resource that the stack has under another name, as the user knows it. */
export interface Former {
  /** `Site "book"`, with its parent if that differs. */
  readonly name: string;
  /** The option that keeps it under the new name. */
  readonly option: string;
  /** Its key in `organization.yaml`, which offers no aliases. */
  readonly key?: string;
  /** These identify the object, because handlers do not get its id. */
  readonly organizationId?: unknown;
  readonly createdAt?: unknown;
}

/** A recorded object that a new resource looks like. */
export interface FormerObject {
  readonly id: string;
  readonly identity: string;
  /** Its former name is noted already. */
  readonly isNamed: boolean;
}

const unnamed: Former = { name: "it under its old name", option: 'aliases: [{ name: "OLD NAME" }]' };

/** Says how to keep a renamed resource. */
export const toKeep = ({ key, option }: Former): string =>
  key === undefined ? `add the option ${option}` : `keep its key "${key}" in organization.yaml`;

/** Says how to keep the old resource after a second one was created. */
export const toDeclareAgain = ({ key, name, option }: Former, younger: string): string =>
  key === undefined
    ? `declare ${name} again, run pulumi up, which deletes ${younger}, and then rename it with the option ${option}`
    : `restore its key "${key}" in organization.yaml and run pulumi up, which deletes ${younger}`;

/** The names of a resource that is new and of one that looks like it, as the user knows them. */
export interface RenamedNames {
  readonly own: string;
  readonly former: Former;
}

/** Warns of a resource that looks like a recorded one that the program no longer declares. */
export function describeRename({ deletionLoses }: AnyDefinition, { own, former }: RenamedNames): string {
  return (
    `${own} looks like ${former.name}, which the program does not declare: a rename without an alias deletes ${former.name}, ` +
    `and ${deletionLoses}. If it was renamed or moved, ${toKeep(former)}; if a new one is wanted, declare allowTwin: true. Otherwise pulumi up refuses to create it`
  );
}

const keyOf = ({ name }: AnyDefinition, id: string): string => `${name} ${id}`;

function thingOf(definition: AnyDefinition, id: string, organizationId: unknown, properties: Properties): Thing {
  return {
    id,
    group: JSON.stringify([definition.name, organizationId]),
    identities: definition.identities?.(properties) ?? [],
    createdAt: Date.parse(String(properties.createdAt)),
    allowed: properties.allowTwin === true || properties.allowReplace === true,
  };
}

/** What a run knows about renamed resources. */
class Renames {
  /** The objects that a refresh has read, by resource and id. */
  private readonly recorded = new Map<string, Thing>();
  /** The declared objects that are in the state or were created in this run. */
  private readonly declared = new Map<string, Thing>();
  /**
   * Identities of resources that the engine replaces without a call of `diff` (`--target-replace`). It calls `check` and `diff`
   * of one resource after another, so a `diff` of the last checked resource may still follow.
   */
  private readonly replaced = new Set<string>();
  private lastChecked: readonly string[] = [];
  /** The objects that the refresh before a program has read more than once, as the state has them under several names. */
  private readonly readTwice = new Set<string>();
  /** The declared objects for which the last `diff` found no replacement. */
  private readonly kept = new Set<string>();

  /** The former names that the resource class passed to `check`, by resource and identity. */
  private readonly formerNames = new Map<string, Former>();

  constructor(private readonly run: Run) {}

  noteFormerNames(definition: AnyDefinition, handed: unknown): void {
    const { former = {} } = (handed ?? {}) as { readonly former?: Readonly<Record<string, Former>> };
    for (const [identity, one] of Object.entries(former)) this.formerNames.set(keyOf(definition, identity), one);
  }

  /** Records what the refresh before a program has read: the object, or `undefined` if it is gone. */
  noteRecorded(definition: AnyDefinition, id: string, state: Properties | undefined): void {
    if (state === undefined) this.recorded.delete(keyOf(definition, id));
    else if (definition.identities && !this.run.runsProgram()) {
      if (this.recorded.has(keyOf(definition, id))) this.readTwice.add(keyOf(definition, id));
      this.recorded.set(keyOf(definition, id), thingOf(definition, id, state.organizationId, state));
    }
  }

  /** Records a declared object that is in the state or was created in this run. A refresh declares nothing. */
  noteDeclared(definition: AnyDefinition, id: string, state: Properties, news: Properties): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const { organizationId, createdAt } = state;
    const thing = thingOf(definition, id, organizationId, { ...news, createdAt });
    this.declared.set(keyOf(definition, id), thing);
  }

  /** Records a call of `diff`: the program declares the object, and the engine does not replace it without a `diff`. */
  noteCompared(definition: AnyDefinition, id: string, state: Properties, news: Properties): void {
    this.lastChecked = [];
    this.noteDeclared(definition, id, state, news);
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

  private isReplaced(definition: AnyDefinition, { identities }: Thing): boolean {
    const keys = identities.map((one) => keyOf(definition, one));
    return keys.some((key) => this.replaced.has(key) || this.lastChecked.includes(key));
  }

  /** Removes a deleted object. */
  noteDeleted(definition: AnyDefinition, id: string): void {
    this.recorded.delete(keyOf(definition, id));
    this.declared.delete(keyOf(definition, id));
  }

  /** Refuses to create an object that the state has under a name that the program no longer declares. Sends nothing. */
  async refuseRenamed(definition: AnyDefinition, organizationId: string, news: Properties): Promise<void> {
    const own = thingOf(definition, "", organizationId, news);
    const other = this.mayBeRenamed(definition, own) ? await this.findAbandoned(definition, own) : undefined;
    if (other)
      throw refusedRename(definition, other.id, commonIdentity(own, other), this.formerOf(definition, own, other));
  }

  /**
   * The object that a refresh has read and that a new resource looks like, if the program has not declared it so far. `settled`
   * waits for a later declaration.
   */
  async findReplaced(
    definition: AnyDefinition,
    organizationId: string,
    news: Properties,
    { settled }: { readonly settled: boolean },
  ): Promise<FormerObject | undefined> {
    const own = thingOf(definition, "", organizationId, news);
    if (!this.mayBeRenamed(definition, own)) return undefined;
    const other = settled ? await this.findAbandoned(definition, own) : this.findRecorded(definition, own);
    if (!other || other.id === "") return undefined;
    const identity = commonIdentity(own, other);
    return { id: other.id, identity, isNamed: this.formerNames.has(keyOf(definition, identity)) };
  }

  private mayBeRenamed(definition: AnyDefinition, own: Thing): boolean {
    return !own.allowed && own.identities.length > 0 && !this.isReplaced(definition, own);
  }

  private formerOf(definition: AnyDefinition, own: Thing, other: Thing): Former | undefined {
    return this.formerNames.get(keyOf(definition, commonIdentity(own, other)));
  }

  /** Finds a recorded object like this one that the program no longer declares. A later declaration may still come. */
  private async findAbandoned(definition: AnyDefinition, own: Thing): Promise<Thing | undefined> {
    for (let waited = 0; ; waited += 100) {
      const found = this.findRecorded(definition, own) ?? this.findFormer(definition, own);
      // After a cancellation, no declaration comes, so its lack means nothing; nothing is sent either.
      if (this.run.connections.isStopped()) return undefined;
      if (!found || waited >= this.run.patience) return found;
      await sleep(100);
    }
  }

  private findRecorded(definition: AnyDefinition, own: Thing): Thing | undefined {
    return [...this.recorded.values()].find(
      (one) => isAlike(own, one) && !one.allowed && !this.declared.has(keyOf(definition, one.id)),
    );
  }

  /** A process that the engine starts after the refresh, because the configuration has changed, has read nothing itself. */
  private findFormer(definition: AnyDefinition, own: Thing): Thing | undefined {
    const former = own.identities.map((identity) => this.formerNames.get(keyOf(definition, identity))).find(Boolean);
    if (former?.createdAt === undefined) return undefined;
    const { organizationId, createdAt } = former;
    const thing = { ...thingOf(definition, "", organizationId, { createdAt }), identities: own.identities };
    // A declared resource may have this record and another title now: its old title may have passed to the new resource.
    const isDeclared = [...this.declared.values()].some(
      (one) => one.group === thing.group && one.createdAt === thing.createdAt,
    );
    return isAlike(own, thing) && !isDeclared ? thing : undefined;
  }

  /**
   * Refuses to delete an object if the program declares a younger one with the same identity, which an earlier run has created
   * beside it. Replaced objects are declared themselves, and `pulumi destroy` declares nothing, so both may delete.
   */
  refuseLoss(definition: AnyDefinition, id: string, state: Properties): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const own = thingOf(definition, id, state.organizationId, state);
    if (this.isReplaced(definition, own)) return;
    const key = keyOf(definition, id);
    if (this.kept.has(key) && this.readTwice.has(key)) throw managedTwice(definition, id);
    if (own.allowed || this.declared.has(key)) return;
    const other = [...this.declared.values()].find(
      (one) => isAlike(own, one) && !one.allowed && one.createdAt > own.createdAt,
    );
    if (other) throw refusedLoss(definition, own, other, this.formerOf(definition, own, other));
  }
}

export const renamesIn = perRun((run) => new Renames(run));

const commonIdentity = (a: Thing, b: Thing): string => a.identities.find((one) => b.identities.includes(one)) ?? "";
const isAlike = (a: Thing, b: Thing): boolean => a.group === b.group && commonIdentity(a, b) !== "";

const loss = ({ deletionLoses }: AnyDefinition): string => deletionLoses ?? "its configuration would be lost";

function refusedRename(definition: AnyDefinition, id: string, identity: string, former: Former | undefined): DocsError {
  const object = id === "" ? "the old one" : id;
  const which = former ? `${former.name}${id && ` (${id})`}, which` : `${id}, under another name or parent that`;
  const wayOut = former ? toKeep(former) : `${toKeep(unnamed)}, or aliases: ["OLD URN"] after a move`;
  return new DocsError(
    `${definition.name} with the ${identity} is already recorded in this stack, as ${which} the program no longer declares: ` +
      `this run would create a second one and delete ${object}, and ${loss(definition)}. ` +
      `If the resource was renamed or moved, ${wayOut}${former ? "" : "; in organization.yaml, keep the key"}. ` +
      "To create a new one and delete the old one, declare allowTwin: true",
  );
}

/** The stack has one id under two names, because an object that it already managed was imported again. */
function managedTwice({ name }: AnyDefinition, id: string): DocsError {
  return new DocsError(
    `${name} ${id} is not deleted: the stack has it under two names, and the program still declares one of them. Remove the other ` +
      "name from the state only: pulumi stack --show-urns lists it, pulumi state delete URN removes it",
  );
}

function refusedLoss(definition: AnyDefinition, own: Thing, other: Thing, former: Former = unnamed): DocsError {
  const { name } = definition;
  const identity = commonIdentity(own, other);
  return new DocsError(
    `${name} ${own.id} is not deleted: the program declares a younger one with the same ${identity}, ${other.id}, so the ` +
      `resource was probably renamed. By the deletion, ${loss(definition)}. To keep ${own.id}, ${toDeclareAgain(former, other.id)}. ` +
      `To delete ${own.id}, declare allowTwin: true for ${other.id}`,
  );
}
