import { setTimeout } from "node:timers/promises";
import { DocsError } from "../api/http/errors";
import { originKey } from "../run/origin";
import type { Properties } from "../run/properties";
import { type Run, runScoped } from "../run/run";
import { nameIn, typeAt } from "../run/urn";

export type StackResources = Readonly<Record<string, { readonly outputs?: Properties }>>;

/** The engine's function for stack references, which answers for the current stack as well. */
export const stackFunction = "pulumi:pulumi:readStackResourceOutputs";

export interface StackNames {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

type Ask = (stackName: string) => Promise<StackResources | undefined>;

const readingIn = runScoped((): { resources?: Promise<StackResources> } => ({}));

/**
 * Reads the recorded resources of the stack once in a run. `why` begins the message if that fails: the caller could not know
 * what a change would lose.
 */
export async function readStackState(run: Run, why: string, names: StackNames, ask: Ask): Promise<StackResources> {
  const reading = readingIn(run);
  reading.resources ??= readPatiently(wholeNameOf(names), ask);
  try {
    return await reading.resources;
  } catch (error) {
    throw new DocsError(`${why}, and ${(error as Error).message}`, { cause: error });
  }
}

/** Asks up to seven times: the engine cannot read its state while it writes it for another resource of the run. */
async function readPatiently(stackName: string, ask: Ask, triesLeft = 6): Promise<StackResources> {
  try {
    const resources = await ask(stackName);
    if (resources) return resources;
    throw new Error("the answer has no outputs");
  } catch (error) {
    if (triesLeft > 0) {
      // From 12.5 milliseconds to 400.
      await setTimeout(800 / 2 ** triesLeft);
      return readPatiently(stackName, ask, triesLeft - 1);
    }
    const reason = (error as Error).message.replace(/\s+/g, " ");
    throw new DocsError(
      `the engine could not read the state of stack ${stackName} (${reason}); check that "pulumi stack export" works, and run this again`,
      { cause: error },
    );
  }
}

/**
 * In Pulumi's service, a plain name means a stack in the default organization of the user, so the name must include the
 * organization. The only organization of other backends is named "organization"; older backends do not know it,
 * so it is left out.
 */
function wholeNameOf({ organization, project, stack }: StackNames): string {
  return organization === "organization" ? stack : `${organization}/${project}/${stack}`;
}

/**
 * Descriptions of the resources by service. The engine omits records that wait for their deletion (`delete: true`, which share
 * the URN of their replacement; read in `GetStackResourceOutputs` of 3.259): only `delete` sees them, and refuses each by its
 * own record.
 */
export function servicesIn(resources: StackResources): Record<string, string> {
  const urns: Record<string, string[]> = {};
  for (const [urn, { outputs }] of Object.entries(resources)) {
    const origin = outputs?.[originKey];
    if (typeof origin !== "string") continue;
    urns[origin] ??= [];
    urns[origin].push(urn);
  }
  return Object.fromEntries(Object.entries(urns).map(([origin, all]) => [origin, describeResources(all)]));
}

/** Describes resources for a message: `Site "book" and 2 more`. */
export function describeResources(urns: readonly string[]): string {
  // In the order of their names, since the engine answers in any order.
  const [first = "", ...more] = [...urns].sort().map((urn) => `${typeAt(urn).split(":").at(-1)} "${nameIn(urn)}"`);
  return `${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}
