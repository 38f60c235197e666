import { asksForEmail } from "../people/patterns";
import { isEmail } from "../people/user";
import type { Identities, Identity } from "./identities";
import type { AccessInput, Manager } from "./input";
import { keyOfPlace, type Place } from "./place";
import { ignores, type Recorded } from "./subjects";

/** A person who hides the e-mail may be the one that a manager declares by an e-mail that no member shows. This class finds such people. */
export class HiddenEmails {
  private readonly unmatched = new Map<
    Manager,
    readonly { readonly user: string; readonly userId?: string | undefined }[]
  >();
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
    return [...(manager.declared?.ignore ?? []).filter(asksForEmail), ...this.unmatchedOf(manager, "or absent")];
  }

  /** Whether somebody who is in the place, or is declared in it, hides the e-mail. */
  isIn(place: Place): boolean {
    this.hiding ??= new Set(this.placesOfHiding());
    return this.hiding.has(keyOfPlace(place));
  }

  /** The declared e-mails that no member shows. Somebody who has left may come back under a new id, unlike a recorded person. */
  private unmatchedOf(manager: Manager, who: "pending" | "or absent" = "pending"): readonly string[] {
    const people = this.unmatched.get(manager) ?? this.findUnmatched(manager);
    this.unmatched.set(manager, people);
    const emails = people.filter(({ userId }) => who === "or absent" || userId === undefined);
    return [...new Set(emails.map(({ user }) => user))];
  }

  private findUnmatched(manager: Manager) {
    return (manager.declared?.assignments ?? []).flatMap(({ place, user }) => {
      const person = this.identities.find(manager, place, user);
      const isUnmatched = isEmail(user) && (person.userId === undefined || !this.isMember(person));
      return isUnmatched && !ignores(manager, person) ? [{ user, userId: person.userId }] : [];
    });
  }

  private isMember({ live }: Identity): boolean {
    return live !== undefined || !this.input.arePeopleComplete;
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
