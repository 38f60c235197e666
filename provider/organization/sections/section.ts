import type { z } from "zod";
import type { LivePeople, ReadOptions } from "../../access/discovery";
import type { Teammate } from "../../access/teammate";
import type { Severity } from "../../lifecycle/review";
import type { ResourceName } from "../../resources/names";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import type { SafeText } from "../../text/safe-text";
import type { Drafting } from "../drafts/drafting";
import type { OrganizationFile } from "../file/types";
import type { RecordedChild } from "../live/recorded";
import type { Fields, FileMistake } from "./checks";

/**
 * Everything about one section of organization.yaml. `Live` is the live data, `Details` the additional data that only the
 * export reads, and `Unmanaged` an object that no stack manages, as the audit prints it.
 */
export interface Section<Live = unknown, Details = unknown, Unmanaged = unknown> {
  /** The keys of the section at the top level of the file, in order. One is the name of the section. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** Maps in an entry that a file may `!include`. The whole section can always be included. */
  readonly includable?: readonly string[];
  findMistakes?(file: Fields): FileMistake[];
  /** Finds missing declarations. Skipped if a part of the file could not be read. */
  findMissing?(file: Fields): FileMistake[];
  /** The resources that the section declares at the given time, in the order of their registration. */
  declareChildren(organization: OrganizationFile, now: Date): SectionChild[];
  readonly live: LiveReading<Live, Details>;
  readonly writing: Writing<Live, Details>;
  readonly audit: Audited<Live, Unmanaged>;
}

/** The classes of children. A file declares all roles with one `MemberRoles`, never with a `MemberRole`. */
export type ChildName = Exclude<ResourceName, "MemberRole">;

export interface SectionChild {
  readonly resource: ChildName;
  /** The key in the file. The URN ends with it, so it must never change. */
  readonly key: string;
  /** Without the id of the organization. */
  readonly inputs: Properties;
  /** The id of the live object, if the file has it. */
  readonly id?: string | undefined;
  /** Whether the engine refuses to delete the resource; if omitted, the parent decides. */
  readonly protect?: boolean | undefined;
  /** Key of the site in the file whose id becomes the input `siteId`. */
  readonly site?: string;
}

/** The declared and the recorded organization, which decide what the guards must read. */
export interface Guarded {
  readonly organization: OrganizationFile;
  readonly recorded: readonly RecordedChild[];
}

export interface LiveReading<Live, Details> {
  /** Lists all objects. A section has either this or `readAfter`. */
  list?(context: Context): Promise<Live>;
  /** Reads objects that cannot be listed, starting from the lists of other sections. */
  readAfter?(context: Context, lists: Omit<LivePeople, "teams">, options: ReadOptions): Promise<Live>;
  readGuarded?(context: Context, change: Guarded): Promise<Live>;
  readDetails?(context: Context, live: LivePeople & { readonly own: Live }, options: ReadOptions): Promise<Details>;
}

export interface Writing<Live, Details> {
  /** The titles that names in the file are made from; omitted if the keys are ids. */
  nameObjects?(live: Live, details: Details): { readonly kind: string; readonly things: readonly NamedObject[] };
  /** The entries of the section. Leaves out and notes what a file cannot declare. */
  draft(drafting: Drafting<Live, Details>): Properties;
  /** The id for an import; if omitted, the id at the service. */
  makeImportId?(inputs: Properties): string;
}

/** An object that gets a name in the file. The name is a part of the URN, so it must be readable and the same in every export. */
export interface NamedObject {
  readonly id: string;
  readonly title: string;
}

/** What a resource manages, as the states of stacks record it. */
export interface AuditedSubject {
  readonly kind: string;
  readonly id: string;
  readonly team?: string;
}

export interface Audited<Live, Unmanaged> {
  readonly kind: string;
  /** The noun for one object, and for several. */
  readonly one: string;
  readonly many: string;
  /** For each kind of subject: the words before its name (`prefix`), and the words for a subject that is not live (`absence`). */
  readonly subjects: Readonly<Record<string, { readonly prefix: string; readonly absence: string }>>;
  /** The objects that should be managed. */
  listObjects(live: Live): AuditedObject<Unmanaged>[];
  /** Further live subjects that a stack can manage. */
  listOthers?(live: Live): AuditedSubject[];
  order(a: Unmanaged, b: Unmanaged): number;
  /** Text that the verdict adds to the number of unmanaged objects. */
  noteUnmanaged?(unmanaged: readonly Unmanaged[]): string;
  readonly symbol: string;
  severityOf?(unmanaged: Unmanaged): Severity | undefined;
  /** Lists of their own for the objects with a severity and for the others, so that the others never hide them. */
  readonly lists?: { readonly severe: UnmanagedList; readonly others: UnmanagedList };
  describe(unmanaged: Unmanaged): SafeText;
}

export interface UnmanagedList {
  /** The anchor in the page, which stays the same in later versions. */
  readonly id: string;
  /** The noun for its objects, also in its title. */
  readonly many: string;
}

export interface AuditedObject<Unmanaged> {
  readonly subject: AuditedSubject;
  /** The part of the object that the audit prints if no stack manages it. */
  readonly shown: Unmanaged;
  /** The person in a team, who may be one that the team ignores. An ignored person does not count as unmanaged. */
  readonly person?: Teammate;
}
