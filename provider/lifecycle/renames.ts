import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "../api/http/errors";
import type { Properties } from "../run/properties";
import { perRun, type Run } from "../run/run";
import type { AnyDefinition } from "./definition";

/**
 * For the engine, a resource under a new name is a new one, and the old one is deleted with all its content. The names never
 * reach this process, but it sees what the state has and what the program declares: a thing of the same identity (such as the
 * title of a site) that is to be created while the state has one that the program no longer declares is a renamed one.
 */
interface Thing {
  readonly id: string;
  readonly group: string;
  readonly identities: readonly string[];
  readonly createdAt: number;
  /** The user says that both are wanted, or that the loss is. */
  readonly allowed: boolean;
}

/** What the stack has under another name, as the user knows it. */
export interface Former {
  /** `Site "book"`; with its place if that is another one. */
  readonly name: string;
  /** The option that keeps it under the new name. */
  readonly option: string;
  /** Its key in `organization.yaml`, which offers no aliases. */
  readonly key?: string;
}

const unnamed: Former = { name: "it under its old name", option: 'aliases: [{ name: "OLD NAME" }]' };

/** How a resource that was renamed stays the same one. */
export const toKeep = ({ key, option }: Former): string =>
  key === undefined ? `add the option ${option}` : `keep its key "${key}" in organization.yaml`;

/** The same, once another one was created beside it. */
export const toDeclareAgain = ({ key, name, option }: Former, younger: string): string =>
  key === undefined
    ? `declare ${name} again, run pulumi up, which deletes ${younger}, and then rename it with the option ${option}`
    : `give it its key "${key}" in organization.yaml again and run pulumi up, which deletes ${younger}`;

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

/** What a run knows of renamed things. */
class Renames {
  /** What a refresh has found in the state, by resource and id. */
  private readonly recorded = new Map<string, Thing>();
  /** What the program declares, as far as it is in the state or was created in this run. */
  private readonly declared = new Map<string, Thing>();
  /**
   * Identities of what the engine replaces by its own choice (`--target-replace`): it asks for no difference then. It calls
   * `check` and `diff` of one resource after another, so the last one that was checked may still be asked for.
   */
  private readonly replaced = new Set<string>();
  private lastChecked: readonly string[] = [];
  /** What the refresh before a program has read more than once: the state has it under several names. */
  private readonly readTwice = new Set<string>();
  /** What the program declares and keeps: the last comparison found no replacement. */
  private readonly kept = new Set<string>();

  /** What the class has handed over, by resource and identity. */
  private readonly formerNames = new Map<string, Former>();

  constructor(private readonly run: Run) {}

  noteFormerNames(definition: AnyDefinition, handed: unknown): void {
    const { former = {} } = (handed ?? {}) as { readonly former?: Readonly<Record<string, Former>> };
    for (const [identity, one] of Object.entries(former)) this.formerNames.set(keyOf(definition, identity), one);
  }

  /** Remembers what the refresh before a program has found, or that it is gone. */
  noteRecorded(definition: AnyDefinition, id: string, state: Properties | undefined): void {
    if (state === undefined) this.recorded.delete(keyOf(definition, id));
    else if (definition.identities && !this.run.runsProgram()) {
      if (this.recorded.has(keyOf(definition, id))) this.readTwice.add(keyOf(definition, id));
      this.recorded.set(keyOf(definition, id), thingOf(definition, id, state.organizationId, state));
    }
  }

