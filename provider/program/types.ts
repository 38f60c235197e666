import type * as pulumi from "@pulumi/pulumi";

/** A value in a program, which may contain outputs and promises at every depth. The brackets keep unions of texts together. */
export type Nested<T> = [T] extends [string | number | boolean | null | undefined]
  ? pulumi.Input<T>
  : T extends readonly (infer Item)[]
    ? pulumi.Input<Nested<Item>[]>
    : pulumi.Input<{ [Name in keyof T]: Nested<T[Name]> }>;

export type Arguments<Inputs> = { [Name in keyof Inputs]: Nested<Inputs[Name]> };

type Attributes<Inputs, Outputs> = {
  readonly [Name in keyof Inputs]: pulumi.Output<Inputs[Name]>;
} & { readonly [Name in keyof Outputs]: pulumi.Output<Outputs[Name]> };

/** A resource in a program: it has an output for each input and for each output. */
export type ResourceOf<Inputs, Outputs> = pulumi.CustomResource & Required<Attributes<Inputs, Outputs>>;
