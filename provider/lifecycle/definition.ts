import { z } from "zod";
import type { PeopleArea, Subject } from "../access/subject";
import type { Context } from "../run/context";
import type { Equal, Properties } from "../run/properties";
import type { AuditPart, ReviewPart } from "./review";

declare module "zod" {
  interface GlobalMeta {
    /** A change of the declaration replaces the resource; the output of this name tells what is live. */
    replaces?: string;
    /** Tells the provider how to act and is no property of the service: a change of it sends nothing. */
    option?: true;
    /** Says which people the resource manages: no property of the service, and a change of it sends what those people need. */
    selection?: true;
    /** For the reference: when the service does not return the property, and what that means for drift. */
    unread?: string;
  }
}

/** What is special about a resource. Live state decides: every step may run again, and sends nothing where all is equal. */
export interface Lifecycle<Inputs, Outputs, Live> {
  /** The first step of a creation, after which there is an id to keep; `sync` does the rest. */
  create(context: Context, inputs: Inputs): Promise<{ id: string; live: Live }>;
  /** What is live now, or `undefined` where it is proven gone; `recorded` stands in for what can not be read. */
  observe(
    context: Context,
    id: string,
    recorded: Recorded<Inputs, Outputs>,
    declared: Inputs,
  ): Promise<Live | undefined>;
  /** Brings what is live to what is declared; yields what is live after each step that was carried out. */
  sync(context: Context, id: string, live: Live, inputs: Inputs): AsyncIterable<Live>;
  /**
   * The live values of input properties. `undefined` says that there is none; a property that is left out can not be read
   * and stays as declared.
   */
  values(live: Live, declared: Inputs): { [Name in keyof Inputs]?: Inputs[Name] | undefined };
  /** Everything else that is worth knowing, under names of its own. */
  outputs(live: Live): Outputs;
  /** Deletes it; succeeds when it is gone. */
  remove(context: Context, id: string, recorded: Recorded<Inputs, Outputs>): Promise<void>;
}

/** What the state holds. Outputs may be missing in the state of a creation that failed, or of an older version. */
export type Recorded<Inputs, Outputs> = Inputs & Partial<Outputs>;

export interface Definition<Inputs extends z.ZodObject, Outputs extends z.ZodObject, Live> {
  readonly name: string;
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  /** Replacing loses what the API can not restore: refused with this reason, unless `allowReplace` is declared. */
  readonly replaceLoses?: string;
  /** What a deletion loses, for a resource with content. */
  readonly deletionLoses?: string;
  /** What tells that two resources are the same thing under two names, each in words: `title "Handbook"`. */
  readonly identities?: (properties: Properties) => string[];
  /** Where old and new can not be there at once, for example because a name is unique. */
  readonly deleteBeforeReplace?: (declared: Properties) => boolean;
  readonly equal?: Readonly<Record<string, Equal>>;
  /** What a user should know although it is no mistake; told by the class, since a handler can only fail. */
  readonly warnings?: (declared: z.output<Inputs>) => string[];
  /** What the engine shows too poorly of a change, in words: from what the state has to what is declared. */
  readonly changeNotes?: (
    recorded: Recorded<z.output<Inputs>, z.output<Outputs>>,
    declared: z.output<Inputs>,
  ) => string[];
  /** What it manages, as declared or as recorded: no other resource of the run takes that away. */
  readonly subjects?: (properties: Recorded<z.output<Inputs>, z.output<Outputs>>) => readonly Subject[];
  /** The area of which it manages every subject, so that no other resource may manage one. */
  readonly wholeArea?: (declared: z.output<Inputs>) => PeopleArea;
  /** Where the state says less than it should about what is declared now, although no property differs. */
  readonly outdated?: (recorded: Recorded<z.output<Inputs>, z.output<Outputs>>, declared: z.output<Inputs>) => boolean;
  /** Why an update is refused at preview already, as far as state and declaration show it. */
  readonly refuses?: (
    recorded: Recorded<z.output<Inputs>, z.output<Outputs>>,
    declared: z.output<Inputs>,
  ) => string | undefined;
  /** Creating it again makes the same thing, so an update of what is gone does just that. */
  readonly repeatable?: true;
  /** What a program would declare of something that exists, where it is not each live value (see import-file.ts). */
  readonly importable?: (live: Live) => Properties;
  /** The function of programs that reads it, if there is one. */
  readonly lookup?: string;
  /** Outputs for unit tests of programs, if they are to say more than that nothing is there. */
  readonly mocked?: (id: string, declared: Properties) => Properties;
  /** How a review of a preview tells of it. */
  readonly review?: ReviewPart;
  /** How an audit counts what it declares. */
  readonly audit?: AuditPart;
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
