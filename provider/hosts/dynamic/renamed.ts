import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import { renamesIn } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import { perRun } from "../../run/run";
import type { StackResources } from "../stack-state";
import { programRun } from "./program-run";
import { aliasesOf } from "./sdk-internals";
import { recordedResources } from "./stack-resources";

/** If the state cannot be read, the preview says so and continues: the up refuses the change anyway. */
const recordedOrWarned = perRun((): Promise<StackResources> => {
  const reading = recordedResources("whether a resource was only renamed depends on what the stack has managed so far");
  return reading.catch(async ({ message }: Error) => {
    await pulumi.log.warn(message);
    return {};
  });
});

/**
 * Warns at a preview of a resource that the up will refuse because it looks like one under a former name. The engine asks the
 * dynamic host nothing that could wait for the later declarations of the program.
 */
export function warnIfRenamed(definition: AnyDefinition, resource: pulumi.CustomResource, args: object): void {
  const stack = pulumi.runtime.getStackResource();
  if (!definition.identities || !stack || !pulumi.runtime.isDryRun()) return;
  const renames = renamesIn(programRun());
  const reading = recordedOrWarned(programRun());
  pulumi
    .all([resource.urn, pulumi.all([...aliasesOf(resource)]), pulumi.output(args)])
    .apply(async ([urn, formerUrns, known]) => {
      renames.noteUrns(formerUrns);
      // The engine would take the program for complete before the warning.
      const done = pulumi.runtime.rpcKeepAlive();
      try {
        renames.noteState(definition, await reading);
        const warning = await renames.describeRenamed(definition, { urn, formerUrns }, known as Properties);
        if (warning !== undefined) await pulumi.log.warn(warning, resource);
      } finally {
        done();
      }
    });
}
