import { z } from "zod";
import type { Context } from "./context";
import type { Equal, Properties } from "./declaration";

declare module "zod" {
  interface GlobalMeta {
    /** A change of the declaration replaces the resource; the output of this name tells what is live. */
    replaces?: string;
    /** Tells the provider how to act and is no property of the service: a change of it sends nothing. */
    option?: true;
  }
}

/** What is special about a resource. Live state decides: every step may run again, and sends nothing where all is equal. */
export interface Lifecycle<Inputs, Outputs, Live> {
  /** The first step of a creation, after which there is an id to keep; `sync` does the rest. */
  create(context: Context, inputs: Inputs): Promise<{ id: string; live: Live }>;
  /** What is live now, or `undefined` where it is proven gone; `recorded` stands in for what can not be read. */
  observe(context: Context, id: string, recorded: Inputs, declared: Inputs): Promise<Live | undefined>;
  /** Brings what is live to what is declared; yields what is live after each step that was carried out. */
  sync(context: Context, id: string, live: Live, inputs: Inputs): AsyncIterable<Live>;
  /** The live values of input properties; a property that is left out has no live value and stays as declared. */
  values(live: Live): { [Name in keyof Inputs]?: Inputs[Name] | undefined };
  /** Everything else that is worth knowing, under names of its own. */
  outputs(live: Live): Outputs;
  /** Deletes it; succeeds when it is gone. */
  remove(context: Context, id: string): Promise<void>;
}

export interface Definition<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live> {
  readonly name: string;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  /** Replacing loses what the API can not restore: refused with this reason, unless `allowReplace` is declared. */
  readonly replaceLoses?: string;
  /** Where old and new can not be there at once, for example because a name is unique. */
  readonly deleteBeforeReplace?: (declared: Properties) => boolean;
  readonly equal?: Readonly<Record<string, Equal>>;
  readonly lifecycle: Lifecycle<z.output<Inputs>, z.output<Outputs>, Live>;
}

// Definitions of all kinds stand side by side in the registry; what they are made of fits by construction.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyDefinition = Definition<z.ZodObject, z.ZodObject, any>;

export function defineResource<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live>(
  definition: Definition<Inputs, Outputs, Live>,
): Definition<Inputs, Outputs, Live> {
  return definition;
}

/** What is said of an input property beside its type. */
export function metaOf({ inputs }: AnyDefinition, name: string): z.core.GlobalMeta | undefined {
  const property = inputs.shape[name] as z.ZodType | undefined;
  return property instanceof z.ZodOptional ? (property.unwrap() as z.ZodType).meta() : property?.meta();
}
