import { userKey } from "../people/user";
import { type AccessPlan, isChange } from "./access-plan";
import type { AccessChange } from "./change";
import type { Identity } from "./identities";
import type { AccessInput, Manager } from "./input";
import { keyOfPlace, type Place } from "./place";
import { namesIn } from "./release";
import { ignores } from "./subjects";

/** What is wrong with an access plan, or what a reader must know. Guards, resources and reviews say it in their words. */
export type AccessFinding =
  /** Nobody who can sign in would be an administrator. */
  | { readonly kind: "no administrator"; readonly place: Place; readonly people: readonly Identity[] }
  /** Nobody who can sign in would be an owner of the team. `isAllowed`: no manager of the team refuses that. */
  | {
      readonly kind: "no owner";
      readonly place: Place;
      readonly losing: readonly AccessChange[];
      readonly isAllowed: boolean;
    }
  /** A manager declares one person under two names. */
  | {
      readonly kind: "two names";
      readonly manager: Manager;
      readonly place: Place;
      readonly names: readonly [string, string];
    }
  /** Several managers declare the same person in the same place. */
  | { readonly kind: "two managers"; readonly change: AccessChange }
  /** A manager begins to manage everybody in a place, and does not declare these people. */
  | { readonly kind: "undeclared members"; readonly manager: Manager; readonly people: readonly Identity[] }
  /** A team declares a person who is removed from the organization. */
  | { readonly kind: "declared, but left"; readonly change: AccessChange }
  /** A released person hides the e-mail, and may be the one that the manager declares or ignores by one of these (`mayBe`). */
  | { readonly kind: "cannot be told"; readonly change: AccessChange }
  /** The state has the person under an e-mail that belongs to another person now, so nobody can tell which of them is meant. */
  | {
      readonly kind: "two people";
      readonly change: AccessChange;
      readonly email: string;
      readonly owner: Identity;
    }
  /** An option names a person by an e-mail that the state does not have for the person. */
  | {
      readonly kind: "unrecorded name";
      readonly manager: Manager;
      readonly option: string;
      readonly email: string;
      readonly person: Identity;
      readonly recordedAs: string;
    };

export function findingsOf(plan: AccessPlan): AccessFinding[] {
  const { managers } = plan.input;
  const places = new Map(plan.subjects.map(({ place }) => [keyOfPlace(place), place]));
  return [
    ...[...places.values()].flatMap((place) => quorumFindings(plan, place)),
    ...managers.flatMap((manager) => twoNames(manager, (place, user) => plan.personNamed(manager, place, user))),
    ...managers.flatMap((manager) => unrecordedNames(manager, plan)),
    ...managers.flatMap((manager) => undeclaredMembers(manager, plan)),
    ...managers.flatMap((manager) => twoPeople(manager, plan)),
    ...plan.subjects.flatMap((change): AccessFinding[] => [
      ...(new Set(change.to).size > 1 ? [{ kind: "two managers", change } as const] : []),
      ...(change.mayBe ? [{ kind: "cannot be told", change } as const] : []),
      ...(change.cause === "left" && change.to.length > 0 ? [{ kind: "declared, but left", change } as const] : []),
    ]),
  ];
}

/** Somebody may have the e-mail that no known member has. */
const canSignIn =
  ({ arePeopleComplete }: AccessInput) =>
  ({ live, userId }: Identity): boolean =>
    (userId !== undefined || !arePeopleComplete) && !live?.isDisabled;

function quorumFindings(plan: AccessPlan, place: Place): AccessFinding[] {
  if (place.kind === "sso") return [];
  const level = place.kind === "role" ? "admin" : "owner";
  const isAble = canSignIn(plan.input);
  if (plan.holders(level, place, "after").some(isAble)) return [];
  const losing = plan
    .in(place)
    .filter(({ before, after, state }) => state === "active" && before === level && after !== level);
  if (losing.length === 0) return [];
  if (place.kind === "role") {
    const people = plan.holders(level, place, "before").filter(isAble);
    return people.length === 0 ? [] : [{ kind: "no administrator", place, people }];
  }
  return [{ kind: "no owner", place, losing, isAllowed: losing.every(allowsNoOwner) }];
}

