import { isAnonymous, isEmail, userKey } from "../people/user";
import type { AccessInput, LivePerson, Manager } from "./input";
import { keyOfPlace, type Place } from "./place";

/** Who a name means: a person by user id, or an e-mail that no member has. */
export interface Identity {
  /** The user id, or the e-mail in lower case. */
  readonly id: string;
  /** Absent for an e-mail that no member has. */
  readonly userId?: string;
  readonly live?: LivePerson;
  /** Every name that is known to be the person's; e-mails in lower case. */
  readonly keys: readonly string[];
}

export class Identities {
  private readonly byId = new Map<string, LivePerson>();
  private readonly byEmail = new Map<string, string>();
  /** By place, the levels by user id; only of places that were read completely. */
  private readonly present = new Map<string, ReadonlyMap<string, string>>();
  private readonly recordedEmails = new Map<string, Set<string>>();
  private readonly recordedNames = new Set<string>();
  private readonly cache = new Map<string, Identity>();

  constructor(private readonly input: AccessInput) {
    for (const person of input.people) {
      this.byId.set(person.userId, person);
      if (person.email !== undefined) this.byEmail.set(userKey(person.email), person.userId);
    }
    for (const { place, levels, isComplete } of input.places)
      if (isComplete) this.present.set(keyOfPlace(place), levels);
    for (const { recorded } of input.managers) {
      for (const { user } of recorded?.assignments ?? []) this.recordedNames.add(user);
      for (const [email, userId] of Object.entries(recorded?.userIds ?? {})) {
        this.recordedNames.add(userId);
        this.recordedEmails.set(userId, (this.recordedEmails.get(userId) ?? new Set()).add(userKey(email)));
      }
    }
  }

  /**
   * The person that a manager means by a name in a place. An e-mail in the state keeps its person while the person is in the place
   * (for roles: the organization), also if the person has another e-mail now or hides it. Afterwards it means the person who has the
   * e-mail now, and the recorded person if nobody has it.
   */
  find({ recorded }: Pick<Manager, "recorded">, place: Place, user: string): Identity {
    const key = userKey(user);
    // A mistyped id may be the name of a property of every object.
    if (!isEmail(key)) return this.of(key);
    const recordedId = recorded?.userIds[key];
    if (recordedId !== undefined && this.mayBeThere(place, recordedId)) return this.of(recordedId);
    return this.of(this.byEmail.get(key) ?? recordedId ?? key);
  }

  /** The person that the state of a manager has under a name, also if the e-mail belongs to somebody else now. */
  findRecorded(manager: Pick<Manager, "recorded">, place: Place, user: string): Identity {
    const userId = isEmail(user) ? manager.recorded?.userIds[userKey(user)] : undefined;
    return userId === undefined ? this.find(manager, place, user) : this.of(userId);
  }

  /** Whether a manager has recorded the id, in any place: then it is not mistyped. */
  isRecorded = (userId: string): boolean => this.recordedNames.has(userId);

  ownerOf(email: string): Identity | undefined {
    const userId = this.byEmail.get(userKey(email));
    return userId === undefined ? undefined : this.of(userId);
  }

  of(id: string): Identity {
    const identity = this.cache.get(id) ?? this.make(id);
    this.cache.set(id, identity);
    return identity;
  }

  private make(id: string): Identity {
    const live = this.byId.get(id);
    const names = [id, live?.email, ...(live?.names ?? []), ...this.ownLinks(id)];
    const keys = [...new Set(names.flatMap((name) => (name === undefined ? [] : userKey(name))))].sort();
    return { id, ...(!isEmail(id) && !isAnonymous(id) && { userId: id }), ...(live && { live }), keys };
  }

  /** The recorded e-mails of a person that nobody else has now. */
  private ownLinks(userId: string): string[] {
    const emails = [...(this.recordedEmails.get(userId) ?? [])];
    return emails.filter((email) => (this.byEmail.get(email) ?? userId) === userId);
  }

  /** Whether a recorded person is still in the place, or it is not known because the place was not read completely. */
  private mayBeThere(place: Place, userId: string): boolean {
    if (place.kind !== "team") return this.byId.has(userId) || !this.input.arePeopleComplete;
    return this.present.get(keyOfPlace(place))?.has(userId) ?? true;
  }
}
