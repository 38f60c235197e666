import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import { renamesIn } from "../../lifecycle/renames";
import { programRun } from "../../program/program-run";
import { aliasesOf } from "../../program/sdk-internals";
import type { Properties } from "../../run/properties";
import { runScoped } from "../../run/run";
import type { StackResources } from "../stack-state";
import { recordedResources } from "./stack-resources";

/** No error if the state cannot be read: `check` refuses each new resource then, and says why. */
const recordedIfReadable = runScoped(() => recordedResources("").catch((): StackResources => ({})));

/** Warns at a preview of a renamed resource that the up will refuse to create. A program with mocks has no stack, and gets no warning. */
export function warnOfRename(definition: AnyDefinition, resource: pulumi.CustomResource, args: object): void {
  const run = programRun();
  if (!pulumi.runtime.getStackResource() || !pulumi.runtime.isDryRun()) return;
  if (!definition.identities) return;
  pulumi
    .all([resource.urn, pulumi.all([...aliasesOf(resource)]), pulumi.output(args)])
    .apply(async ([urn, formerUrns, declared]) => {
      renamesIn(run).noteUrns(formerUrns);
      // Otherwise the engine would take the program for complete before the warning.
      const done = pulumi.runtime.rpcKeepAlive();
      try {
        const state = await recordedIfReadable(run);
        renamesIn(run).noteState(definition, state);
        const recorded = [urn, ...formerUrns].map((one) => state[one]?.outputs).find(Boolean);
        const warning = !recorded && (await renamesIn(run).describeRenamed(definition, urn, declared as Properties));
        if (warning) await pulumi.log.warn(warning, resource);
      } finally {
        done();
      }
    });
}
