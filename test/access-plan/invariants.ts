import { type AccessPlan, isChange } from "../../provider/access-plan/access-plan";
import type { AccessChange } from "../../provider/access-plan/change";
import type { AccessFinding } from "../../provider/access-plan/findings";
import type { AccessInput, Manager } from "../../provider/access-plan/input";
import { keyOfPlace, type Place } from "../../provider/access-plan/place";
import { asksForEmail, matcherOf } from "../../provider/people/patterns";
import { isEmail, userKey } from "../../provider/people/user";
import { rolePlace } from "./random-inputs";

/** What is true for every access plan. Nothing here uses the ranks, the names and the lists of the plan itself. */

const ranks = ["none", "guest", "read", "comment", "edit", "review", "create", "admin", "member", "owner", "sso"];
/** A role that the plan does not know, here "supervisor", ranks as a guest. */
const rankOf = (level: string) => (level === "supervisor" ? 1 : ranks.indexOf(level));
const isKnown = ({ before, after }: AccessChange) => rankOf(before) >= 0 && rankOf(after) >= 0;
const gains = (one: AccessChange) => isKnown(one) && rankOf(one.after) > rankOf(one.before);
const loses = (one: AccessChange) => isKnown(one) && rankOf(one.after) < rankOf(one.before);
const takesAdministrator = ({ place, before, after }: AccessChange) =>
  place.kind === "role" && before === "admin" && after !== "admin";

const keyOf = (place: Place, id: string) => `${keyOfPlace(place)} ${id}`;
export const describeAccessChange = ({ place, person, before, after, cause, state }: AccessChange) =>
  `${place.kind} ${place.team ?? ""} ${person.id}: ${before} > ${after} (${cause}, ${state})`;

export function brokenInvariants(plan: AccessPlan, findings: readonly AccessFinding[]): string[] {
  const changes = plan.subjects.filter(isChange);
  return [
    ...orderMistakes(changes),
    ...quorumMistakes(plan, changes, findings),
    ...managementMistakes(plan.input, changes),
    ...identityMistakes(plan),
    ...awayMistakes(plan.input, changes),
    ...othersMistakes(plan, findings),
    ...changes.flatMap((one) => releaseMistakes(one)),
  ];
}

function orderMistakes(changes: readonly AccessChange[]): string[] {
  const firstLoss = changes.findIndex(loses);
  const firstAdministrator = changes.findIndex(takesAdministrator);
  return changes.flatMap((one, index) => [
    ...(firstLoss >= 0 && index > firstLoss && gains(one) ? [`a gain after a loss: ${describeAccessChange(one)}`] : []),
    ...(firstAdministrator >= 0 && index > firstAdministrator && !takesAdministrator(one)
      ? [`after the loss of an administrator: ${describeAccessChange(one)}`]
      : []),
  ]);
}

/** If somebody who can sign in has the highest level, somebody still has it afterwards, unless a finding says that nobody has. */
function quorumMistakes({ input }: AccessPlan, changes: readonly AccessChange[], findings: readonly AccessFinding[]) {
  const disabled = new Set(input.people.filter(({ isDisabled }) => isDisabled).map(({ userId }) => userId));
  return input.places.flatMap(({ place, levels }) => {
    const top = place.kind === "role" ? "admin" : "owner";
    const inPlace = changes.filter((one) => keyOfPlace(one.place) === keyOfPlace(place) && one.state === "active");
    const after = new Map([...levels, ...inPlace.map(({ person, after }): [string, string] => [person.id, after])]);
    const holders = (some: ReadonlyMap<string, string>) =>
      [...some].filter(([id, level]) => level === top && !disabled.has(id));
    const isFound = findings.some(
      (one) =>
        (one.kind === "no administrator" || one.kind === "no owner") && keyOfPlace(one.place) === keyOfPlace(place),
    );
    const losing = inPlace.filter((one) => one.before === top && one.after !== top);
    const isAllowed = place.kind === "team" && losing.every(({ by }) => (by.declared ?? by.recorded)?.allowsNoOwner);
    if (holders(levels).length === 0 || holders(after).length > 0 || isFound || isAllowed) return [];
    return [`nobody remains ${top} of ${keyOfPlace(place)}, and no finding says so`];
  });
}

