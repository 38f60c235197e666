import { setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../../api/http/errors";
import { versionKey } from "../../lifecycle/state-versions";
import { originKey, type StackServices } from "../../run/origin";
import type { Properties } from "../../run/properties";
import { perRun, type Run } from "../../run/run";
import { programRun } from "./program-run";

/** The recorded resources of the stack by URN. */
export type StackResources = Readonly<Record<string, { readonly outputs?: Properties }>>;

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

/**
 * By service, some words for the resources that belong to it. The engine leaves out records that wait for their deletion
 * (`delete: true`, which share the URN of their replacement; read in `GetStackResourceOutputs` of 3.259): only `delete` sees
 * them, and refuses each by its own record.
 */
export function servicesIn(resources: StackResources): Record<string, string> {
  const names: Record<string, string[]> = {};
  // In the order of their names, since the engine answers in any order.
  for (const urn of Object.keys(resources).sort()) {
    const origin = resources[urn]?.outputs?.[originKey];
    if (typeof origin !== "string") continue;
    names[origin] ??= [];
    names[origin].push(inWords(urn));
  }
  return Object.fromEntries(Object.entries(names).map(([origin, all]) => [origin, shortened(all)]));
}

/** Some words for the resources that the provider plugin manages. Components have no version of their state. */
function pluginResources(resources: StackResources): string | undefined {
  const urns = Object.keys(resources).filter(
    (urn) => typesIn(urn).at(-1)?.startsWith("docs:index:") && resources[urn]?.outputs?.[versionKey] !== undefined,
  );
  return urns.length === 0 ? undefined : shortened(urns.sort().map(inWords));
}

const inWords = (urn: string): string => `${typesIn(urn).at(-1)?.split(":").at(-1)} "${nameIn(urn)}"`;
const shortened = ([first = "", ...more]: string[]): string =>
  `${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;

/** The types of the components above a resource, and its own. */
export const typesIn = (urn: string): string[] => (urn.split("::")[2] ?? "").split("$");
export const nameIn = (urn: string): string => urn.split("::").slice(3).join("::");

const readIn = later(() => read());

/** Reads at the first request. A failure is not reported as unhandled, because no caller may be waiting yet. */
function later<T>(make: () => Promise<T>): (run: Run) => Promise<T> {
  return perRun(() => {
    const made = make();
    made.catch(() => undefined);
    return made;
  });
}

/**
 * Other resources of the run may have the engine write its state at this moment, and a file that is half written cannot be
 * read: so it is asked again.
 */
async function read(triesLeft = 6): Promise<StackResources> {
  const stackName = wholeNameOfStack();
  try {
    const { outputs }: { readonly outputs: StackResources } = await pulumi.runtime.invoke(
      "pulumi:pulumi:readStackResourceOutputs",
      {
        stackName,
      },
    );
    if (outputs) return outputs;
    throw new Error("the answer has no outputs");
  } catch (error) {
    if (triesLeft > 0) {
      await setTimeout(800 / 2 ** triesLeft);
      return read(triesLeft - 1);
    }
    const reason = (error as Error).message.replace(/\s+/g, " ");
    throw new DocsError(
      `the engine could not read the state of stack ${stackName} (${reason}); check that "pulumi stack export" works, and run this again`,
      { cause: error },
    );
  }
}

/**
 * In Pulumi's service, a plain stack name means a stack in the default organization of the user who is logged in, so the name
 * must include the organization. Other backends have only one organization, which older ones do not know.
 */
function wholeNameOfStack(): string {
  const owner = pulumi.getOrganization();
  return owner === "organization" ? pulumi.getStack() : `${owner}/${pulumi.getProject()}/${pulumi.getStack()}`;
}
