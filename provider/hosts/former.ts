import type { AnyDefinition } from "../lifecycle/definition";
import type { Former } from "../lifecycle/renames";
import { nameIn, organizationType, typesIn } from "../resources/urns";

interface Places {
  readonly old: string;
  readonly urn: string;
  /** Name of the parent of the resource at `urn`, if it is known. */
  readonly parent?: string | undefined;
}

/** Describes the resource at a URN of the stack, for a resource at another URN that looks like it. */
export function describeFormer({ name }: AnyDefinition, { old, urn, parent }: Places): Former {
  const hasSameParent = typesIn(old).join("$") === typesIn(urn).join("$");
  const above = typesIn(old).slice(0, -1);
  const place = above.length === 0 ? "at the top of the stack" : `in ${above.join(" > ")}`;
  const prefix = `${parent}-`;
  const isInFile = above.includes(organizationType) && typesIn(urn).includes(organizationType);
  return {
    name: `${name} "${nameIn(old)}"${hasSameParent ? "" : ` (${place})`}`,
    option: hasSameParent ? `aliases: [{ name: "${nameIn(old)}" }]` : `aliases: ["${old}"]`,
    ...(isInFile && nameIn(old).startsWith(prefix) && { key: nameIn(old).slice(prefix.length) }),
  };
}
