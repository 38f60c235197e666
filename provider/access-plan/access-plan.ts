import { compareKeys, userKey } from "../people/user";
import { type AccessChange, decide } from "./change";
import { HiddenEmails } from "./hidden-emails";
import { Identities, type Identity } from "./identities";
import type { AccessInput, Grant, GrantTerms, LivePlace, Manager } from "./input";
import { isKnownLevel, isLower, keyOfPlace, nothing, type Place } from "./place";
import { listSubjects } from "./subjects";

export class AccessPlan {
  private readonly byPlace = new Map<string, Map<string, AccessChange>>();
  private byManager: ReadonlyMap<Manager, readonly AccessChange[]> | undefined;
  private readonly livePlaces: ReadonlyMap<string, LivePlace>;

  constructor(
    readonly input: AccessInput,
    readonly identities: Identities,
    /** Everybody with a manager before or after, in the order in which changes are carried out. */
    readonly subjects: readonly AccessChange[],
  ) {
    this.livePlaces = new Map(input.places.map((one) => [keyOfPlace(one.place), one]));
    for (const [key, changes] of groupedBy(subjects, ({ place }) => keyOfPlace(place)))
      this.byPlace.set(key, new Map(changes.map((one) => [one.person.id, one])));
  }

  /** The plan with only the changes that `isMade` accepts: all other people keep their levels. */
  limitedTo(isMade: (one: AccessChange) => boolean): AccessPlan {
    const kept = (one: AccessChange) => (isChange(one) && !isMade(one) ? { ...one, after: one.before } : one);
    return new AccessPlan(this.input, this.identities, this.subjects.map(kept));
  }

  get changes(): AccessChange[] {
    return this.subjects.filter(isChange);
  }

  of(place: Place, person: Pick<Identity, "id">): AccessChange | undefined {
    return this.byPlace.get(keyOfPlace(place))?.get(person.id);
  }

  /** What the manager decides by its declaration or its release. */
  decidedBy(manager: Manager): readonly AccessChange[] {
    this.byManager ??= groupedBy(this.subjects, ({ by }) => by);
    return this.byManager.get(manager) ?? [];
  }

  in(place: Place): AccessChange[] {
    return [...(this.byPlace.get(keyOfPlace(place))?.values() ?? [])];
  }

  /** People who are known to have the level in the place. The level of an unmanaged person stays as it is. */
  holders(level: string, place: Place, when: "before" | "after"): Identity[] {
    const live = this.livePlace(place)?.levels;
    const ids = new Set([...(live?.keys() ?? []), ...this.in(place).map(({ person }) => person.id)]);
    const levelOf = (id: string) => {
      const planned = when === "after" ? this.of(place, { id }) : undefined;
      return planned?.state === "active" ? planned.after : live?.get(id);
    };
    return [...ids].filter((id) => levelOf(id) === level).map((id) => this.identities.of(id));
  }

  /** The people in the place as they were read; `undefined` if it was not read. */
  livePlace(place: Place): LivePlace | undefined {
    return this.livePlaces.get(keyOfPlace(place));
  }
}

function groupedBy<Key, One>(all: readonly One[], keyOf: (one: One) => Key): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one)) ?? [];
    group.push(one);
    groups.set(keyOf(one), group);
  }
  return groups;
}

/** Whether something is sent. A team accepts the e-mail of a person who has not joined; a role needs a member. */
export const isChange = ({ before, after, state, place }: AccessChange): boolean =>
  before !== after && (state === "active" || (state === "pending" && place.kind === "team"));

/** Whether the person gets a lower level; false if one of the two is not known. */
export const isLoss = (one: AccessChange): boolean => isKnown(one) && isChange(one) && isLower(one.after, one.before);

const isKnown = ({ before, after }: AccessChange): boolean => isKnownLevel(before) && isKnownLevel(after);

export function planAccess(input: AccessInput): AccessPlan {
  const identities = new Identities(input);
  const hidden = new HiddenEmails(input, identities);
  const decided = listSubjects(input, identities).flatMap((subject) => decide(subject, input, hidden) ?? []);
  const subjects = withLeft(decided, input, identities).map(withGrants(input));
  return new AccessPlan(input, identities, sortChanges(subjects));
}

