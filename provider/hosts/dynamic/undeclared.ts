import type { AnyDefinition } from "../../lifecycle/definition";
import { typesIn } from "../../resources/urns";
import { perRun } from "../../run/run";
import type { StackResources } from "../stack-state";
import { programRun } from "./program-run";
import { typeOf } from "./stub";

/** The URNs of the resources that the program has declared so far. A preview adds their aliases as soon as it knows them. */
const declaredIn = perRun(() => new Set<string>());

/** Records URNs that the program declares, so that no other resource looks like a rename of them. */
export function noteDeclared(urns: readonly string[]): void {
  const declared = declaredIn(programRun());
  for (const urn of urns) declared.add(urn);
}

/** The URNs of recorded resources that have one of the identities and that the program has not declared so far. */
export function findUndeclared(
  definition: AnyDefinition,
  identities: readonly string[],
  recorded: StackResources,
): string[] {
  const index = identityIndex(definition, recorded);
  const declared = declaredIn(programRun());
  const urns = new Set(identities.flatMap((identity) => index.get(identity) ?? []));
  return [...urns].filter((urn) => !declared.has(urn));
}

type IdentityIndex = ReadonlyMap<string, readonly string[]>;

/** By definition: a program may declare thousands of resources, and each of them is compared with the whole state. */
const indexesIn = perRun(() => new Map<string, IdentityIndex>());

function identityIndex(definition: AnyDefinition, recorded: StackResources): IdentityIndex {
  const indexes = indexesIn(programRun());
  const known = indexes.get(definition.name) ?? indexIdentities(definition, recorded);
  indexes.set(definition.name, known);
  return known;
}

function indexIdentities(definition: AnyDefinition, recorded: StackResources): IdentityIndex {
  const index = new Map<string, string[]>();
  for (const [urn, { outputs = {} }] of Object.entries(recorded)) {
    if (typesIn(urn).at(-1) !== typeOf(definition.name)) continue;
    for (const identity of definition.identities?.(outputs) ?? []) {
      index.set(identity, [...(index.get(identity) ?? []), urn]);
    }
  }
  return index;
}
