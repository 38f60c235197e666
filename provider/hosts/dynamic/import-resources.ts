import * as definitions from "../../definitions";
import { liveState } from "../../lifecycle/live-state";
import { declaredIn, organizationOf, providerKey } from "../../lifecycle/state";
import { connect, explained } from "../../run/context";
import { Run } from "../../run/run";
import { typeIn } from "../../run/urn";
import {
  type ExistingEntry,
  type ExistingResource,
  type ImportedResource,
  type ImportFile,
  type ImportOptions,
  importEntries,
} from "../import-list";
import { stubOf } from "./stub";

/** Reads the objects, maybe in a run that has already read the organization, and makes the content of the file. */
export async function importResources(
  existing: readonly ExistingEntry[],
  { run = new Run(), ...options }: ImportOptions & { readonly run?: Run } = {},
): Promise<ImportFile> {
  return { resources: await importEntries(existing, (one) => resourceEntry(run, one, options)) };
}

async function resourceEntry(run: Run, one: ExistingResource, options: ImportOptions): Promise<ImportedResource> {
  const definition = definitions[one.resource];
  const context = await connect(run, organizationOf(run.settings, one.inputs ?? {}, { ...options }));
  const leaveOut = (what: string) => run.tell(`${one.resource} "${one.name}": ${what}`);
  const state = await explained(context, () => liveState(context, definition, { ...one, leaveOut }));
  // With inputs and outputs, the engine records the entry as it is and reads nothing.
  const provider = { [providerKey]: stubOf(definition.name) };
  return {
    type: typeIn("dynamic", definition.name),
    name: one.name,
    id: one.id,
    inputs: { ...declaredIn(definition, state), ...provider },
    outputs: { ...state, ...provider },
  };
}
