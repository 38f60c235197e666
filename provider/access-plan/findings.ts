import { userKey } from "../people/user";
import { type AccessPlan, isChange } from "./access-plan";
import type { AccessChange } from "./change";
import type { Identities, Identity } from "./identities";
import type { AccessInput, Manager } from "./input";
import { keyOfPlace, nothing, type Place } from "./place";
import { personalOptionsIn } from "./release";
import { ignoresOther } from "./subjects";

/** What is wrong with an access plan, or what a reader must know. Guards, resources and reviews say it in their words. */
export type AccessFinding = ReturnType<typeof findingsOf>[number];

export function findingsOf(plan: AccessPlan) {
  const { managers } = plan.input;
  const { subjects } = plan;
  const places = new Map(subjects.map(({ place }) => [keyOfPlace(place), place]));
  const changesThat = <Kind extends string>(kind: Kind, applies: (one: AccessChange) => boolean) =>
    subjects.filter(applies).map((change) => ({ kind, change }));
  return [
    ...[...places.values()].flatMap((place) => quorumFinding(plan, place) ?? []),
    ...managers.flatMap((manager) => twoNames(manager, plan.identities)),
    ...managers.flatMap((manager) => unrecordedNames(manager, plan)),
    ...managers.flatMap((manager) => undeclaredMembers(manager, plan)),
    ...managers.flatMap((manager) => twoPeople(manager, plan)),
    // Several managers declare the same person in the same place.
    ...changesThat("two managers", ({ declaredBy }) => new Set(declaredBy).size > 1),
    // A released person hides the e-mail. `mayBe` lists the declared e-mails and ignore patterns that may mean this person.
    ...changesThat("cannot be told", ({ mayBe }) => mayBe !== undefined),
    // A team declares a person who is removed from the organization.
    ...changesThat("declared, but left", ({ cause, declaredBy }) => cause === "left" && declaredBy.length > 0),
  ];
}

/** If not all members were read, an e-mail that was not found may belong to one that was not read. */
function canSignIn({ live, userId }: Identity, { arePeopleComplete }: AccessInput): boolean {
  const mayBeMember = userId !== undefined || !arePeopleComplete;
  return mayBeMember && !live?.isDisabled;
}

/** Nobody who can sign in would be an owner of the team, or an administrator. If there is no such administrator now, none is lost. */
function quorumFinding(plan: AccessPlan, place: Place) {
  const level = place.kind === "role" ? "admin" : "owner";
  const isAble = (person: Identity) => canSignIn(person, plan.input);
  if (plan.holders(level, place, "after").some(isAble)) return undefined;
  const losing = plan
    .in(place)
    .filter(({ before, after, state }) => state === "active" && before === level && after !== level);
  if (losing.length === 0) return undefined;
  if (place.kind === "role") {
    const people = plan.holders(level, place, "before").filter(isAble);
    return people.length === 0 ? undefined : { kind: "no administrator" as const, place, people };
  }
  const live = plan.livePlace(place);
  // The managers of the whole team are deleted, and everybody in it is an owner who leaves: nobody is left who needs an owner.
  const isDissolved = losing.every(isOfRemovedTeam) && live?.isComplete === true && live.levels.size === losing.length;
  const isAllowed = isDissolved || losing.every(allowsNoOwner);
  return { kind: "no owner" as const, place, losing, isDissolved, isAllowed };
}

/** Whether only deleted managers of the whole team take the ownership from the person. */
const isOfRemovedTeam = (one: AccessChange): boolean =>
  isUpTo(one, ({ area, declared }) => area?.kind === "team" && !declared);

/**
 * Whether all managers that take the ownership from the person allow a team without owners. If the person leaves the organization,
 * the managers of the team are asked, because a manager of roles has no such option. For a person that `others` removes, no manager allows it.
 */
const allowsNoOwner = (one: AccessChange): boolean =>
  isUpTo(one, ({ declared, recorded }) => (declared ?? recorded)?.allowsNoOwner === true);

/** Whether all managers that take the ownership agree. Nobody speaks for a person without a manager in the team. */
function isUpTo({ cause, by, recordedBy, isOther }: AccessChange, agrees: (one: Manager) => boolean): boolean {
  const managers = cause === "left" ? recordedBy : [by];
  return !isOther && managers.length > 0 && managers.every(agrees);
}