/** The ids that a name may mean: that of the recorded person, and, for a declared name, of the person who has the e-mail now. */
function meantBy({ recorded }: Manager, user: string, input: AccessInput, isRecorded: boolean): string[] {
  const key = userKey(user);
  if (!isEmail(key)) return [key];
  const linked = recorded?.userIds[key];
  const owner = input.people.find(({ email }) => email !== undefined && userKey(email) === key)?.userId;
  if (isRecorded && linked !== undefined) return [linked];
  return [linked, owner, key].filter((one) => one !== undefined);
}

function managedIn(input: AccessInput): Set<string> {
  const named = input.managers.flatMap((manager) => [
    ...(manager.declared?.assignments ?? []).map((one) => ({ ...one, manager, isRecorded: false })),
    ...(manager.recorded?.assignments ?? []).map((one) => ({ ...one, manager, isRecorded: true })),
  ]);
  const areas = input.managers.flatMap(({ area, declared }) => (area && declared ? [area] : []));
  return new Set([
    ...named.flatMap(({ place, user, manager, isRecorded }) =>
      meantBy(manager, user, input, isRecorded).map((id) => keyOf(place, id)),
    ),
    ...areas.flatMap((area) => {
      const live = input.places.find(({ place }) => keyOfPlace(place) === keyOfPlace(area));
      return [...(live?.levels.keys() ?? [])].map((id) => keyOf(area, id));
    }),
  ]);
}

function managementMistakes(input: AccessInput, changes: readonly AccessChange[]): string[] {
  const managed = managedIn(input);
  const leaving = new Set(
    changes.filter((one) => one.place.kind === "role" && one.after === "none").map((one) => one.person.id),
  );
  return changes
    .filter(({ place, person }) => !managed.has(keyOf(place, person.id)))
    .filter(({ place, person }) => place.kind === "role" || !leaving.has(person.id))
    .map((one) => `nobody manages ${describeAccessChange(one)}`);
}

function identityMistakes({ subjects, input }: AccessPlan): string[] {
  const keys = subjects.map(({ place, person }) => keyOf(place, person.id));
  const known = new Set(keys);
  const owners = new Map(input.people.flatMap(({ email, userId }) => (email ? [[userKey(email), userId]] : [])));
  const named = input.managers.flatMap(({ declared, recorded }) => [
    // A declared person may be ignored, and then there is no subject.
    ...(declared?.ignore?.length ? [] : (declared?.assignments ?? [])),
    ...(recorded?.assignments ?? []),
  ]);
  return [
    ...(known.size < keys.length ? ["one person twice in a place"] : []),
    ...named.flatMap(({ place, user }) =>
      isEmail(user) || known.has(keyOf(place, user)) ? [] : [`${user} is merged into somebody else`],
    ),
    ...subjects.flatMap(({ person }) => {
      const { id, userId, live } = person;
      if (isEmail(id) && owners.has(id)) return [`${id} belongs to ${owners.get(id)}, and is a person of its own`];
      return userId === undefined || (userId === id && (live?.userId ?? id) === id) ? [] : [`${id} is ${userId}`];
    }),
  ];
}

/** Nothing is sent for somebody who is no member, except the e-mail of a person who has not joined, to a team. */
function awayMistakes({ people, arePeopleComplete }: AccessInput, changes: readonly AccessChange[]): string[] {
  const members = new Set(people.map(({ userId }) => userId));
  const isAllowed = ({ place, person }: AccessChange) => place.kind === "team" && isEmail(person.id);
  const away = arePeopleComplete ? changes.filter((one) => !members.has(one.person.id) && !isAllowed(one)) : [];
  return away.map((one) => `not a member: ${describeAccessChange(one)}`);
}

/**
 * `others` touches nobody who is declared, managed elsewhere or ignored, or hides an e-mail that may be ignored. Everybody else
 * is refused, lowered or removed, except perhaps people in the state of another resource, and people who hide an e-mail that may
 * be declared.
 */
