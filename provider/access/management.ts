import { isDeepStrictEqual } from "node:util";
import type { Place } from "../access-plan/place";
import { isEmail, userKey } from "../people/user";
import type { Context } from "../run/context";
import { type Run, runScoped } from "../run/run";
import { membersOf } from "./members";
import { keyOfSubject, keyOfSubjectPlace, type Subject, type SubjectPlace } from "./subject";

/** The resource that manages a subject, as far as the run knows. */
export interface ResourceManager {
  /** Its URN, or where the program declares it. Two managers with the same position are the same resource. */
  readonly position: string;
  /** In a message: `TeamMembership "ada"`. */
  readonly name: string;
}

/** A handler does not get the names of resources, only what they declare and record. */
const unnamed: ResourceManager = { position: "", name: "another resource of this run" };

/** A resource with the subjects that the state has for it. */
export interface RecordedSubjects {
  /** Its kind and id. Two resources can have the same id: a membership keeps the id of the first person that it managed. */
  readonly resource: string;
  readonly subjects: readonly Subject[];
}

interface Entry {
  readonly resource: string;
  /** Sorted, because a stored state does not keep the order. */
  readonly keys: readonly string[];
}

/**
 * Which resource of a run manages what. A subject is declared (by the program), recorded (in the state that the run has read),
 * or both. A resource never releases a subject that another resource of the run manages. So people keep their access if a
 * resource is renamed, moved or merged into another one.
 *
 * A run knows only what it has read. There are no states without a refresh, of resources outside its targets, or when a changed
 * configuration of the stack has made the engine start another process.
 */
export class Management {
  /** The managers of declared subjects, by place and then by name. */
  private readonly declared = new Map<string, Map<string, ResourceManager>>();
  /** The resources that manage every subject of a place, by place. */
  private readonly managersOfWhole = new Map<string, ResourceManager>();
  private readonly recorded = new Map<string, readonly Entry[]>();
  /** By place: the id for each declared e-mail that a state has an id for, and the e-mail for each of these ids. */
  private readonly otherNames = new Map<string, Map<string, string>>();
  private readonly recordedNames = new Set<string>();
  private readonly objects = new Set<string>();

  constructor(private readonly run: Run) {}

  /** Adds what a resource declares. The engine calls `check` for every resource of the program before it deletes anything. */
  declare(subjects: readonly Subject[], manager = unnamed): void {
    for (const { place, name } of subjects) {
      const key = keyOfSubjectPlace(place);
      const managers = this.declared.get(key) ?? new Map<string, ResourceManager>();
      this.declared.set(key, managers.set(userKey(name), manager));
    }
  }

  declareWhole(place: SubjectPlace, manager: ResourceManager): void {
    this.managersOfWhole.set(keyOfSubjectPlace(place), manager);
  }

  /** The names of the declared subjects of a place: ids, and e-mails in lower case. */
  declaredNames(place: SubjectPlace): readonly string[] {
    return [...(this.declared.get(keyOfSubjectPlace(place))?.keys() ?? [])];
  }

  /** Stores the ids that one state has for e-mails (`userIds`). Returns the id by e-mail, from any state, for each of the names. */
  linkNames(
    place: SubjectPlace,
    names: readonly string[],
    userIds: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const key = keyOfSubjectPlace(place);
    const otherNames = this.otherNames.get(key) ?? new Map<string, string>();
    this.otherNames.set(key, otherNames);
    for (const email of names) {
      const id = userIds[email];
      if (id !== undefined) otherNames.set(email, id).set(id, email);
    }
    const pairs = names.flatMap((name): [string, string][] => {
      const other = otherNames.get(name);
      if (other === undefined) return [];
      return [isEmail(name) ? [name, other] : [other, name]];
    });
    return Object.fromEntries(pairs);
  }

  managerOfWhole(place: SubjectPlace): ResourceManager | undefined {
    return this.managersOfWhole.get(keyOfSubjectPlace(place));
  }

