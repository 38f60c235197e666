import * as pulumi from "@pulumi/pulumi";
import { valueAfterRead } from "../../program/sdk-internals";
import { keepSourceFrames } from "../../program/source-frames";
import type { Arguments, ResourceOf } from "../../program/types";
import { packageVersion } from "../../run/package";
import { typeIn } from "../../run/urn";

export interface PluginResourceClass<Inputs, Outputs> {
  new (name: string, args: Arguments<Inputs>, options?: pulumi.CustomResourceOptions): ResourceOf<Inputs, Outputs>;

  /**
   * Reads an existing object that this program does not manage.
   *
   * @param state Inputs that the id does not say, such as the people in `MemberRoles`, or the organization if it is not the
   * provider's.
   */
  get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<Arguments<Inputs>>,
    options?: pulumi.CustomResourceOptions,
  ): ResourceOf<Inputs, Outputs>;
}

/** The names of a resource's properties. The schemas stay in the plugin, so that a program starts without them. */
interface Named {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/**
 * Makes the class of a resource for programs that use the provider plugin, with typed arguments and outputs.
 * @internal
 */
export function pluginResourceClass<Inputs, Outputs>({
  name: kind,
  inputs,
  outputs,
}: Named): PluginResourceClass<Inputs, Outputs> {
  return class extends pulumi.CustomResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, state?: object, options?: pulumi.CustomResourceOptions) {
      return new this(name, state ?? {}, pulumi.mergeOptions(options, { id }));
    }

    constructor(name: string, args: object, options: pulumi.CustomResourceOptions = {}) {
      const isRead = options.id !== undefined;
      const declared = definedIn(args);
      // The state has the organization also if the program does not declare it.
      const later = undefinedFor(isRead ? [...inputs, ...outputs] : ["organizationId", ...outputs]);
      const restore = keepSourceFrames(__filename);
      try {
        super(typeIn("plugin", kind), name, { ...later, ...declared }, ownOptions(kind, options));
      } finally {
        restore();
      }
      if (isRead) {
        for (const name of Object.keys(later)) Reflect.set(this, name, valueAfterRead(this, Reflect.get(this, name)));
        return;
      }
      // The SDK would treat the output of an undeclared property as "not known yet" at every preview.
      const absent = pulumi.output(undefined);
      for (const input of inputs) if (!(input in this)) Reflect.set(this, input, absent);
    }
  } as unknown as PluginResourceClass<Inputs, Outputs>;
}

const definedIn = (args: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => value !== undefined));

const undefinedFor = (names: readonly string[]): Record<string, undefined> =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** The version tells the engine which plugin to load. The alias lets a stack of the dynamic host move without a change. */
function ownOptions(kind: string, options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const aliases = [{ type: typeIn("dynamic", kind) }];
  return pulumi.mergeOptions(pulumi.mergeOptions({ version: packageVersion }, options), { aliases });
}
