import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Definition } from "./resource";
import { providerKey, stubOf, typeOf } from "./stub";

/** A value of a program: plain, or known later, at every depth. */
export type Nested<T> = [T] extends [string | number | boolean | null | undefined]
  ? pulumi.Input<T>
  : T extends readonly (infer Item)[]
    ? pulumi.Input<Nested<Item>[]>
    : pulumi.Input<{ [Name in keyof T]: Nested<T[Name]> }>;

export type Arguments<Inputs> = { [Name in keyof Inputs]: Nested<Inputs[Name]> };

type Attributes<Inputs, Outputs> = {
  readonly [Name in keyof Inputs]: pulumi.Output<Inputs[Name]>;
} & { readonly [Name in keyof Outputs]: pulumi.Output<Outputs[Name]> };

export type ResourceClass<Inputs, Outputs> = new (
  name: string,
  args: Arguments<Inputs>,
  options?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource & Required<Attributes<Inputs, Outputs>>;

/** The class that a program uses: typed arguments, typed outputs, and the stub's text for the engine. */
export function resourceClass<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live>(
  definition: Definition<Inputs, Outputs, Live>,
): ResourceClass<z.output<Inputs>, z.output<Outputs>> {
  const names = [...Object.keys(definition.inputs.shape), ...Object.keys(definition.outputs.shape)];
  const later = Object.fromEntries(names.map((name) => [name, undefined]));
  const type = typeOf(definition.name);
  const text = stubOf(definition.name);
  return class extends pulumi.CustomResource {
    constructor(name: string, args: Arguments<z.output<Inputs>>, options?: pulumi.CustomResourceOptions) {
      refusePlainToken();
      super(type, name, { ...later, ...args, [providerKey]: text }, options);
    }
  } as unknown as ResourceClass<z.output<Inputs>, z.output<Outputs>>;
}

/** A token that was set without `--secret` lies in plain text in the stack's file and in its state. */
function refusePlainToken(): void {
  const secret: string[] = JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS || "[]");
  const config: Record<string, string> = JSON.parse(process.env.PULUMI_CONFIG || "{}");
  for (const key of ["docs:token", "docs:tokens"]) {
    if (config[key] === undefined || secret.includes(key)) continue;
    const command = key === "docs:token" ? `${key} ...` : `--path '${key}["org_id"]' ...`;
    throw new pulumi.RunError(
      `the configuration ${key} is stored in plain text; replace the token, since it may have been seen, with: ` +
        `pulumi config set --secret ${command}`,
    );
  }
}
