import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "../api/http/errors";
import { runsProgram } from "../run/program";
import type { Properties } from "../run/properties";
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

/** What the class has handed over, by resource and identity. */
const formerNames = new Map<string, Former>();

export function noteFormerNames(definition: AnyDefinition, handed: unknown): void {
  const { former = {} } = (handed ?? {}) as { readonly former?: Readonly<Record<string, Former>> };
  for (const [identity, one] of Object.entries(former)) formerNames.set(keyOf(definition, identity), one);
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

/** What a refresh of this run has found in the state, by resource and id. */
const recorded = new Map<string, Thing>();
/** What the program declares, as far as it is in the state or was created in this run. */
const declared = new Map<string, Thing>();

/**
 * Identities of what the engine replaces by its own choice (`--target-replace`): it asks for no difference then. It calls
 * `check` and `diff` of one resource after another, so the last one that was checked may still be asked for.
 */
const replaced = new Set<string>();
let lastChecked: readonly string[] = [];

/** What the refresh before a program has read more than once: the state has it under several names. */
const readTwice = new Set<string>();
/** What the program declares and keeps: the last comparison found no replacement. */
const kept = new Set<string>();

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

/** Remembers what the refresh before a program has found, or that it is gone. */
export function noteRecorded(definition: AnyDefinition, id: string, state: Properties | undefined): void {
  if (state === undefined) recorded.delete(keyOf(definition, id));
  else if (definition.identities && !runsProgram()) {
    if (recorded.has(keyOf(definition, id))) readTwice.add(keyOf(definition, id));
    recorded.set(keyOf(definition, id), thingOf(definition, id, state.organizationId, state));
  }
}

/** Remembers what the program declares of a resource that the state has, or that was created now; a refresh declares nothing. */
export function noteDeclared(definition: AnyDefinition, id: string, state: Properties, news: Properties): void {
  if (!definition.identities || !runsProgram()) return;
  const { organizationId, createdAt } = state;
  const thing = thingOf(definition, id, organizationId, { ...news, createdAt });
  declared.set(keyOf(definition, id), thing);
}

/** Remembers what `diff` is asked about: the program declares it, and the engine has not decided alone. */
export function noteCompared(definition: AnyDefinition, id: string, state: Properties, news: Properties): void {
  lastChecked = [];
  noteDeclared(definition, id, state, news);
}

/** Remembers what a comparison came to. */
export function noteOutcome(definition: AnyDefinition, id: string, { replaces = [] }: { replaces?: string[] }): void {
  if (!definition.identities || !runsProgram()) return;
  if (replaces.length === 0) kept.add(keyOf(definition, id));
  else kept.delete(keyOf(definition, id));
}

/** Remembers the inputs that a resource had so far, which the program declares. */
export function noteChecked(definition: AnyDefinition, olds: Properties): void {
  for (const key of lastChecked) replaced.add(key);
  lastChecked = (definition.identities?.(olds) ?? []).map((identity) => keyOf(definition, identity));
}

const isReplaced = (definition: AnyDefinition, { identities }: Thing): boolean =>
  identities.some((one) => replaced.has(keyOf(definition, one)) || lastChecked.includes(keyOf(definition, one)));

/** Forgets what was deleted. */
export function noteDeleted(definition: AnyDefinition, id: string): void {
  recorded.delete(keyOf(definition, id));
  declared.delete(keyOf(definition, id));
}

/** Refuses to create what the state has under another name, if the program no longer declares that. Nothing is sent. */
export async function refuseRenamed(
  definition: AnyDefinition,
  organizationId: string,
  news: Properties,
): Promise<void> {
  const own = thingOf(definition, "", organizationId, news);
  if (own.allowed || own.identities.length === 0) return;
  const other = isReplaced(definition, own) ? undefined : await abandoned(definition, own);
  if (other) throw renamed(definition, other.id, common(own, other));
}

/** How long the program may take to declare the other one. */
const patience = 3_000;

async function abandoned(definition: AnyDefinition, own: Thing): Promise<Thing | undefined> {
  for (let waited = 0; ; waited += 100) {
    const found = [...recorded.values()].find(
      (one) => alike(own, one) && !one.allowed && !declared.has(keyOf(definition, one.id)),
    );
    if (!found || waited >= patience) return found;
    await sleep(100);
  }
}

/**
 * Refuses to delete what the program declares under another name as well, as a younger one: after a run that read no state
 * before it created, this is the first moment that tells. What is replaced is declared; `pulumi destroy` declares nothing.
 */
export function refuseLoss(definition: AnyDefinition, id: string, state: Properties): void {
  if (!definition.identities || !runsProgram()) return;
  const own = thingOf(definition, id, state.organizationId, state);
  if (isReplaced(definition, own)) return;
  const key = keyOf(definition, id);
  if (kept.has(key) && readTwice.has(key)) throw managedTwice(definition, id);
  if (own.allowed || declared.has(key)) return;
  const other = [...declared.values()].find((one) => alike(own, one) && !one.allowed && one.createdAt > own.createdAt);
  if (other) throw lost(definition, own, other);
}

const common = (a: Thing, b: Thing): string => a.identities.find((one) => b.identities.includes(one)) ?? "";
const alike = (a: Thing, b: Thing): boolean => a.group === b.group && common(a, b) !== "";

const loss = ({ deletionLoses }: AnyDefinition): string => deletionLoses ?? "what was set up in it would be lost";

function renamed(definition: AnyDefinition, id: string, identity: string): DocsError {
  const former = formerNames.get(keyOf(definition, identity));
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

function lost(definition: AnyDefinition, own: Thing, other: Thing): DocsError {
  const { name } = definition;
  const identity = common(own, other);
  const former = formerNames.get(keyOf(definition, identity)) ?? unnamed;
  return new DocsError(
    `${name} ${own.id} is not deleted: the program declares a younger one with the same ${identity}, ${other.id}, so the ` +
      `resource was probably renamed, and ${loss(definition)}. To keep ${own.id}, ${toDeclareAgain(former, other.id)}. ` +
      `To delete ${own.id}, declare allowTwin: true for ${other.id}`,
  );
}
