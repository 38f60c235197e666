import * as pulumi from "@pulumi/pulumi";

/** What is used of the SDK's outputs beyond their public type, seen in version 3.270. */
interface OutputInternals {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<unknown>;
}

/**
 * The value of a property of a resource that is only read. At a preview, the SDK marks every property that the object does not
 * have as "not known yet", although the object was read; such a property is undefined.
 */
export function valueAfterRead(read: pulumi.CustomResource, property: unknown): pulumi.Output<unknown> {
  const { isKnown } = property as OutputInternals;
  const value = async () => ((await isKnown) ? (property as OutputInternals).promise() : undefined);
  return pulumi.output(read.id).apply(value);
}

/** The value of an output, also of a secret one, and whether it is known; an unknown one has no value. */
export async function knownValue(output: unknown): Promise<{ readonly isKnown: boolean; readonly value: unknown }> {
  const internals = output as OutputInternals;
  const isKnown = await internals.isKnown;
  return { isKnown, value: isKnown ? await internals.promise() : undefined };
}
