import { z } from "zod";
import type { Collection } from "../run/collection";
import type { Context } from "../run/context";
import type { Equal, Properties } from "../run/properties";
import type { Run } from "../run/run";
import type { ReviewPart } from "./review";

declare module "zod" {
  interface GlobalMeta {
    /** A change of the declaration replaces the resource, unless the new value is the live one, which the output of this name has. */
    replacesUnlessLive?: string;
    /** An option of the provider, not a property of the service: a change of it sends nothing. */
    option?: true;
    /** Selects the people that the resource manages. It is not a property of the service; a change of it sends what those people need. */
    selection?: true;
    /** Another spelling of null, which `check` returns: the engine shows a property that becomes null as if it left the program. */
    none?: string;
    /** For the reference: when the service does not return the property, and what that means for drift. */
    unread?: string;
  }
}

export interface Created {
  readonly id: string;
  readonly createdAt: string;
}

/** How a live object is recognized that a creation would make a second time, at whatever age. */
export interface Recognition<Thing extends Created, Inputs> {
  /** Names the object in messages: `a site "Handbook"`. */
  readonly what: (declared: Inputs) => string;
  readonly collection: (context: Context) => Pick<Collection<Thing>, "all" | "reread" | "write">;
  /** By which properties a live object is the declared one, the surest first. An omitted property recognizes nothing. */
  readonly sameBy: Readonly<Record<string, (thing: Thing, declared: Inputs) => boolean>>;
}

/** What is specific to one resource. Every step starts from the live state, so it may run again, and sends nothing without a difference. */
export interface Lifecycle<Inputs, Outputs, Live> {
  /** Runs the first step of a creation, which returns the id; `sync` does the rest. */
  create(context: Context, inputs: Inputs): Promise<{ id: string; live: Live }>;
  /** Reads the live state; `undefined` if it is proven gone. `recorded` supplies what cannot be read. */
  observe(
    context: Context,
    id: string,
    recorded: RecordedProperties<Inputs, Outputs>,
    declared: Inputs,
  ): Promise<Live | undefined>;
  /** Changes the live state to the declared one; yields the live state after each completed step. */
  sync(context: Context, id: string, live: Live, inputs: Inputs): AsyncIterable<Live>;
  /**
   * The live values of input properties. `undefined` means that the service has no value; an omitted property cannot be read
   * and stays as declared.
   */
  values(live: Live, declared: Inputs): { [Name in keyof Inputs]?: Inputs[Name] | undefined };
  /** The other live values, which are outputs only. */
  outputs(live: Live): Outputs;
  /** Deletes the object; succeeds if it is already gone. */
  remove(context: Context, id: string, recorded: RecordedProperties<Inputs, Outputs>): Promise<void>;
}

/** The recorded properties. Outputs may be missing in the state of a creation that failed, or of an older version. */
export type RecordedProperties<Inputs, Outputs> = Inputs & Partial<Outputs>;

type RecordedOf<Inputs extends z.ZodObject, Outputs extends z.ZodObject> = RecordedProperties<
  z.output<Inputs>,
  z.output<Outputs>
>;