/** The people that a manager declares under two names. This needs no plan, so callers without one can ask. */
export function twoNames(manager: Manager, identities: Identities) {
  const names = new Map<string, string>();
  return (manager.declared?.assignments ?? []).flatMap(({ place, user }) => {
    const { id } = identities.find(manager, place, user);
    const key = `${keyOfPlace(place)} ${id}`;
    const first = names.get(key);
    names.set(key, user);
    if (first === undefined || userKey(first) === userKey(user)) return [];
    return [{ kind: "two names" as const, manager, place, names: [first, user] as const }];
  });
}

/** The state has the person under an e-mail that belongs to another person now, so nobody can tell which of them is meant. */
function twoPeople(manager: Manager, plan: AccessPlan) {
  const newOwners = Object.entries(manager.recorded?.userIds ?? {}).flatMap(([email, userId]) => {
    const owner = plan.identities.ownerOf(email);
    return owner === undefined || owner.id === userId ? [] : [[userId, { email, owner }] as const];
  });
  const passedOn = new Map(newOwners);
  if (passedOn.size === 0) return [];
  const { personal } = personalOptionsIn(manager.declared?.options ?? {});
  // The person may get another manager in this run.
  const concerned = plan.subjects.filter(({ by, recordedBy }) => by === manager || recordedBy.includes(manager));
  return concerned.flatMap((change) => {
    const other = passedOn.get(change.person.id);
    if (!other) return [];
    const isConcerned = isChange(change) || personal.has(other.email);
    return isConcerned ? [{ kind: "two people" as const, change, ...other }] : [];
  });
}

/**
 * An option names a person by an e-mail that the state does not have for the person. Neither a review nor the state shows that the
 * option applies to this person, and the e-mail may have been passed on.
 */
function unrecordedNames(manager: Manager, plan: AccessPlan) {
  const options = (manager.declared ?? manager.recorded)?.options;
  if (!options) return [];
  const { personal, raisable } = personalOptionsIn(options);
  // Nearly all managers end here, such as the thousands of teams of an organization.
  if (personal.size + raisable.size === 0) return [];
  // The destruction of a manager ignores what onRelease says of single people.
  const used = [
    ["onRelease", manager.declared ? personal : new Set<string>()] as const,
    ["allowRaiseOf", raisable] as const,
  ];
  const names = recordedNames(manager, plan);
  return plan.decidedBy(manager).flatMap(({ person, cause, recordedBy, place }) => {
    // A person that the manager has recorded is released also if `others` decides: the cause is `undeclared` then.
    const isReleased = cause === "released" || (cause === "undeclared" && recordedBy.includes(manager));
    if (!isReleased || place.kind !== "role" || !person.live) return [];
    const recorded = names.get(person.id) ?? [];
    const finding = { kind: "unrecorded name" as const, manager, person, recordedAs: recorded[0] ?? person.id };
    const unrecorded = used.filter(([, named]) => ![person.id, ...recorded].some((key) => named.has(key)));
    return person.keys.flatMap((email) =>
      unrecorded.flatMap(([option, named]) => (named.has(email) ? [{ ...finding, email, option }] : [])),
    );
  });
}

/** The names that the state of a manager has for people, by user id. */
function recordedNames(manager: Manager, plan: AccessPlan): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { place, user } of manager.recorded?.assignments ?? []) {
    const { id } = plan.identities.findRecorded(manager, place, user);
    names.set(id, [...(names.get(id) ?? []), userKey(user)]);
  }
  return names;
}

/**
 * A manager refuses undeclared members of the organization, or begins to manage a team and has no option to remove them. A
 * person that another manager only records counts as undeclared, too: that manager would release the person only after this one
 * is created, and the creation is refused.
 */
function undeclaredMembers(manager: Manager, plan: AccessPlan) {
  const { area, declared, recorded } = manager;
  const isTeam = area?.kind === "team";
  const refuses = isTeam ? !recorded && !declared?.isExclusive : declared?.others === "refuse";
  if (!area || !declared || !refuses) return [];
  const ids = [...(plan.livePlace(area)?.levels.keys() ?? [])];
  const people = ids.flatMap((id) => {
    const change = plan.of(area, { id });
    if (!change || change.declaredBy.length > 0 || ignoresOther(manager, change.person)) return [];
    // `others: refuse` does not refuse people who leave anyway, or who hide the e-mail and may be declared.
    const isFine = change.after === nothing || change.reason === "may be declared";
    return isTeam || !isFine ? [change.person] : [];
  });
  return people.length === 0 ? [] : [{ kind: "undeclared members" as const, manager, people }];
}