  /** Remembers what the program declares of a resource that the state has, or that was created now; a refresh declares nothing. */
  noteDeclared(definition: AnyDefinition, id: string, state: Properties, news: Properties): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const { organizationId, createdAt } = state;
    const thing = thingOf(definition, id, organizationId, { ...news, createdAt });
    this.declared.set(keyOf(definition, id), thing);
  }

  /** Remembers what `diff` is asked about: the program declares it, and the engine has not decided alone. */
  noteCompared(definition: AnyDefinition, id: string, state: Properties, news: Properties): void {
    this.lastChecked = [];
    this.noteDeclared(definition, id, state, news);
  }

  /** Remembers what a comparison came to. */
  noteOutcome(definition: AnyDefinition, id: string, { replaces = [] }: { replaces?: string[] }): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    if (replaces.length === 0) this.kept.add(keyOf(definition, id));
    else this.kept.delete(keyOf(definition, id));
  }

  /** Remembers the inputs that a resource had so far, which the program declares. */
  noteChecked(definition: AnyDefinition, olds: Properties): void {
    for (const key of this.lastChecked) this.replaced.add(key);
    this.lastChecked = (definition.identities?.(olds) ?? []).map((identity) => keyOf(definition, identity));
  }

  private isReplaced(definition: AnyDefinition, { identities }: Thing): boolean {
    const keys = identities.map((one) => keyOf(definition, one));
    return keys.some((key) => this.replaced.has(key) || this.lastChecked.includes(key));
  }

  /** Forgets what was deleted. */
  noteDeleted(definition: AnyDefinition, id: string): void {
    this.recorded.delete(keyOf(definition, id));
    this.declared.delete(keyOf(definition, id));
  }

  /** Refuses to create what the state has under another name, if the program no longer declares that. Nothing is sent. */
  async refuseRenamed(definition: AnyDefinition, organizationId: string, news: Properties): Promise<void> {
    const own = thingOf(definition, "", organizationId, news);
    if (own.allowed || own.identities.length === 0) return;
    const other = this.isReplaced(definition, own) ? undefined : await this.abandoned(definition, own);
    if (other) throw renamed(definition, other.id, common(own, other), this.formerOf(definition, own, other));
  }

  private formerOf(definition: AnyDefinition, own: Thing, other: Thing): Former | undefined {
    return this.formerNames.get(keyOf(definition, common(own, other)));
  }

  private async abandoned(definition: AnyDefinition, own: Thing): Promise<Thing | undefined> {
    for (let waited = 0; ; waited += 100) {
      const found = [...this.recorded.values()].find(
        (one) => alike(own, one) && !one.allowed && !this.declared.has(keyOf(definition, one.id)),
      );
      if (!found || waited >= this.run.patience) return found;
      await sleep(100);
    }
  }

  /**
   * Refuses to delete what the program declares under another name as well, as a younger one: after a run that read no state
   * before it created, this is the first moment that tells. What is replaced is declared; `pulumi destroy` declares nothing.
   */
  refuseLoss(definition: AnyDefinition, id: string, state: Properties): void {
    if (!definition.identities || !this.run.runsProgram()) return;
    const own = thingOf(definition, id, state.organizationId, state);
    if (this.isReplaced(definition, own)) return;
    const key = keyOf(definition, id);
    if (this.kept.has(key) && this.readTwice.has(key)) throw managedTwice(definition, id);
    if (own.allowed || this.declared.has(key)) return;
    const other = [...this.declared.values()].find(
      (one) => alike(own, one) && !one.allowed && one.createdAt > own.createdAt,
    );
    if (other) throw lost(definition, own, other, this.formerOf(definition, own, other));
  }
}

export const renamesIn = perRun((run) => new Renames(run));

const common = (a: Thing, b: Thing): string => a.identities.find((one) => b.identities.includes(one)) ?? "";
const alike = (a: Thing, b: Thing): boolean => a.group === b.group && common(a, b) !== "";

const loss = ({ deletionLoses }: AnyDefinition): string => deletionLoses ?? "what was set up in it would be lost";

function renamed(definition: AnyDefinition, id: string, identity: string, former: Former | undefined): DocsError {
  const which = former ? `${former.name} (${id}), which` : `${id}, under another name or parent that`;
  const wayOut = former ? toKeep(former) : `${toKeep(unnamed)}, or aliases: ["OLD URN"] after a move`;
  return new DocsError(
    `${definition.name} with the ${identity} is recorded in this stack already, as ${which} the program no longer declares: ` +
      `this run would create a second one and delete ${id}, and ${loss(definition)}. ` +
      `If the resource was renamed or moved, ${wayOut}${former ? "" : "; in organization.yaml, keep the key"}. ` +
      "If a new one and the deletion of the old one are wanted, declare allowTwin: true",
  );
}

/** Two names of one id: an import of something that the stack has under another name. */
function managedTwice({ name }: AnyDefinition, id: string): DocsError {
  return new DocsError(
    `${name} ${id} is not deleted: the stack has it under two names, and the program still declares one of them. Remove the other ` +
      "name from the state alone: pulumi stack --show-urns lists it, pulumi state delete URN removes it",
  );
}

function lost(definition: AnyDefinition, own: Thing, other: Thing, former: Former = unnamed): DocsError {
  const { name } = definition;
  const identity = common(own, other);
  return new DocsError(
    `${name} ${own.id} is not deleted: the program declares a younger one with the same ${identity}, ${other.id}, so the ` +
      `resource was probably renamed, and ${loss(definition)}. To keep ${own.id}, ${toDeclareAgain(former, other.id)}. ` +
      `To delete ${own.id}, declare allowTwin: true for ${other.id}`,
  );
}
