import { asksForEmail } from "../people/patterns";
import { isEmail } from "../people/user";
import type { Identities, Identity } from "./identities";
import type { AccessInput, Manager } from "./input";
import { keyOfPlace, type Place } from "./place";
import { ignores, type Recorded } from "./subjects";

/** A person who hides the e-mail may be the one that a manager declares by an e-mail that no member shows. This class finds such people. */
export class HiddenEmails {
  private readonly unmatched = new Map<Manager, readonly string[]>();
  private hiding: ReadonlySet<string> | undefined;

  constructor(
    private readonly input: AccessInput,
    private readonly identities: Identities,
  ) {}

  /** The declared e-mails and patterns that may mean a recorded person who is no longer declared. */
  mayMean({ manager, assignment }: Recorded, person: Identity): readonly string[] {
    const { declared } = manager;
    if (!declared || !hidesEmail(person)) return [];
    const { user, isFound } = assignment;
    // A manager of a whole team that has declared this person by id means somebody else by an e-mail that it declares now.
    const isNamedByEmail = isEmail(user) || Object.values(manager.recorded?.userIds ?? {}).includes(person.id);
    if (manager.area && !isFound && !isNamedByEmail) return [];
    return isFound ? this.mayMeanUndeclared(manager, person) : this.unmatchedOf(manager);
  }

  /** The declared e-mails and patterns that may mean a person in the place that no program has declared. */
  mayMeanUndeclared(manager: Manager, person: Identity): readonly string[] {
    if (!hidesEmail(person)) return [];
    return [...(manager.declared?.ignore ?? []).filter(asksForEmail), ...this.unmatchedOf(manager)];
  }

  /** Whether somebody who is in the place, or is declared in it, hides the e-mail. */
  isIn(place: Place): boolean {
    this.hiding ??= new Set(this.placesOfHiding());
    return this.hiding.has(keyOfPlace(place));
  }

  private unmatchedOf(manager: Manager): readonly string[] {
    const emails = this.unmatched.get(manager) ?? this.findUnmatched(manager);
    this.unmatched.set(manager, emails);
    return emails;
  }

  private findUnmatched(manager: Manager): string[] {
    const emails = (manager.declared?.assignments ?? []).flatMap(({ place, user }) => {
      const person = this.identities.find(manager, place, user);
      return isEmail(user) && person.userId === undefined && !ignores(manager, person) ? [user] : [];
    });
    return [...new Set(emails)];
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

const hidesEmail = ({ live }: Identity): boolean =>
  live !== undefined && live.email === undefined && !live.isEmailUnknown;