function othersMistakes({ input, subjects }: AccessPlan, findings: readonly AccessFinding[]): string[] {
  const roles = input.places.find(({ place }) => keyOfPlace(place) === keyOfPlace(rolePlace))?.levels;
  const changes = new Map(subjects.flatMap((one) => (one.place.kind === "role" ? [[one.person.id, one]] : [])));
  const refused = findings.flatMap((one) => (one.kind === "undeclared members" ? one.people : []));
  const refusedIds = new Set(refused.map(({ id }) => id));
  const managers = input.managers.filter(
    ({ area, declared }) => area?.kind === "role" && declared && !declared.isHidden,
  );
  return managers.flatMap(({ declared: { others, ignoreOthers = [] } = {} }) => {
    const matches = matcherOf(ignoreOthers);
    const shown = new Set(input.people.flatMap(({ email }) => (email === undefined ? [] : userKey(email))));
    return input.people.flatMap(({ userId, email }): string[] => {
      const before = roles?.get(userId);
      const change = changes.get(userId);
      if (before === undefined || (change?.declaredBy.length ?? 0) > 0) return [];
      const after = change?.after ?? before;
      const isOpen = (pattern: string) => asksForEmail(pattern) && !shown.has(userKey(pattern));
      const isIgnored = matches({ userId, email }) || (email === undefined && ignoreOthers.some(isOpen));
      const isElsewhere = change?.recordedBy.some(({ declared }) => !declared?.others) === true;
      const isOutOfReach = isIgnored || input.managedElsewhere?.has(userId) === true;
      const isNamed = input.managers.some(({ declared }) =>
        declared?.assignments.some(({ place, user }) => place.kind === "role" && isEmail(user)),
      );
      const stays = isOutOfReach || isElsewhere || (email === undefined && isNamed);
      const isTouched = change?.cause === "undeclared" && after !== before;
      const isDone = { refuse: refusedIds.has(userId), guest: rankOf(after) <= 1, remove: after === "none" };
      if (isTouched && isOutOfReach) return [`touched by others: ${describeAccessChange(change)}`];
      return stays || after === "none" || (others && isDone[others])
        ? []
        : [`${userId} stays ${after} in spite of ${others}`];
    });
  });
}

/** A release never raises without `allowRaise`, and nobody is removed from the organization without `remove`. */
function releaseMistakes(change: AccessChange): string[] {
  const { place, cause, after, recordedBy, person } = change;
  if (place.kind !== rolePlace.kind || cause !== "released") return [];
  const links = recordedBy.flatMap(({ recorded }) => Object.entries(recorded?.userIds ?? {}));
  const keys = new Set([...person.keys, ...links.flatMap(([email, id]) => (id === person.id ? [email] : []))]);
  const options = recordedBy.map(({ declared, recorded }) => (declared ?? recorded)?.options ?? {});
  const allows = options.some(
    ({ allowRaise, allowRaiseOf = [] }) => allowRaise || allowRaiseOf.some((user) => keys.has(userKey(user))),
  );
  const removes = options.some(({ onRelease }) => {
    if (typeof onRelease !== "object") return onRelease === "remove";
    const { destroy, removal, people = {} } = onRelease;
    const personal = Object.entries(people).flatMap(([user, option]) => (keys.has(userKey(user)) ? [option] : []));
    return [destroy, removal, ...personal].includes("remove");
  });
  return [
    ...(gains(change) && !allows ? [`a release raises: ${describeAccessChange(change)}`] : []),
    ...(after === "none" && !removes ? [`removed without remove: ${describeAccessChange(change)}`] : []),
  ];
}

/** Everything that a plan and its findings say, for comparisons. */
export function textsOf({ subjects }: AccessPlan, findings: readonly AccessFinding[]): string[] {
  const names = (managers: readonly Manager[]) =>
    managers
      .map(({ id }) => id)
      .sort()
      .join();
  return [
    ...subjects.map((one) => {
      const { recordedBy, declaredBy, by, reason, previous, recorded } = one;
      return [describeAccessChange(one), names(recordedBy), names(declaredBy), by.id, reason, previous, recorded].join(
        "; ",
      );
    }),
    ...findings.map(textOf).sort(),
  ];
}

function textOf(one: AccessFinding): string {
  const names = "names" in one ? [...one.names].sort() : [];
  const people = "people" in one ? (one.people ?? []).map(({ id }) => id).sort() : [];
  const losing = "losing" in one ? (one.losing ?? []).map(describeAccessChange).sort() : [];
  const change = "change" in one ? [describeAccessChange(one.change)] : [];
  const by = "manager" in one ? [one.manager.id] : [];
  return [one.kind, ...by, ...names, ...people, ...losing, ...change].join("; ");
}
