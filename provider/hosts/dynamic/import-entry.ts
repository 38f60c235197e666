import type { AnyDefinition } from "../../lifecycle/definition";
import { declaredIn, providerKey } from "../../lifecycle/state";
import type { Properties } from "../../run/properties";
import { stubOf, typeOf } from "./stub";

/** A resource, as an entry of the file that `pulumi import --file` reads. */
export interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Name of its parent component. */
  readonly parent?: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/**
 * An entry with inputs and outputs, so that the engine records it as it is and reads nothing.
 * @internal
 */
export function importEntry(
  definition: AnyDefinition,
  id: string,
  outputs: Properties,
  name: string,
): ImportedResource {
  const provider = { [providerKey]: stubOf(definition.name) };
  const inputs = { ...declaredIn(definition, outputs), ...provider };
  return { type: typeOf(definition.name), name, id, inputs, outputs: { ...outputs, ...provider } };
}
