import type { z } from "zod";
import type { Teammate } from "../../access/team";
import type { Severity } from "../../lifecycle/review";
import type { ResourceName } from "../../resources/names";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import type { Words } from "../../text/words";
import type { Drafting, Notes } from "../drafts/drafting";
import type { OrganizationFile } from "../file/types";
import type { LivePeople, ReadOptions } from "../live/discovery";
import type { RecordedChild } from "../projection/recorded";
import type { Fields, Finding } from "./checks";

/**
 * Everything about one section of organization.yaml. `Live` is what the service has of it, `Details` what only the export
 * reads, and `Unmanaged` an object that no stack manages, as the audit prints it.
 */
export interface Section<Live = unknown, Details = unknown, Unmanaged = unknown> {
  /** Its keys of the file, in their order; one has the name of the section. */
  readonly shape: Readonly<Record<string, z.ZodType>>;
  /** Maps in an entry that a file may `!include`; the whole section may always be included. */
  readonly includable?: readonly string[];
  /** An input of its entries whose text may stand in a file of its own. */
  readonly textFile?: TextFile;
  /** What is wrong with the section beside what its schema finds. */
  findMistakes(file: Fields): Finding[];
  /** What the section lacks; not asked if a part of the file could not be read. */
  findMissing?(file: Fields): Finding[];
  /** The resources that it stands for at that time, in the order in which they are registered. */
  declareChildren(organization: OrganizationFile, now: Date): SectionChild[];
  /** Outputs of the component. */
  readonly outputs?: Outputs;
  readonly live: LiveReading<Live, Details>;
  readonly writing: Writing<Live, Details>;
  readonly audit: Audited<Live, Unmanaged>;
}

export interface TextFile {
  readonly input: string;
  /** The property that names the file. */
  readonly property: string;
  readonly schema: z.ZodType;
}

/** The roles of a file are one resource, which names everybody. */
export type ChildName = Exclude<ResourceName, "MemberRole">;

/** A resource of a section: what a program would declare by hand. */
export interface SectionChild {
  readonly resource: ChildName;
  /** The key in the file; with the type and the name of the organization it is the end of the URN, which never changes. */
  readonly key: string;
  /** Without the id of the organization. */
  readonly inputs: Properties;
  /** Whether the engine refuses to delete it; left out, it is as its parent. */
  readonly protect?: boolean | undefined;
  /** Key of the site in the file whose id becomes the input `siteId`. */
  readonly site?: string;
}

/** What the component tells of the resources of one class, by the keys in the file. */
export interface Outputs {
  readonly resource: ChildName;
  /** By the name of the component's output, the path of the resource's output. */
  readonly values: Readonly<Record<string, readonly [string, ...string[]]>>;
}

/** What the guards read depends on what the file declares, and on what the stack has managed so far. */
export interface Guarded {
  readonly organization: OrganizationFile;
  readonly recorded: readonly RecordedChild[];
  readonly now: Date;
}

/** Reads what is live, and changes nothing. */
export interface LiveReading<Live, Details> {
  /** All of it in one list, or `readAfter`. */
  list?(context: Context): Promise<Live>;
  /** What cannot be listed, from what the lists of the other sections say. */
  readAfter?(context: Context, lists: Omit<LivePeople, "teams">, options: ReadOptions): Promise<Live>;
  /** As much of it as the guards need. */
  readGuarded?(context: Context, change: Guarded): Promise<Live>;
  /** What only the export needs. */
  readDetails?(context: Context, live: LivePeople & { readonly own: Live }, options: ReadOptions): Promise<Details>;
}

/** Writes what is live to a file. */
export interface Writing<Live, Details> {
  /** What its names in the file are made of; left out if its keys are ids. */
  nameObjects?(live: Live, details: Details): { readonly kind: string; readonly things: readonly Named[] };
  /** The entries of the section in the file; what cannot be declared is left out and noted. */
  draft(drafting: Drafting<Live, Details>): Properties;
  /** What the file does not show, noted after all sections. */
  noteUnseen?(live: Live): Notes;
  /** The id that an import needs; left out, it is the one at the service. */
  makeImportId?(inputs: Properties): string;
  /** Maps that are written in one line if they are short. */
  readonly inline?: readonly string[];
  /** Whether the section, and one map in each of its entries, is written in parts if the file is too large. */
  readonly parts?: { readonly inside?: string };
  /** What a program says above a resource. */
  commentOn?(child: SectionChild, organization: OrganizationFile): string | undefined;
}

/** Something that gets a name in the file, which is a part of the URN: it has to be readable, and the same in every export. */
export interface Named {
  readonly id: string;
  /** What people know it by. */
  readonly title: string;
}

/** What a resource manages, as the states of stacks have it. */
export interface Subject {
  readonly kind: string;
  readonly id: string;
  readonly team?: string;
}

/** What the states of all stacks declare. */
export interface ManagedSubjects {
  has(subject: Subject): boolean;
  /** Whether a resource that manages the whole team ignores the person. */
  ignores(teamId: string, person: Teammate): boolean;
}

/** Compares what is live with what stacks manage. */
export interface Audited<Live, Unmanaged> {
  /** Its name in the audit. */
  readonly kind: string;
  /** What one object of it is, and what several are. */
  readonly one: string;
  readonly many: string;
  /** By the kind of what a stack manages: the words before its name, and what is said if it is not live. */
  readonly subjects: Readonly<Record<string, { readonly prefix: string; readonly absence: string }>>;
  /** Everything that a stack can manage of what is live. */
  listSubjects(live: Live): Subject[];
  /** How many objects there are to manage. */
  count(live: Live): number;
  /** Objects that no stack manages, the most important first. */
  findUnmanaged(live: Live, managed: ManagedSubjects): Unmanaged[];
  /** How many objects are not counted as unmanaged, since a stack ignores them. */
  countIgnored?(live: Live, managed: ManagedSubjects): number;
  /** What the verdict adds to the count of unmanaged objects. */
  noteUnmanaged?(unmanaged: readonly Unmanaged[]): string;
  /** How the report lists the unmanaged objects. */
  readonly lists: readonly UnmanagedList<Unmanaged>[];
}

/** A part of the audit's report. */
export interface UnmanagedList<Unmanaged> {
  /** An anchor in the page, which stays the same in later versions. */
  readonly id: string;
  readonly symbol: string;
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly severity?: Severity;
  /** Left out, it lists all of them. */
  includes?(unmanaged: Unmanaged): boolean;
  describe(unmanaged: Unmanaged): Words;
}
