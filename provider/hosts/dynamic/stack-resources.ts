import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../../api/http/errors";
import type { AnyDefinition } from "../../lifecycle/definition";
import { renamesIn, type Thing } from "../../lifecycle/renames";
import { isState } from "../../lifecycle/state";
import type { StackServices } from "../../run/origin";
import type { Properties } from "../../run/properties";
import { perRun, type Run } from "../../run/run";
import { typesIn } from "../../run/urn";
import { describeResources, readStackState, type StackResources, servicesIn, stackFunction } from "../stack-state";
import { programRun } from "./program-run";

/** Reads the recorded resources of the stack once. If that fails, the run fails: it could not know what a change would lose. */
export async function recordedResources(why: string): Promise<StackResources> {
  try {
    return await readIn(programRun());
  } catch (error) {
    throw new DocsError(`${why}, and ${(error as Error).message}`, { cause: error });
  }
}

/**
 * What the class passes to `check` with the inputs: the services that the resources of the stack belong to, and recorded objects
 * that a resource looks like. The provider's process knows the service that it would write to, but cannot read the state.
 *
 * Every resource gets them, also a recorded one: after `pulumi state taint` or with `--target-replace`, the engine replaces it
 * without a call of `diff`, and passes nothing of its record to `check` and `create`. This costs 14 bytes of state for each
 * resource (see `servicesKey`), and with 1,000 resources no time that could be measured.
 *
 * A program with mocks instead of the engine gets none, because it writes to no service.
 */
export function stackKnowledge(definition: AnyDefinition, urn: string, known: Properties) {
  if (pulumi.runtime.getEngine() === undefined) return undefined;
  return Promise.all([readServices(programRun()), listFormer(definition, urn, known)]).then(
    ([services, former]) => services && { ...services, ...(former.length > 0 && { former }) },
  );
}

async function listFormer(definition: AnyDefinition, urn: string, known: Properties): Promise<readonly Thing[]> {
  const renames = renamesIn(programRun());
  renames.noteUrns([urn]);
  if (!definition.identities) return [];
  renames.noteState(definition, await recordedResources("").catch(() => ({})));
  return renames.listFormer(definition, urn, known);
}

const readServices = startOnce(async (): Promise<StackServices | undefined> => {
  try {
    const recorded = await recordedResources(
      "a new resource must not get to another service than the rest of its stack",
    );
    const services = servicesIn(recorded);
    const ofPlugin = pluginResources(recorded);
    if (ofPlugin !== undefined) return { services, ofPlugin };
    return Object.keys(services).length === 0 ? undefined : { services };
  } catch (error) {
    return { unread: (error as Error).message };
  }
});

/** Describes the resources that the provider plugin manages. A component has no state of its own. */
function pluginResources(resources: StackResources): string | undefined {
  const urns = Object.keys(resources).filter(
    (urn) => typesIn(urn).at(-1)?.startsWith("docs:index:") && isState(resources[urn]?.outputs ?? {}),
  );
  return urns.length === 0 ? undefined : describeResources(urns);
}

const readIn = startOnce(() => read());

/** Starts the work at the first request. A failure is not reported as unhandled, because no caller may be waiting yet. */
function startOnce<T>(make: () => Promise<T>): (run: Run) => Promise<T> {
  return perRun(() => {
    const made = make();
    made.catch(() => undefined);
    return made;
  });
}

function read(): Promise<StackResources> {
  const names = { organization: pulumi.getOrganization(), project: pulumi.getProject(), stack: pulumi.getStack() };
  return readStackState(names, async (stackName) => {
    const { outputs }: { readonly outputs: StackResources } = await pulumi.runtime.invoke(stackFunction, { stackName });
    return outputs;
  });
}
