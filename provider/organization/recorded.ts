import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../declaration";

/** A resource of an organization as the last run left it. */
export interface RecordedChild {
  /** The class. */
  readonly resource: string;
  readonly name: string;
  readonly outputs: Properties;
}

interface StackResources {
  readonly outputs: Readonly<Record<string, { readonly outputs?: Properties }>>;
}

/**
 * What the stack holds of the resources in a component: whom it has managed so far. The engine keeps that from programs,
 * except through this function of its own, which answers for any stack, the present one as well.
 */
export async function recordedChildren(component: pulumi.ComponentResource): Promise<RecordedChild[]> {
  const stackName = pulumi.getStack();
  const [urn, { outputs }]: [string, StackResources] = await Promise.all([
    new Promise<string>((resolve) => component.urn.apply(resolve)),
    pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName }),
  ]);
  return childrenIn(urn, outputs);
}

const types = "pulumi-nodejs:dynamic/docs:";

/** A URN ends in the types of the components above, the type and the name; names of children begin with that of the component. */
export function childrenIn(urn: string, resources: StackResources["outputs"]): RecordedChild[] {
  const [stack, project, above, ...names] = urn.split("::");
  const beginning = `${stack}::${project}::${above}$${types}`;
  return Object.entries(resources).flatMap(([other, { outputs = {} }]) => {
    if (!other.startsWith(beginning)) return [];
    const [resource = "", ...rest] = other.slice(beginning.length).split("::");
    const name = rest.join("::");
    return name.startsWith(`${names.join("::")}-`) ? [{ resource, name, outputs }] : [];
  });
}
