import { DocsError } from "../api/http/errors";
import { nameIn, organizationType, typesIn } from "../run/urn";
import type { AnyDefinition } from "./definition";

/** A resource that the stack has under another name, as the user knows it. */
export interface Former {
  /** `Site "book"`, with its parent if that differs. */
  readonly name: string;
  /** How to keep it: by an alias, or by its key in `organization.yaml`, which offers no aliases. */
  readonly wayToKeep: string;
}

/**
 * Describes the resource at a URN of the stack, for a resource at another URN that looks like it. `component` is the name of the
 * component that declares the organization, if there is one.
 */
export function describeFormer({ name }: AnyDefinition, former: string, urn: string, component = ""): Former {
  const hasSameParent = typesIn(former).join("$") === typesIn(urn).join("$");
  const above = typesIn(former).slice(0, -1);
  const place = above.length === 0 ? "at the top of the stack" : `in ${above.join(" > ")}`;
  const isInFile = above.includes(organizationType) && typesIn(urn).includes(organizationType);
  const prefix = `${component}-`;
  const key = isInFile && nameIn(former).startsWith(prefix) ? nameIn(former).slice(prefix.length) : undefined;
  const alias = hasSameParent ? `{ name: "${nameIn(former)}" }` : `"${former}"`;
  return {
    name: `${name} "${nameIn(former)}"${hasSameParent ? "" : ` (${place})`}`,
    wayToKeep: key === undefined ? `add the option aliases: [${alias}]` : `keep its key "${key}" in organization.yaml`,
  };
}

/** Refuses a resource that has its `identity` in common with a recorded one: `title "Handbook"`. */
export function refusedRename(
  { name, deletionLoses }: AnyDefinition,
  identity: string,
  id: string,
  former: Former,
): DocsError {
  const loss = deletionLoses === undefined ? "" : `, and ${deletionLoses}`;
  return new DocsError(
    `${name} with the ${identity} is already recorded in this stack, as ${former.name} (${id}), which the program no ` +
      `longer declares: this run would create a second one and delete ${id}${loss}. ` +
      `If the resource was renamed or moved, ${former.wayToKeep}. ` +
      "To create a new one and delete the old one, declare allowDuplicate: true",
  );
}

/** The stack has one id under two names, because an object that it already managed was imported again. */
export function managedTwice({ name }: AnyDefinition, id: string): DocsError {
  return new DocsError(
    `${name} ${id} is not deleted: the stack has it under two names, and the program still declares one of them. Remove the other ` +
      "name from the state only: pulumi stack --show-urns lists it, pulumi state delete URN removes it",
  );
}