  anyManagerIn(place: SubjectPlace): ResourceManager | undefined {
    return this.declared.get(keyOfSubjectPlace(place))?.values().next().value;
  }

  /** The resource that declares the subject, or that records it and is not being updated or deleted. */
  managerOf(subject: Subject): ResourceManager | undefined {
    return this.declarerOf(subject) ?? (this.isRecorded(subject) ? unnamed : undefined);
  }

  declarerOf({ place, name }: Subject): ResourceManager | undefined {
    return this.declared.get(keyOfSubjectPlace(place))?.get(userKey(name));
  }

  /** Without a program (`pulumi destroy`), every resource releases its subjects, in any order, so records do not count. */
  private isRecorded(subject: Subject): boolean {
    return this.run.runsProgram() && this.entriesOf(keyOfSubject(subject)).length > 0;
  }

  /**
   * Adds the subjects that a resource has in its state after a read or a change. Declarations are not enough: the program may
   * declare an unchanged resource after the engine has changed others. Two resources with the same id and subjects are one entry.
   */
  record(resource: RecordedSubjects): void {
    this.noteNames(resource);
    const entry = entryOf(resource);
    if (findEqual(entry, this.findSimilar(entry))) return;
    for (const key of entry.keys) this.recorded.set(key, [...this.entriesOf(key), entry]);
  }

  /** Removes the record of a resource for the time of its update or deletion. What the program declares still counts. */
  removeRecord(resource: RecordedSubjects): void {
    this.noteNames(resource);
    const entry = entryOf(resource);
    const similar = this.findSimilar(entry);
    // If the subjects differ from those that were read, the id identifies the entry, provided that only one entry has it.
    const outdated = findEqual(entry, similar) ?? (similar.size === 1 ? [...similar][0] : undefined);
    if (!outdated) return;
    for (const key of outdated.keys) {
      const remaining = this.entriesOf(key).filter((one) => one !== outdated);
      this.recorded.set(key, remaining);
    }
  }

  /**
   * Whether a state that the run has read has the id of a person, in any place: then the person was a member once, also if the
   * resource with this state no longer manages the person.
   */
  hasRecorded = (userId: string): boolean => this.recordedNames.has(userId);

  private noteNames({ subjects }: RecordedSubjects): void {
    for (const { name } of subjects) this.recordedNames.add(userKey(name));
  }

  /** The entries of resources with this id that have at least one of these subjects. */
  private findSimilar({ resource, keys }: Entry): Set<Entry> {
    const entries = keys.flatMap((key) => this.entriesOf(key));
    return new Set(entries.filter((one) => one.resource === resource));
  }

  private entriesOf(key: string): readonly Entry[] {
    return this.recorded.get(key) ?? [];
  }

  recordObject(id: string): void {
    this.objects.add(id);
  }

  /** Whether a resource of the run manages the object. Then it is not the result of a creation whose answer was lost. */
  hasObject(id: string): boolean {
    return this.objects.has(id);
  }
}

const findEqual = (entry: Entry, among: ReadonlySet<Entry>): Entry | undefined =>
  [...among].find(({ keys }) => isDeepStrictEqual(keys, entry.keys));

const entryOf = ({ resource, subjects }: RecordedSubjects): Entry => ({
  resource,
  keys: [...new Set(subjects.map(keyOfSubject))].sort(),
});

export const managementOf = runScoped((run) => new Management(run));

/**
 * Whether another resource of the run manages the person in the place, by any name. `names` are recorded, such as an e-mail that is
 * hidden by now. The live e-mail is read only if it can change the answer.
 */
export async function isPersonManaged(context: Context, place: Place, userId: string, names: readonly string[]) {
  const management = managementOf(context.run);
  const isManaged = (name: string) => management.managerOf({ place, name }) !== undefined;
  if ([userId, ...names].some(isManaged)) return true;
  if (management.anyManagerIn(place) === undefined) return false;
  const email = (await membersOf(context).find(userId))?.user.email;
  return email !== undefined && isManaged(email);
}
