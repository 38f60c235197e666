import type { AnyDefinition } from "../../lifecycle/definition";
import type { Host } from "../../lifecycle/handler";
import { declaredIn, providerKey } from "../../lifecycle/state";
import type { Properties } from "../../run/properties";
import type { Run } from "../../run/run";
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

/**
 * Says how to import with the dynamic host: from a file, because the engine cannot read a dynamic resource by its id.
 * @internal
 */
export const dynamicHost = (run: Run): Host => ({
  run,
  howToImport(definition, id, outputs) {
    const entry = importEntry(definition, id, outputs, "NAME");
    return (
      "to import it, write the next line to import.json (NAME is the resource's name in the program) and run: " +
      "pulumi import --file import.json --protect=false --generate-code=false\n" +
      JSON.stringify({ resources: [entry] })
    );
  },
});
