import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Former } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import { oncePerRun } from "./once-per-run";
import { nameOf, typesTo } from "./sdk-internals";
import { nameIn, recordedResources, type StackResources, typesIn } from "./stack-resources";
import { typeOf } from "./stub";

const organizationType = "docs:index:Organization";

/** Describes what the stack has at a URN, for a resource at another one that looks like it. */
export function formerAt(
  { name }: AnyDefinition,
  old: string,
  urn: string,
  parent: pulumi.Resource | undefined,
): Former {
  const hasSameParent = typesIn(old).join("$") === typesIn(urn).join("$");
  const above = typesIn(old).slice(0, -1);
  const place = above.length === 0 ? "at the top of the stack" : `in ${above.join(" > ")}`;
  const prefix = `${nameOf(parent)}-`;
  const isInFile = above.includes(organizationType) && typesIn(urn).includes(organizationType);
  return {
    name: `${name} "${nameIn(old)}"${hasSameParent ? "" : ` (${place})`}`,
    option: hasSameParent ? `aliases: [{ name: "${nameIn(old)}" }]` : `aliases: ["${old}"]`,
    ...(isInFile && nameIn(old).startsWith(prefix) && { key: nameIn(old).slice(prefix.length) }),
  };
}

/** Where a resource of the program is. */
interface Place {
  readonly name: string;
  readonly parent: pulumi.Resource | undefined;
}

/** By identity, what the stack has under another name: the provider's process never hears of names (see renames.ts). */
export async function formerNames(
  definition: AnyDefinition,
  { name, parent }: Place,
  args: Properties,
): Promise<Record<string, Former> | undefined> {
  const identities = definition.identities?.(args) ?? [];
  const recorded = identities.length === 0 ? undefined : await recordedResources("").catch(() => undefined);
  if (recorded === undefined) return undefined;
  const types = [...typesTo(parent), typeOf(definition.name)].join("$");
  const urn = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${types}::${name}`;
  const found = identities.flatMap((identity) => {
    const others = (urnsByIdentity(definition, recorded).get(identity) ?? []).filter((one) => one !== urn);
    // Which of several it was, nobody knows.
    return others.length === 1 ? [[identity, formerAt(definition, others[0] as string, urn, parent)] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const indexesOfRun = oncePerRun(() => new Map<string, Map<string, string[]>>());

function urnsByIdentity(definition: AnyDefinition, recorded: StackResources): Map<string, string[]> {
  const indexes = indexesOfRun();
  const known = indexes.get(definition.name) ?? indexed(definition, recorded);
  indexes.set(definition.name, known);
  return known;
}

function indexed(definition: AnyDefinition, recorded: StackResources): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const [urn, { outputs = {} }] of Object.entries(recorded)) {
    if (typesIn(urn).at(-1) !== typeOf(definition.name)) continue;
    for (const identity of definition.identities?.(outputs) ?? []) {
      index.set(identity, [...(index.get(identity) ?? []), urn]);
    }
  }
  return index;
}
