import { isDeepStrictEqual } from "node:util";
import type { Context } from "../run/context";
import { perRun, type Run } from "../run/run";
import { membersOf } from "./members";
import { type Area, keyOfArea, keyOfSubject, nameOfSubject, type PeopleArea, type Subject } from "./subject";

/** The resource that manages a subject, as far as the run knows it. */
export interface Manager {
  /** Where it is in the program; two resources in one place are the same one. */
  readonly place: string;
  /** In a message: `TeamMembership "ada"`. */
  readonly name: string;
}

/** A handler sees what resources declare and record, and not their names. */
const unnamed: Manager = { place: "", name: "another resource of this run" };

/** A resource with the subjects that the state has for it. */
export interface RecordedResource {
  readonly organizationId: string;
  /** Its kind and its id, which another one may have as well: a membership keeps the id of the first person it was about. */
  readonly resource: string;
  readonly subjects: readonly Subject[];
}

interface Entry {
  readonly resource: string;
  /** In order, since states are stored in an order of their own. */
  readonly keys: readonly string[];
}

/**
 * Which resource of a run manages what. A subject is declared (by the program), recorded (in the state, as the run has read
 * it), or both. Nothing of the same run takes away what another resource manages: so a resource that is renamed, moved or
 * merged into another one changes nothing for the people in it.
 *
 * A run knows only what it has read: nothing without a refresh, beside the targets of a run, or after the engine started
 * another process because the configuration of the stack has changed.
 */
export class Management {
  /** By area, the managers by the name of the subject. */
  private readonly declared = new Map<string, Map<string, Manager>>();
  /** By area, the resource that manages every subject in it. */
  private readonly exclusive = new Map<string, Manager>();
  /** By subject. */
  private readonly recorded = new Map<string, Set<Entry>>();
  /** Ids of objects that resources of the run have. */
  private readonly objects = new Set<string>();

  constructor(private readonly run: Run) {}

  /** Adds what a resource declares: `check` sees every resource of the program before anything is deleted. */
  declare(organizationId: string, subjects: readonly Subject[], manager = unnamed): void {
    for (const subject of subjects) {
      const key = keyOfArea(organizationId, subject);
      const managers = this.declared.get(key) ?? new Map<string, Manager>();
      this.declared.set(key, managers.set(nameOfSubject(subject), manager));
    }
  }

  /** Adds a resource that manages every subject of an area. */
  declareArea(organizationId: string, area: Area, manager: Manager): void {
    this.exclusive.set(keyOfArea(organizationId, area), manager);
  }

  /** The names of the declared subjects of an area: ids, and e-mails in lower case. */
  declaredNames(organizationId: string, area: Area): readonly string[] {
    return [...(this.declared.get(keyOfArea(organizationId, area))?.keys() ?? [])];
  }

  /** The resource that manages every subject of the area, if there is one. */
  managerOfArea(organizationId: string, area: Area): Manager | undefined {
    return this.exclusive.get(keyOfArea(organizationId, area));
  }

  /** Some resource that declares a subject of the area, if there is one. */
  managerIn(organizationId: string, area: Area): Manager | undefined {
    return this.declared.get(keyOfArea(organizationId, area))?.values().next().value;
  }

  /** The resource that declares the subject, or that has it in the state and is not being changed or deleted. */
  managerOf(organizationId: string, subject: Subject): Manager | undefined {
    const declared = this.declared.get(keyOfArea(organizationId, subject))?.get(nameOfSubject(subject));
    return declared ?? (this.isRecorded(organizationId, subject) ? unnamed : undefined);
  }

  /** Without a program (`pulumi destroy`), every resource releases what it has, in any order. */
  private isRecorded(organizationId: string, subject: Subject): boolean {
    return this.run.runsProgram() && (this.recorded.get(keyOfSubject(organizationId, subject))?.size ?? 0) > 0;
  }

  /**
   * Adds what a resource has in the state, as a refresh reads it or a change leaves it: the program may declare a resource that
   * has nothing to do only after others have been changed. Two resources of one id with the same subjects are one entry.
   */
  record(resource: RecordedResource): void {
    const entry = entryOf(resource);
    if (sameAs(entry, this.entriesLike(entry))) return;
    for (const key of entry.keys) this.recorded.set(key, (this.recorded.get(key) ?? new Set()).add(entry));
  }

  /** Removes what was recorded, since the resource is changed or deleted now; what it wants meanwhile is declared. */
  release(resource: RecordedResource): void {
    const entry = entryOf(resource);
    const like = this.entriesLike(entry);
    // If its subjects are others than were read, it is the only one that it can be, or nobody knows which one.
    const own = sameAs(entry, like) ?? (like.size === 1 ? [...like][0] : undefined);
    if (!own) return;
    for (const key of own.keys) this.recorded.get(key)?.delete(own);
  }

  /** The entries of resources with this id that have some of these subjects. */
  private entriesLike({ resource, keys }: Entry): Set<Entry> {
    const entries = keys.flatMap((key) => [...(this.recorded.get(key) ?? [])]);
    return new Set(entries.filter((one) => one.resource === resource));
  }

  /** Adds an object that a resource of the run has, or has created. */
  recordObject(id: string): void {
    this.objects.add(id);
  }

  /** Whether a resource of the run has the object: then it is no lost creation of another one. */
  hasObject(id: string): boolean {
    return this.objects.has(id);
  }
}

const sameAs = (entry: Entry, among: ReadonlySet<Entry>): Entry | undefined =>
  [...among].find(({ keys }) => isDeepStrictEqual(keys, entry.keys));

const entryOf = ({ organizationId, resource, subjects }: RecordedResource): Entry => ({
  resource,
  keys: [...new Set(subjects.map((subject) => keyOfSubject(organizationId, subject)))].sort(),
});

export const managementOf = perRun((run) => new Management(run));

/** Whether another resource of the run manages the person in the area, by any of these names. */
export function isManaged({ run, organizationId }: Context, area: PeopleArea, names: readonly string[]): boolean {
  const management = managementOf(run);
  return names.some((user) => management.managerOf(organizationId, { ...area, user }) !== undefined);
}

/** The same for a person whose live e-mail is not known yet: it is read if it could make a difference. */
export async function isPersonManaged(
  context: Context,
  area: PeopleArea,
  userId: string,
  /** As programs have named the person so far: by e-mails that may be hidden, or somebody else's, by now. */
  names: readonly string[] = [],
): Promise<boolean> {
  if (isManaged(context, area, [userId, ...names])) return true;
  if (managementOf(context.run).declaredNames(context.organizationId, area).length === 0) return false;
  const email = (await membersOf(context).find(userId))?.user.email;
  return email !== undefined && isManaged(context, area, [email]);
}
