import * as pulumi from "@pulumi/pulumi";
import type { AnyDefinition } from "../../lifecycle/definition";
import { listPreviewWarnings, noteRoles } from "../../lifecycle/preview-warnings";
import { renamesIn } from "../../lifecycle/renames";
import type { Properties } from "../../run/properties";
import { perRun } from "../../run/run";
import type { StackResources } from "../stack-state";
import { programRun } from "./program-run";
import { aliasesOf } from "./sdk-internals";
import { recordedResources } from "./stack-resources";

/** If the state cannot be read, `check` refuses each new resource, and says why. */
const recordedIfReadable = perRun(() => recordedResources("").catch((): StackResources => ({})));

/** Shows the warnings of a preview below the resource. `known` are its arguments, as far as they are known now. */
export function warnAtPreview(
  definition: AnyDefinition,
  resource: pulumi.CustomResource,
  args: object,
  known: Properties,
): void {
  const run = programRun();
  if (!pulumi.runtime.getStackResource() || !pulumi.runtime.isDryRun()) return;
  if (!definition.identities && !noteRoles(run, definition, known)) return;
  pulumi
    .all([resource.urn, pulumi.all([...aliasesOf(resource)]), pulumi.output(args)])
    .apply(async ([urn, formerUrns, declared]) => {
      renamesIn(run).noteUrns(formerUrns);
      // The engine would take the program for complete before the warning.
      const done = pulumi.runtime.rpcKeepAlive();
      try {
        const state = await recordedIfReadable(run);
        renamesIn(run).noteState(definition, state);
        const recorded = [urn, ...formerUrns].map((one) => state[one]?.outputs).find(Boolean);
        const warnings = await listPreviewWarnings(run, definition, {
          urn,
          declared: declared as Properties,
          recorded,
        });
        for (const warning of warnings) await pulumi.log.warn(warning, resource);
      } finally {
        done();
      }
    });
}
