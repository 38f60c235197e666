import { asksForEmail } from "../people/patterns";
import { isEmail, userKey } from "../people/user";
import type { Identities, Identity } from "./identities";
import type { AccessInput, Manager } from "./input";
import { keyOfPlace, type Place } from "./place";
import { ignoresDeclared, patternsOfOthers, type RecordingManager } from "./subjects";

/** A person who hides the e-mail may be the one that a manager declares by an e-mail that no member shows. This class finds such people. */
export class HiddenEmails {
  private readonly unmatched = new Map<Manager, readonly { readonly user: string; readonly isAbsent: boolean }[]>();
  private hidingPlaces: ReadonlySet<string> | undefined;

  constructor(
    private readonly input: AccessInput,
    private readonly identities: Identities,
  ) {}

  /** The declared e-mails and patterns that may mean a recorded person who is no longer declared. */
  mayMean({ manager, assignment }: RecordingManager, person: Identity): readonly string[] {
    const { declared } = manager;
    if (!declared || !hidesEmail(person)) return [];
    // No program has declared this person: a refresh has found the person in the place.
    if (assignment.isFound) return this.mayMeanUndeclared(manager, person);
    // E-mails in the state mean other people if the state has this person by id only. In a whole team, so do the declared ones.
    const isNamedByEmail = Object.values(manager.recorded?.userIds ?? {}).includes(person.id);
    if (manager.area?.kind === "team" && !isNamedByEmail) return [];
    const others = new Set(isNamedByEmail ? [] : manager.recorded?.assignments.map((one) => userKey(one.user)));
    return this.unmatchedEmails(manager).filter((email) => !others.has(userKey(email)));
  }

  /** The declared e-mails and patterns that may mean a person in the place that no program has declared. */
  mayMeanUndeclared(manager: Manager, person: Identity): readonly string[] {
    if (!hidesEmail(person)) return [];
    const mayMatchHidden = (pattern: string) => asksForEmail(pattern) && !this.identities.ownerOf(pattern);
    const unmatched = this.managersInPlace(manager).flatMap((one) => this.unmatchedEmails(one));
    return [...patternsOfOthers(manager).filter(mayMatchHidden), ...unmatched];
  }

  /** Whether a person in the place that no program has declared may be one who left, and came back under a new id. */
  mayBeBack = (manager: Manager, person: Identity): boolean =>
    hidesEmail(person) &&
    this.managersInPlace(manager).some((one) => this.unmatchedPeople(one).some(({ isAbsent }) => isAbsent));

  /** The managers that may declare a person in the place: of a team only the given one, of roles each that declares a role. */
  private managersInPlace(manager: Manager): readonly Manager[] {
    if (manager.area?.kind !== "role") return [manager];
    return this.input.managers.filter(({ declared }) =>
      declared?.assignments.some(({ place }) => place.kind === "role"),
    );
  }

  /** Whether somebody who is in the place, or is declared in it, hides the e-mail. */
  hidesIn(place: Place): boolean {
    this.hidingPlaces ??= new Set(this.placesOfHiding());
    return this.hidingPlaces.has(keyOfPlace(place));
  }

  /** The declared e-mails that no member shows, without those of people who have left. */
  private unmatchedEmails(manager: Manager): readonly string[] {
    return [...new Set(this.unmatchedPeople(manager).flatMap(({ user, isAbsent }) => (isAbsent ? [] : user)))];
  }

  private unmatchedPeople(manager: Manager) {
    const people = this.unmatched.get(manager) ?? this.findUnmatched(manager);
    this.unmatched.set(manager, people);
    return people;
  }

  private findUnmatched(manager: Manager) {
    const absent = new Set(manager.recorded?.assignments.flatMap((one) => (one.isAbsent ? userKey(one.user) : [])));
    return (manager.declared?.assignments ?? []).flatMap(({ place, user }) => {
      const person = this.identities.find(manager, place, user);
      const hasLeft = this.input.arePeopleComplete ? person.live === undefined : absent.has(userKey(user));
      const isAbsent = person.userId !== undefined && hasLeft;
      // In a preview, the `user` of an absent person is the id, and the declared e-mail is among the names.
      const isUnmatched = isAbsent
        ? [user, ...(person.live?.names ?? [])].some(isEmail)
        : isEmail(user) && person.userId === undefined;
      return isUnmatched && !ignoresDeclared(manager, person) ? [{ user, isAbsent }] : [];
    });
  }

  private placesOfHiding(): string[] {
    const { places, managers } = this.input;
    const present = places.filter(({ levels }) => [...levels.keys()].some((id) => hidesEmail(this.identities.of(id))));
    const coming = managers.flatMap((manager) =>
      (manager.declared?.assignments ?? []).filter(({ place, user }) =>
        hidesEmail(this.identities.find(manager, place, user)),
      ),
    );
    return [...present, ...coming].map(({ place }) => keyOfPlace(place));
  }
}

export const hidesEmail = ({ live }: Identity): boolean =>
  live !== undefined && live.email === undefined && !live.isEmailUnknown;
