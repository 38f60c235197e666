import * as pulumi from "@pulumi/pulumi";
import type { ResourceManager } from "../../access/management";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { StackKnowledge } from "../../lifecycle/handler";
import { renamesIn } from "../../lifecycle/renames";
import { isState } from "../../lifecycle/state";
import { programRun } from "../../program/program-run";
import type { StackServices } from "../../run/origin";
import type { Properties } from "../../run/properties";
import { runScoped } from "../../run/run";
import { prefixes, typeAt } from "../../run/urn";
import { describeResources, readStackState, type StackResources, servicesIn, stackFunction } from "../stack-state";

/** The recorded resources of the stack. `why` begins the message if they cannot be read. */
export function recordedResources(why: string): Promise<StackResources> {
  const names = { organization: pulumi.getOrganization(), project: pulumi.getProject(), stack: pulumi.getStack() };
  return readStackState(programRun(), why, names, async (stackName) => {
    const { outputs }: { readonly outputs: StackResources } = await pulumi.runtime.invoke(stackFunction, { stackName });
    return outputs;
  });
}

/**
 * What the class passes to `check` with the inputs: the name of the resource, the services that the resources of the stack belong
 * to, and recorded objects that the resource looks like. The provider's process knows the service that it would write to, but
 * neither the name nor the state.
 *
 * Every resource gets them, also a recorded one: after `pulumi state taint` or with `--target-replace`, the engine replaces it
 * without a call of `diff`, and passes nothing of its record to `check` and `create`. This costs 14 bytes of state for each
 * resource (see `servicesKey`), and with 1,000 resources no time that could be measured.
 */
export async function readKnowledge(
  definition: AnyDefinition,
  manager: ResourceManager,
  known: Properties,
): Promise<StackKnowledge> {
  const renames = renamesIn(programRun());
  renames.noteUrns([manager.position]);
  const services = await servicesOfStack(programRun());
  if (!definition.identities || services.whyUnread !== undefined) return { ...services, manager };
  // `servicesOfStack` has read them: this cannot fail, so it needs no `why`.
  renames.noteState(definition, await recordedResources(""));
  const [former, managed] = [
    renames.listFormer(definition, manager.position, known),
    renames.listManaged(definition, manager.position, known),
  ];
  return { ...services, manager, former, managed };
}

const servicesOfStack = runScoped(() =>
  recordedResources("a new resource must not get to another service than the rest of its stack").then(
    describeServices,
    (error: Error): StackServices => ({ whyUnread: error.message }),
  ),
);

function describeServices(resources: StackResources): StackServices {
  // A component, which has no state of its own, does not count.
  const ofPlugin = Object.keys(resources).filter(
    (urn) => typeAt(urn).startsWith(prefixes.plugin) && isState(resources[urn]?.outputs ?? {}),
  );
  const services = servicesIn(resources);
  return ofPlugin.length === 0 ? { services } : { services, ofPlugin: describeResources(ofPlugin) };
}
