import * as pulumi from "@pulumi/pulumi";
import { childrenOf, resourcesOf } from "../sdk-internals";

/** What the `Output` form of a lookup takes beside its arguments. */
export interface LookupOptions {
  /** Resources that have to be there first; a component stands for the resources in it. */
  readonly dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/**
 * Runs the work once the arguments are known and the resources are there; where one of them is still to be made, at a
 * preview, the output is unknown. `changed` tells that resources which this run may have changed came first, those that
 * the arguments come from included: what was read before them is older than they are.
 */
export function afterResources<Result>(
  args: unknown,
  { dependsOn }: LookupOptions,
  work: (args: unknown, changed: boolean) => Promise<Result>,
): pulumi.Output<Result> {
  const resources = pulumi.output(dependsOn) as pulumi.Output<pulumi.Resource | pulumi.Resource[] | undefined>;
  const there = resources.apply((one) => pulumi.all([one ?? []].flat().map(idsIn)));
  const first = pulumi.all([args, there]);
  return first.apply(async ([known]) => work(known, !pulumi.runtime.isDryRun() && (await cameOfResources(first))));
}

/** A component's own id says nothing of the resources in it. */
function idsIn(resource: pulumi.Resource): pulumi.Input<unknown> {
  if (pulumi.CustomResource.isInstance(resource)) return resource.id;
  return childrenOf(resource).apply((children) => pulumi.all(children.map(idsIn)));
}

const cameOfResources = async (output: pulumi.Output<unknown>): Promise<boolean> =>
  (await resourcesOf(output)).size > 0;
