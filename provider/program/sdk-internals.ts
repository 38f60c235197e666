import * as pulumi from "@pulumi/pulumi";

/**
 * Everything that is used of the SDK beyond its public types, seen in version 3.270. A test fails if one of them
 * disappears (test/program/sdk-internals.test.ts).
 */
interface ResourceInternals {
  readonly __pulumiType: string;
  readonly __parentResource?: ResourceInternals;
  readonly __aliases?: readonly pulumi.Input<string>[];
  readonly __transformations?: readonly unknown[];
  readonly __childResources?: ReadonlySet<pulumi.Resource>;
  /** Of a component: what its constructor has registered. */
  readonly __data?: Promise<object | undefined>;
}
const internalsOf = (resource: object): ResourceInternals => resource as ResourceInternals;

/** The types of the parents of a resource, and its own. */
export function typesTo(resource: pulumi.Resource | undefined): string[] {
  const types: string[] = [];
  for (let one = resource && internalsOf(resource); one; one = one.__parentResource) types.unshift(one.__pulumiType);
  return types;
}

export const aliasesOf = (resource: pulumi.Resource): readonly pulumi.Input<string>[] =>
  internalsOf(resource).__aliases ?? [];

/** Whether a transformation of the resource, which its children inherit, may change what they declare. */
export const isTransformed = (resource: pulumi.Resource): boolean =>
  (internalsOf(resource).__transformations ?? []).length > 0;

/** The resources of a component, which are all known when it has been constructed. */
export function childResources(component: pulumi.Resource): pulumi.Output<pulumi.Resource[]> {
  const { __data, __childResources } = internalsOf(component);
  return pulumi.output(__data).apply(() => [...(__childResources ?? [])]);
}

export function resourcesOf(output: pulumi.Output<unknown>): Promise<ReadonlySet<pulumi.Resource>> {
  return (output as unknown as { allResources(): Promise<ReadonlySet<pulumi.Resource>> }).allResources();
}

/** The only place that tells a secret of the configuration from a plain value. */
export const isConfigSecret = (key: string): boolean =>
  (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);

const state = require("@pulumi/pulumi/runtime/state") as {
  getLocalStore(): { readonly settings: { rpcDone: Promise<unknown> } } | undefined;
};

/**
 * Makes an inline program fail now. The SDK first tells the engine that the program is complete, and then reports its error: too late,
 * because the engine deletes what a complete program does not declare. Before that, the SDK waits for pending calls, so the error is
 * made the result of this wait.
 */
export function failInlineRun(error: unknown): void {
  const store = state.getLocalStore();
  if (!store) return;
  store.settings.rpcDone = Promise.reject(error);
  store.settings.rpcDone.catch(() => undefined);
}

/** Waits until nothing is on its way to the engine, or to the mocks. */
export const untilDrained = (): Promise<void> =>
  (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();

/** The connection to the engine, or the mocks, of one run of a program; none outside of a run. */
export const currentRun = (): object | undefined => pulumi.runtime.getMonitor();

/** What an `apply` returns to make its output unknown in a preview. */
export const unknownOutput: unknown = (pulumi as unknown as { unknown: unknown }).unknown;

export const packageOf = (provider: object): string => (provider as { getPackage(): string }).getPackage();

/**
 * The value of a property of a resource that is only read; it waits for the id, which is there after the read. At a preview, the
 * SDK marks every property that the object does not have as "not known yet", although the object was read; such a property is undefined.
 */
export const valueAfterRead = (read: pulumi.CustomResource, property: unknown): pulumi.Output<unknown> =>
  pulumi.output(read.id).apply(async () => (await knownValue(property)).value);

/** The value of an output, also of a secret one, and whether it is known; an unknown one has no value. */
export async function knownValue(output: unknown): Promise<{ readonly isKnown: boolean; readonly value: unknown }> {
  const internals = output as { readonly isKnown: Promise<boolean>; promise(): Promise<unknown> };
  const isKnown = await internals.isKnown;
  return { isKnown, value: isKnown ? await internals.promise() : undefined };
}
