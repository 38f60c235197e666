import * as pulumi from "@pulumi/pulumi";
import { childResources, resourcesOf } from "./sdk-internals";

export interface ProviderOption {
  /**
   * A provider object of the provider plugin (`Provider` of `pulumi-docs-org/plugin`), whose service, organization and token are
   * used instead of those of the settings.
   */
  readonly provider?: pulumi.ProviderResource | undefined;
}

/** The options of the `Output` form of a lookup. */
export interface LookupOptions extends ProviderOption {
  /** Resources that must exist first; a component stands for the resources in it. */
  readonly dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/**
 * Runs the work once the arguments are known and the resources exist. If a resource is yet to be created, at a preview, the
 * output is unknown. `changed` means that the work depends on resources that this run may have changed, including those that
 * the arguments come from: answers from before the change must not be used.
 */
export function afterResources<Result>(
  args: unknown,
  { dependsOn }: LookupOptions,
  work: (args: unknown, changed: boolean) => Promise<Result>,
): pulumi.Output<Result> {
  const resources = pulumi.output(dependsOn) as pulumi.Output<pulumi.Resource | pulumi.Resource[] | undefined>;
  const ids = resources.apply((one) => pulumi.all([one ?? []].flat().map(idsIn)));
  const inputs = pulumi.all([args, ids]);
  return inputs.apply(async ([knownArgs]) => {
    const changed = !pulumi.runtime.isDryRun() && (await resourcesOf(inputs)).size > 0;
    return work(knownArgs, changed);
  });
}

/** The resources of a component, because the component's own id does not depend on them. */
function idsIn(resource: pulumi.Resource): pulumi.Input<unknown> {
  if (pulumi.CustomResource.isInstance(resource)) return resource.id;
  return childResources(resource).apply((children) => pulumi.all(children.map(idsIn)));
}
