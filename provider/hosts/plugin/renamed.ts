import { describeRename, renamesIn } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import type { Run } from "../../run/run";
import { describeFormer } from "../former";
import type { Called } from "./called";

/**
 * The names of recorded resources. The engine has every resource of the state read before the program runs, so the plugin
 * knows the former name of a renamed one, for a program in any language.
 */
export class RecordedNames {
  private readonly urns = new Map<string, string>();

  constructor(private readonly run: Run) {}

  /** Records the read of a resource before the program runs. */
  note({ definition, urn }: Called, id: string): void {
    if (definition.identities && !this.run.runsProgram()) this.urns.set(`${definition.name} ${id}`, urn);
  }

  /** Notes the former name of a resource that is about to be created, for the refusal. */
  async noteFormer(called: Called, inputs: Properties): Promise<void> {
    await this.findFormer(called, inputs, false);
  }

  /** The warning at a preview of a creation that the up will refuse. */
  async describeRenamed(called: Called, inputs: Properties): Promise<string | undefined> {
    const former = await this.findFormer(called, inputs, true);
    return former && describeRename(called.definition, { own: called.manager.name, former });
  }

  private async findFormer({ definition, urn }: Called, inputs: Properties, settled: boolean) {
    const organizationId = inputs.organizationId ?? this.run.settings.organizationId();
    const renames = renamesIn(this.run);
    const other = await renames.findReplaced(definition, String(organizationId), inputs, { settled });
    const old = other && this.urns.get(`${definition.name} ${other.id}`);
    // The component has noted the names of its children, and warned of them.
    if (!other || other.isNamed || old === undefined || old === urn) return undefined;
    const former = describeFormer(definition, { old, urn });
    renames.noteFormerNames(definition, { former: { [other.identity]: former } });
    return former;
  }
}