function withGrants({ grants = { recorded: [], declared: [] } }: AccessInput): (one: AccessChange) => AccessChange {
  const byUser = (all: readonly Grant[]) => groupedBy(all, ({ user }) => userKey(user));
  const recordedOf = byUser(grants.recorded);
  const declaredOf = byUser(grants.declared);
  return (one) => {
    const isHere = ({ place }: Grant) => keyOfPlace(place) === keyOfPlace(one.place);
    const find = (all: typeof declaredOf) => one.person.keys.flatMap((name) => all.get(name) ?? []).find(isHere);
    const [recorded, declared] = [find(recordedOf), find(declaredOf)];
    return { ...one, grant: { recorded, declared }, cause: causeWith(one, recorded, declared) };
  };
}

function causeWith(one: AccessChange, recorded?: GrantTerms, declared?: GrantTerms): AccessChange["cause"] {
  const { cause, after } = one;
  // Terms that have only a reason neither begin nor end.
  const hasTime = declared?.from !== undefined || declared?.expires !== undefined;
  if (!declared || !hasTime || !isChange(one)) return cause;
  // A grant that has ended stays declared: the person is released, or gets the level that the grant names for its end.
  if (declared.expires !== undefined && (cause === "released" || after === declared.then)) return "grant ends";
  // Terms with `from` are recorded before the grant begins, so only a declaration shows that it has begun before.
  const isRecordedAsBegun = declared.from === undefined && recorded?.expires !== undefined;
  const wasGiven = declared.from !== undefined && one.wasDeclared;
  return cause === "declared" && !isRecordedAsBegun && !wasGiven ? "grant begins" : cause;
}

/** Adds what follows from removals: a person who leaves the organization leaves every team, and loses the mark of single sign-on. */
function withLeft(decided: readonly AccessChange[], input: AccessInput, identities: Identities): AccessChange[] {
  const leavers = decided.filter((one) => one.place.kind === "role" && isChange(one) && one.after === nothing);
  const removals = new Map(leavers.map((one) => [keyOfPerson(one.place, one.person.id), one]));
  const managed = decided.map((one): AccessChange => {
    const isLeft = one.place.kind !== "role" && removals.has(keyOfPerson(one.place, one.person.id));
    return isLeft ? { ...one, after: nothing, cause: "left" } : one;
  });
  const decidedPlaces = new Set(decided.map(({ place, person }) => `${keyOfPlace(place)} ${person.id}`));
  const unmanaged = input.places.flatMap(({ place, levels }) =>
    [...levels].flatMap(([userId, before]): AccessChange[] => {
      const removal = removals.get(keyOfPerson(place, userId));
      if (!removal || decidedPlaces.has(`${keyOfPlace(place)} ${userId}`)) return [];
      const change = {
        person: identities.of(userId),
        place,
        before,
        after: nothing,
        recordedBy: [],
        declaredBy: [],
        by: removal.by,
      };
      return [{ ...change, cause: "left", state: "active", ...(removal.isOther && { isOther: true }) }];
    }),
  );
  return [...managed, ...unmanaged];
}

const keyOfPerson = ({ organization }: Place, userId: string): string => `${organization} ${userId}`;

/** In the order in which changes are carried out: additions and raises first, administrators who lose the role last. */
function sortChanges(changes: readonly AccessChange[]): AccessChange[] {
  const keyed = changes.map((one) => ({ one, phase: phases.indexOf(phaseOf(one)), key: keyOfPlace(one.place) }));
  keyed.sort((a, b) => a.phase - b.phase || compareKeys(a.key, b.key) || compareKeys(a.one.person.id, b.one.person.id));
  return keyed.map(({ one }) => one);
}

const phases = ["raise", "lower", "leave team", "leave organization", "lose administrator"] as const;

function phaseOf(one: AccessChange): (typeof phases)[number] {
  const { place, before, after } = one;
  if (isLower(before, after)) return "raise";
  if (before === "admin") return "lose administrator";
  if (after !== nothing) return "lower";
  return place.kind === "role" ? "leave organization" : "leave team";
}
