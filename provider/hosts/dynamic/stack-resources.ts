import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../../api/http/errors";
import type { StackServices } from "../../run/origin";
import { perRun, type Run } from "../../run/run";
import { readStackState, type StackResources, servicesIn, stackFunction } from "../stack-state";
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
 * The services that the resources of the stack belong to, for `check` in the provider's process, which knows the service that
 * it would write to, and cannot read the state. Every resource gets them, also one that the state has: the engine replaces it
 * without `diff` after `pulumi state taint` or with `--target-replace`, and gives `check` and `create` nothing of its record.
 * With 1,000 resources, that is 14 bytes of state each (see `servicesKey`), and no time that could be measured. A program with mocks in
 * the place of the engine writes nowhere.
 */
export function stackServices(): Promise<StackServices | undefined> | undefined {
  return pulumi.runtime.getEngine() === undefined ? undefined : servicesRead(programRun());
}

const servicesRead = later(async (): Promise<StackServices | undefined> => {
  try {
    const services = servicesIn(
      await recordedResources("a new resource must not get to another service than the rest of its stack"),
    );
    return Object.keys(services).length === 0 ? undefined : { services };
  } catch (error) {
    return { unread: (error as Error).message };
  }
});

const readIn = later(() => read());

/** Reads at the first request. A failure is not reported as unhandled, because no caller may be waiting yet. */
function later<T>(make: () => Promise<T>): (run: Run) => Promise<T> {
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
