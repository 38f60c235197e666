import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { nearest } from "./api/mistakes";
import type { Properties } from "./declaration";
import { registerClaims } from "./registry";
import { warnIfRenamed } from "./rename-warning";
import type { AnyDefinition } from "./resource";
import { keepSourceFrames } from "./source-frames";
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

/** A schema of these properties: an editor shows their interface (see `resources/arguments.ts`), with its descriptions. */
type SchemaOf<Properties> = z.ZodObject & { readonly _zod: { readonly output: Properties } };

/** What the types of a class follow from. */
interface Described<Inputs, Outputs> {
  readonly inputs: SchemaOf<Inputs>;
  readonly outputs: SchemaOf<Outputs>;
}

/**
 * The class that a program uses: typed arguments, typed outputs, and the stub's text for the engine.
 * @internal
 */
export function resourceClass<Inputs, Outputs>(described: Described<Inputs, Outputs>): ResourceClass<Inputs, Outputs> {
  const definition = described as AnyDefinition;
  const later = Object.fromEntries(Object.keys(definition.outputs.shape).map((name) => [name, undefined]));
  const type = typeOf(definition.name);
  const text = stubOf(definition.name);
  return class extends pulumi.CustomResource {
    constructor(name: string, args: Arguments<Inputs>, options?: pulumi.CustomResourceOptions) {
      refuseImport(definition.name, options);
      refuseConfiguration();
      const holder = { resource: {}, name: `${definition.name} "${name}"` };
      // Before the engine hears of it, wherever all values are known by now.
      if (isPlain(args)) registerClaims(definition, holder, args);
      else pulumi.output(args).apply((known) => registerClaims(definition, holder, known as Properties));
      const restore = keepSourceFrames(__filename);
      try {
        super(type, name, { ...later, organizationId: undefined, ...args, [providerKey]: text }, options);
      } finally {
        restore();
      }
      // What is not declared is not in the outputs either, which the SDK would take for "not known yet" at every preview.
      const absent = Object.keys(definition.inputs.shape).filter((input) => !(input in this));
      for (const input of absent) Reflect.set(this, input, notThere());
      warnIfRenamed(definition, this, args);
      const { warnings } = definition;
      // What is wrong altogether is a failure of check, and no warning.
      const told = (known: unknown) => {
        const { success, data } = definition.inputs.safeParse(known);
        if (success) tell(this, warnings?.(data) ?? []);
      };
      if (warnings) pulumi.output(args).apply(told);
    }
  } as unknown as ResourceClass<Inputs, Outputs>;
}

/** One for all: an output is several promises, and large classes have many properties that most programs leave out. */
const notThere = (): pulumi.Output<undefined> => (absentOutput ??= pulumi.output(undefined));
let absentOutput: pulumi.Output<undefined> | undefined;

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return !pulumi.Output.isInstance(value) && !isPromise(value) && Object.values(value).every(isPlain);
}

const isPromise = (value: object): boolean => "then" in value && typeof value.then === "function";

function tell(resource: pulumi.Resource, texts: readonly string[]): void {
  for (const text of texts) void pulumi.log.warn(text, resource);
}

/** Not among the SDK's public types, and the only place that tells a secret from a plain value. */
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(key: string): boolean };

/** The engine asks a dynamic provider to import before it has told it which one it is: what follows is a stack trace. */
function refuseImport(resource: string, options: pulumi.CustomResourceOptions | undefined): void {
  if (options?.import === undefined) return;
  throw new pulumi.RunError(
    `${resource} "${options.import}": the engine can not import a dynamic resource with the option import; use ` +
      "pulumi import --file (see Taking over what exists in the README)",
  );
}

const known = ["docs:baseUrl", "docs:organizationId", "docs:token", "docs:tokens"];

/** Refuses configuration that would be ignored, or that should not be readable. */
export function refuseConfiguration(): void {
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    if (!key.startsWith("docs:")) continue;
    if (!known.includes(key)) throw unknownKey(key);
    if (key.startsWith("docs:token") && !isConfigSecret(key)) throw plainToken(key);
  }
}

function unknownKey(key: string): pulumi.RunError {
  const guess = nearest(key, known);
  return new pulumi.RunError(
    `there is no configuration ${key}; ${guess ? `did you mean ${guess}?` : `known are ${known.join(", ")}.`} ` +
      `Remove it with: pulumi config rm ${key}`,
  );
}

/** A token that was set without `--secret` lies in plain text in the stack's file and in its state. */
function plainToken(key: string): pulumi.RunError {
  const command = key === "docs:token" ? `${key} ...` : `--path '${key}["org_id"]' ...`;
  return new pulumi.RunError(
    `the configuration ${key} is stored in plain text; replace the token, since it may have been seen, with: ` +
      `pulumi config set --secret ${command}`,
  );
}
