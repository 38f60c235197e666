import * as definitions from "../../definitions";
import { IncompleteId, liveState } from "../../lifecycle/live-state";
import { type Context, explained } from "../../run/context";
import { typeIn } from "../../run/urn";
import { type Existing, type ExistingResource, type ImportedComponent, importEntries } from "../import-list";

/** A resource, as an entry of the file that `pulumi import --file` reads. The engine has the plugin read everything else. */
export interface ImportedById {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent?: string;
}

/** The content of the file for `pulumi import --file` through the plugin. */
export interface PluginImportFile {
  readonly resources: readonly (ImportedById | ImportedComponent)[];
}

/**
 * Makes the file that imports objects through the plugin. It reads each object as the plugin will, and leaves out a resource
 * whose id does not say what it manages, such as `MemberRoles`: the program declares it, which sends nothing.
 */
export async function pluginImportFile(context: Context, existing: readonly Existing[]): Promise<PluginImportFile> {
  return { resources: await importEntries(existing, (one) => resourceEntry(context, one)) };
}

async function resourceEntry(
  context: Context,
  { resource, name, id }: ExistingResource,
): Promise<ImportedById | undefined> {
  try {
    // The export has already said which live values nobody can declare.
    await explained(context, () => liveState(context, definitions[resource], { id, leaveOut: () => undefined }));
    return { type: typeIn("plugin", resource), name, id };
  } catch (error) {
    if (error instanceof IncompleteId) return undefined;
    throw error;
  }
}