export interface Definition<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live> {
  readonly name: string;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  /** What a replacement loses, if the API cannot restore it: a replacement is refused with this reason, unless `allowReplace` is declared. */
  readonly replaceLoses?: string;
  /** What a deletion loses, for a resource with content. */
  readonly deletionLoses?: string;
  /** Texts such as `title "Handbook"`. Two resources that share one are probably one object that was renamed in the program. */
  readonly identities?: (properties: Properties) => string[];
  // biome-ignore lint/suspicious/noExplicitAny: objects of a definition have one type, which only it knows
  readonly recognition?: Recognition<any, z.output<Inputs>>;
  /** Whether the old and the new object cannot exist at the same time, for example because a name is unique. */
  readonly deleteBeforeReplace?: (declared: Properties) => boolean;
  readonly equal?: Readonly<Record<string, Equal>>;
  /** By output, the inputs whose change can change it. Any update may change an output that is not listed here. */
  readonly changesWith?: { readonly [Name in keyof z.output<Outputs>]?: readonly (keyof z.output<Inputs>)[] };
  /** Warnings about valid declarations. The resource class shows them, because a handler can only fail. */
  readonly warnings?: (declared: z.output<Inputs>) => string[];
  /** Describes changes that the engine's diff does not show well enough. */
  readonly changeNotes?: (recorded: RecordedOf<Inputs, Outputs>, declared: z.output<Inputs>) => string[];
  /** The part of a site that the resource manages. No other resource may manage the same part. */
  readonly sitePart?: string;
  /** The resource manages everybody in a team. No other resource may manage people in the same team. */
  readonly wholeTeam?: true;
  /** Whether an update is necessary although no property differs, because the state lacks something that is declared. */
  readonly outdated?: (recorded: RecordedOf<Inputs, Outputs>, declared: z.output<Inputs>) => boolean;
  /** The recorded state without what other resources of the run manage, as far as the run knows them. */
  readonly ownState?: (run: Run, state: Properties) => Properties;
  /**
   * Runs at the preview of a creation or update, and already refuses and tells what their first reads would. Not every host calls
   * it. `recorded` is `undefined` before a creation.
   */
  readonly atPreview?: (
    context: Context,
    declared: z.output<Inputs>,
    recorded: RecordedOf<Inputs, Outputs> | undefined,
  ) => Promise<unknown>;
  /** A second creation has the same result as the first one, so an update may create an object that is gone. */
  readonly canSendAgain?: true;
  /** Reads an object with everything that a program can declare, if `observe` reads only what is declared. */
  readonly readImportable?: (
    context: Context,
    id: string,
    leaveOut: (what: string) => void,
  ) => Promise<Live | undefined>;
  /** What a program declares to import a live object, where that is not its `values`. An export declares the same. */
  readonly importable?: (live: Live) => Properties;
  /** Outputs for unit tests of programs, if empty defaults are not enough. */
  readonly mocked?: (id: string, declared: Properties) => Properties;
  readonly review?: ReviewPart;
  /** Its kind of objects in an audit. A resource without it is counted by its people (`review.access`), or not at all. */
  readonly audited?: string;
  readonly lifecycle: Lifecycle<z.output<Inputs>, z.output<Outputs>, Live>;
}

// The registry has definitions of all types; `defineResource` has checked that the parts of each one fit together.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyDefinition = Definition<z.ZodObject, z.ZodObject, any>;

export function defineResource<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live>(
  definition: Definition<Inputs, Outputs, Live>,
): Definition<Inputs, Outputs, Live> {
  return definition;
}

/** Warnings about a declaration. Invalid values have none, because `check` reports them. */
export function warningsOf({ inputs, warnings }: AnyDefinition, declared: unknown): string[] {
  const { success, data } = inputs.safeParse(declared);
  return success ? (warnings?.(data) ?? []) : [];
}

/** The output that repeats the id of a resource, such as `siteId`. A resource without an object of its own has no such output. */
export const idOutput = (name: string): string => `${name[0]?.toLowerCase()}${name.slice(1)}Id`;

/** Replaces each null in a declaration by its other spelling (`none`), also in maps. */
export function replaceNulls(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return replaceNulls(schema.unwrap(), value);
  if (value === null) return (schema as z.ZodType | undefined)?.meta()?.none ?? null;
  if (typeof value !== "object" || !(schema instanceof z.ZodObject || schema instanceof z.ZodRecord)) return value;
  const schemaOf = (name: string) => (schema instanceof z.ZodObject ? schema.shape[name] : schema.valueType);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceNulls(schemaOf(name), inner)]));
}

export function metaOf({ inputs }: AnyDefinition, name: string): z.core.GlobalMeta | undefined {
  const property = inputs.shape[name] as z.ZodType | undefined;
  return property instanceof z.ZodOptional ? (property.unwrap() as z.ZodType).meta() : property?.meta();
}
