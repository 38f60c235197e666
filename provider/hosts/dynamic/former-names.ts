import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Former } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import { describeFormer } from "../former";
import { nameOf, typesTo } from "./sdk-internals";
import { recordedResources } from "./stack-resources";
import { typeOf } from "./stub";
import { findUndeclared, noteDeclared } from "./undeclared";

/** Describes the resource at a URN of the stack, for a resource at another URN that looks like it. */
export function formerAt(
  definition: AnyDefinition,
  old: string,
  urn: string,
  parent: pulumi.Resource | undefined,
): Former {
  return describeFormer(definition, { old, urn, parent: nameOf(parent) });
}

/** The place of a resource in the program. */
export interface Place {
  readonly name: string;
  readonly parent: pulumi.Resource | undefined;
}

/** Computes the URN of a resource before the engine returns it. */
export function urnAt(definition: AnyDefinition, { name, parent }: Place): string {
  const types = [...typesTo(parent), typeOf(definition.name)].join("$");
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${types}::${name}`;
}

/** By identity, the resources that the stack has under another name. The provider's process does not get names (see renames.ts). */
export async function formerNames(
  definition: AnyDefinition,
  place: Place,
  args: Properties,
): Promise<Record<string, Former> | undefined> {
  const identities = definition.identities?.(args) ?? [];
  const recorded = identities.length === 0 ? undefined : await recordedResources("").catch(() => undefined);
  if (recorded === undefined) return undefined;
  const urn = urnAt(definition, place);
  const found = identities.flatMap((identity) => {
    const others = findUndeclared(definition, [identity], recorded).filter((one) => one !== urn);
    // If several resources match, it is unknown which one was renamed.
    const [other = ""] = others;
    if (others.length !== 1) return [];
    const { organizationId, createdAt, allowTwin, allowReplace } = recorded[other]?.outputs ?? {};
    const object = allowTwin === true || allowReplace === true ? {} : { organizationId, createdAt };
    return [[identity, { ...formerAt(definition, other, urn, place.parent), ...object }] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Records a resource of the program, so that its recorded state is no former name of another one. */
export function noteDeclaredAt(definition: AnyDefinition, place: Place): void {
  if (definition.identities) noteDeclared([urnAt(definition, place)]);
}
