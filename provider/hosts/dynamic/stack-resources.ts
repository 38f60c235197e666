import { setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../../api/http/errors";
import type { Properties } from "../../run/properties";

/** By URN, what the last run left of each resource of the stack. */
export type StackResources = Readonly<Record<string, { readonly outputs?: Properties }>>;

/**
 * What the last run left of the stack. Without an answer nobody knows who would lose something, so nothing goes on. Other resources of the run may have the engine
 * write its state at this moment, and a file that is half written can not be read: so it is asked again.
 */
export async function recordedResources(why: string, triesLeft = 6): Promise<StackResources> {
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
      return recordedResources(why, triesLeft - 1);
    }
    const reason = (error as Error).message.replace(/\s+/g, " ");
    throw new DocsError(
      `${why}, and the engine could not read the state of stack ${stackName} (${reason}); check that "pulumi stack export" works, and run this again`,
      { cause: error },
    );
  }
}

/**
 * Where stacks belong to an organization of Pulumi's service, the name alone means the one in the default organization of
 * whoever is logged in. Elsewhere there is but one organization, which older stores do not know.
 */
function wholeNameOfStack(): string {
  const owner = pulumi.getOrganization();
  return owner === "organization" ? pulumi.getStack() : `${owner}/${pulumi.getProject()}/${pulumi.getStack()}`;
}
