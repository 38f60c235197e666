import type * as pulumi from "@pulumi/pulumi";

/** What the SDK has beyond the public type of an output. */
interface Internals {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(): Promise<unknown>;
}
const internalsOf = (output: pulumi.Output<unknown>) => output as unknown as Internals;

export const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> => internalsOf(output).isKnown;
export const resolved = (output: pulumi.Output<unknown>): Promise<unknown> => internalsOf(output).promise();

export async function outputState(output: pulumi.Output<unknown>) {
  const { isKnown, isSecret } = internalsOf(output);
  return { value: await resolved(output), isKnown: await isKnown, isSecret: await isSecret };
}
