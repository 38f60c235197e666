import { asksForEmail } from "../people/patterns";
import { isEmail } from "../people/user";
import type { Identities, Identity } from "./identities";
import type { AccessInput, Manager } from "./input";
import { keyOfPlace, type Place } from "./place";
import { ignores, type Recorded } from "./subjects";

/** What hidden e-mails leave open: who hides the e-mail may be the person that somebody means by an e-mail that nobody shows. */
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
    if (!declared || !hides(person)) return [];
    const { user, isFound } = assignment;
    // In a team whose people one manager manages all, who was declared by id is not the one who is declared by e-mail now.
    const isNamed = isEmail(user) || Object.values(manager.recorded?.userIds ?? {}).includes(person.id);
    if (manager.area && !isFound && !isNamed) return [];
    return isFound ? this.mayMeanUndeclared(manager, person) : this.unmatchedOf(manager);
  }

  /** The declared e-mails and patterns that may mean a person in the place that no program has declared. */
  mayMeanUndeclared(manager: Manager, person: Identity): readonly string[] {
    if (!hides(person)) return [];
    return [...(manager.declared?.ignore ?? []).filter(asksForEmail), ...this.unmatchedOf(manager)];
  }

  /** Whether somebody who is in the place, or comes into it, hides the e-mail. */
  isIn(place: Place): boolean {
    this.hiding ??= new Set(this.placesOfHiding());
    return this.hiding.has(keyOfPlace(place));
  }

  private unmatchedOf(manager: Manager): readonly string[] {
    const known = this.unmatched.get(manager) ?? this.findUnmatched(manager);
    this.unmatched.set(manager, known);
    return known;
  }

  private findUnmatched(manager: Manager): string[] {
    const found = (manager.declared?.assignments ?? []).flatMap(({ place, user }) => {
      const person = this.identities.find(manager, place, user);
      return isEmail(user) && person.userId === undefined && !ignores(manager, person) ? [user] : [];
    });
    return [...new Set(found)];
  }

  private placesOfHiding(): string[] {
    const { places, managers } = this.input;
    const present = places.filter(({ levels }) => [...levels.keys()].some((id) => hides(this.identities.of(id))));
    const coming = managers.flatMap((manager) =>
      (manager.declared?.assignments ?? []).filter(({ place, user }) =>
        hides(this.identities.find(manager, place, user)),
      ),
    );
    return [...present, ...coming].map(({ place }) => keyOfPlace(place));
  }
}

const hides = ({ live }: Identity): boolean => live !== undefined && live.email === undefined && !live.isEmailUnknown;