/** A manager of roles does not ask who owns the teams of a person that it removes, but resources that remove the person from the team do. */
const allowsNoOwner = ({ cause, by, from }: AccessChange): boolean =>
  (cause === "left" ? from : [by]).every(({ declared, recorded }) => (declared ?? recorded)?.allowsNoOwner === true);

/** The people that a manager declares under two names. It needs no plan. */
export function twoNames(
  manager: Manager,
  personNamed: (place: Place, user: string) => Identity,
): (AccessFinding & { readonly kind: "two names" })[] {
  const names = new Map<string, string>();
  return (manager.declared?.assignments ?? []).flatMap(({ place, user }) => {
    const { id } = personNamed(place, user);
    const key = `${keyOfPlace(place)} ${id}`;
    const first = names.get(key);
    if (first === undefined) names.set(key, user);
    if (first === undefined || userKey(first) === userKey(user)) return [];
    return [{ kind: "two names" as const, manager, place, names: [first, user] as const }];
  });
}

function twoPeople(manager: Manager, plan: AccessPlan): AccessFinding[] {
  const owners = Object.entries(manager.recorded?.userIds ?? {}).flatMap(([email, userId]) => {
    const owner = plan.personNow(email);
    return owner === undefined || owner.id === userId ? [] : [[userId, { email, owner }] as const];
  });
  if (owners.length === 0) return [];
  const passedOn = new Map(owners);
  return plan.decidedBy(manager).flatMap((change): AccessFinding[] => {
    const other = isChange(change) ? passedOn.get(change.person.id) : undefined;
    return other ? [{ kind: "two people", change, ...other }] : [];
  });
}

/** Neither a review nor the state shows that the option applies to this person, and the e-mail may have been passed on. */
function unrecordedNames(manager: Manager, plan: AccessPlan): AccessFinding[] {
  const options = (manager.declared ?? manager.recorded)?.options;
  if (!options) return [];
  const { single, raisable } = namesIn(options);
  // Every team is a manager, and none of them names anybody.
  if (single.size + raisable.size === 0) return [];
  const used = [...(manager.declared ? [["onRelease", single] as const] : []), ["allowRaiseOf", raisable] as const];
  let names: ReadonlyMap<string, readonly string[]> | undefined;
  return plan.decidedBy(manager).flatMap(({ person, cause, place }) => {
    const email = person.live?.email === undefined ? undefined : userKey(person.live.email);
    if (cause !== "released" || place.kind !== "role" || email === undefined) return [];
    const naming = used.filter(([, named]) => named.has(email) && !named.has(person.id));
    if (naming.length === 0) return [];
    names ??= recordedNames(manager, plan);
    const keys = names.get(person.id) ?? [];
    return naming
      .filter(([, named]) => !keys.some((key) => named.has(key)))
      .map(
        ([option]) =>
          ({ kind: "unrecorded name", manager, option, email, person, recordedAs: keys[0] ?? person.id }) as const,
      );
  });
}

/** The names that the state of a manager has for people, by user id. */
function recordedNames(manager: Manager, plan: AccessPlan): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { place, user } of manager.recorded?.assignments ?? []) {
    const { id } = plan.personRecorded(manager, place, user);
    names.set(id, [...(names.get(id) ?? []), userKey(user)]);
  }
  return names;
}

/** Another manager may record such a person, and release the person after the creation was refused. */
function undeclaredMembers(manager: Manager, plan: AccessPlan): AccessFinding[] {
  const { area, declared, recorded } = manager;
  if (!area || !declared || recorded || declared.removesExisting) return [];
  const ids = [...(plan.livePlace(area)?.levels.keys() ?? [])];
  const people = ids.flatMap((id) => {
    const change = plan.of(area, { id });
    return change && change.to.length === 0 && !ignores(manager, change.person) ? [change.person] : [];
  });
  return people.length === 0 ? [] : [{ kind: "undeclared members", manager, people }];
}
