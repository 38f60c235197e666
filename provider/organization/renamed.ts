import * as definitions from "../definitions";
import type { AnyDefinition } from "../lifecycle/definition";
import { describeRename, type Former, renamesIn } from "../lifecycle/renames";
import type { Run } from "../run/run";
import type { RecordedChild } from "./projection/recorded";
import { type Child, keyIn } from "./sections/children";

/**
 * Finds children that look like recorded ones whose keys the file no longer has. The handlers, which refuse to create a second
 * object, learn the former keys from here, since they know no names. Returns a warning for each new child.
 */
export function findRenamed(
  run: Run,
  component: string,
  children: readonly Child[],
  recorded: readonly RecordedChild[],
): string[] {
  const declared = new Set(children.map(labelOf));
  const undeclared = recorded.filter((one) => !declared.has(labelOf(one)));
  const known = new Set(recorded.map(labelOf));
  return children.flatMap((child) => {
    const definition: AnyDefinition = definitions[child.resource];
    const former = formerOf(definition, component, child, undeclared);
    if (!former) return [];
    renamesIn(run).noteFormerNames(definition, { former });
    const [one] = Object.values(former);
    return one && !known.has(labelOf(child)) ? [describeRename(definition, { own: labelOf(child), former: one })] : [];
  });
}

const labelOf = ({ resource, name }: Pick<Child, "resource" | "name"> | RecordedChild): string =>
  `${resource} "${name}"`;

/** By identity, the one recorded child that has it. If several have it, it is unknown which one was renamed. */
function formerOf(
  definition: AnyDefinition,
  component: string,
  { resource, inputs }: Child,
  undeclared: readonly RecordedChild[],
): Record<string, Former> | undefined {
  const identities = definition.identities?.(inputs) ?? [];
  const found = identities.flatMap((identity) => {
    const others = undeclared.filter(
      (one) => one.resource === resource && definition.identities?.(one.outputs).includes(identity),
    );
    const [other] = others;
    return other && others.length === 1 ? [[identity, formerAt(component, other, inputs)] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function formerAt(component: string, other: RecordedChild, { allowTwin, allowReplace }: Child["inputs"]): Former {
  const { organizationId, createdAt } = other.outputs;
  const isAllowed = allowTwin === true || allowReplace === true;
  return {
    name: labelOf(other),
    option: `aliases: [{ name: "${other.name}" }]`,
    key: keyIn(component, other.name),
    ...(!isAllowed && { organizationId, createdAt }),
  };
}
