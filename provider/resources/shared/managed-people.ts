import { managementOf } from "../../access/management";
import { freshEnough, membersOf } from "../../access/members";
import { type DeclaredRole, isSameRole, spelledRole } from "../../access-plan/place";
import type { ReleaseOptions } from "../../access-plan/release";
import type { Member } from "../../api/groups/members";
import { ownManager } from "../../lifecycle/manager";
import { refuseTwoNames } from "../../lifecycle/two-names";
import { matchable, matcherOf } from "../../people/patterns";
import { isEmail, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { newlyManaged, type Person, recordedPerson } from "./role";
import { reviewOfMany } from "./role-review";

export type Roles = Readonly<Record<string, DeclaredRole>>;

interface Declared extends Pick<ReleaseOptions, "onRelease"> {
  readonly roles: Readonly<Record<string, DeclaredRole | undefined>>;
  readonly ignore?: readonly string[] | undefined;
}

/** What a state has of people. A person who is not in `previousRoles` had the role of `roles` before it was managed, too. */
export interface RecordedPeople extends Declared {
  readonly userIds?: Readonly<Record<string, string>>;
  readonly previousRoles?: Readonly<Record<string, DeclaredRole | undefined>>;
  readonly pending?: readonly string[];
  readonly absent?: readonly string[];
  readonly found?: readonly string[];
}

export interface ManagedPeople {
  /** By the user's key: the declared people, those who could not be released yet, and undeclared ones who were found. */
  readonly people: ReadonlyMap<string, Person>;
  /** By key: declared people who have left, with the recorded id, and e-mails that no member has yet. The role waits for them. */
  readonly away: ReadonlyMap<string, { readonly role: DeclaredRole; readonly userId?: string }>;
  /** Keys without a live role: declared ids that neither a member nor a state of the run has, and recorded undeclared people. */
  readonly nonMembers: ReadonlySet<string>;
}

/** For more people than this, the whole list is read. */
const mostReadAlone = 100;

export const nobody: ManagedPeople = { people: new Map(), away: new Map(), nonMembers: new Set() };

/** Reads the live roles of the people in a state. An id still identifies its person after the e-mail has changed. */
export async function recordedPeople(context: Context, state: RecordedPeople): Promise<ManagedPeople> {
  const { userIds = {}, previousRoles = {}, pending = [], absent = [], found = [] } = state;
  const roles = mapByKey(state.roles);
  // The undeclared people are found anew at each read (see `findOthers`).
  const foundKeys = [...roles.keys()].filter((key) => found.includes(userIds[key] ?? key));
  for (const key of foundKeys) roles.delete(key);
  const awayBefore = new Set([...pending, ...absent]);
  const personOf = (key: string, member: Member): Person => {
    const { id } = member.user;
    const recordedId = isEmail(key) ? userIds[key] : key;
    const hasNewId = recordedId !== undefined && recordedId !== id;
    // Somebody who has joined, or has come back, was not given the role yet. A previous role from before no longer counts.
    if (awayBefore.has(key) || hasNewId) return { ...newlyManaged(context, member), isNew: true };
    if (recordedId === undefined) return newlyManaged(context, member);
    // If the state has no previous role for a person, the previous role is the recorded one (see `outputsOfPeople`).
    const previousRole = Object.hasOwn(previousRoles, id) ? previousRoles[id] : roles.get(key);
    return recordedPerson(context, member, previousRole, state);
  };
  const recorded = { ...state, roles: Object.fromEntries(roles) };
  const managed = await readPeople(context, recorded, { userIds, wasMember: () => true, personOf });
  return { ...managed, nonMembers: new Set([...managed.nonMembers, ...foundKeys]) };
}

/** Reads the declared people. Refuses two declarations of this run for the same person. */
export async function declaredPeople(
  context: Context,
  declared: Declared,
  before: ManagedPeople,
): Promise<ManagedPeople> {
  const managed = new Map([...before.people.values()].map((person) => [person.member.user.id, person]));
  const userIds = userIdsOf(before);
  const absentIds = new Set([...before.away.values()].map(({ userId }) => userId));
  const { hasRecorded } = managementOf(context.run);
  const wasMember = (name: string) => managed.has(name) || absentIds.has(name) || hasRecorded(name);
  const personOf = (_key: string, member: Member): Person => {
    const person = managed.get(member.user.id);
    return person ? { member, previousRole: person.previousRole } : newlyManaged(context, member);
  };
  const live = await readPeople(context, declared, { userIds, wasMember, personOf });
  const manager = ownManager({ review: reviewOfMany }, context.organizationId, {
    declared: { ...declared },
    recorded: { userIds },
  });
  const people = [...live.people.values()].map(({ member: { user } }) => ({ userId: user.id, email: user.email }));
  if (manager) refuseTwoNames(context.run, manager, people);
  return live;
}

interface Reading {
  /** User ids by declared e-mail, as recorded. */
  readonly userIds: Readonly<Record<string, string>>;
  /** Whether a state has the name. A list that omits a former member does not prove that the person has left. */
  readonly wasMember: (name: string) => boolean;
  readonly personOf: (key: string, member: Member) => Person;
}

/** Reads everybody in one pass: many reads at the same time are combined into pages of the list. */
async function readPeople(context: Context, declared: Declared, reading: Reading): Promise<ManagedPeople> {
  const { userIds, wasMember, personOf } = reading;
  const members = membersOf(context);
  const ignored = matcherOf(declared.ignore ?? []);
  const roles = [...mapByKey(declared.roles)].filter(([key]) => !ignored(matchable(key)));
  // If many people were read without the list, the last few would be read one by one, which takes more requests.
  if (roles.length > mostReadAlone) await members.all(freshEnough);
  const read = async ([key, role]: [string, DeclaredRole | undefined]) => {
    const name = isEmail(key) ? (userIds[key] ?? key) : key;
    const found = wasMember(name) ? await members.find(name, freshEnough) : await members.read(name, freshEnough);
    // A person who has left may have come back under a new id.
    const member = found ?? (name === key ? undefined : await members.read(key, freshEnough));
    return { key, name, role: role ?? "guest", member };
  };
  const people = new Map<string, Person>();
  const away = new Map<string, { role: DeclaredRole; userId?: string }>();
  const nonMembers = new Set<string>();
  for (const { key, name, role, member } of await Promise.all(roles.map(read))) {
    if (member && ignored({ userId: member.user.id, email: member.user.email })) continue;
    if (member) people.set(key, personOf(key, member));
    else if (isEmail(name)) away.set(key, { role });
    else if (wasMember(name)) away.set(key, { role, userId: name });
    else nonMembers.add(key);
  }
  return { people, away, nonMembers };
}

/** The live roles and marks of the declared people, with names as declared. Those of ignored people stay as declared. */
export const liveValues = (managed: ManagedPeople, { roles, sso }: { roles: Roles; sso?: string[] | undefined }) => ({
  roles: liveRoles(managed, roles),
  sso: sso?.filter((user) => {
    const person = managed.people.get(userKey(user));
    return person ? person.member.sso : !managed.nonMembers.has(userKey(user));
  }),
});

function liveRoles({ people, nonMembers }: ManagedPeople, roles: Roles): Record<string, DeclaredRole> {
  const live = new Map<string, DeclaredRole>();
  for (const [user, role] of Object.entries(roles ?? {})) {
    const person = people.get(userKey(user));
    if (person && !isSameRole(person.member.role, role)) live.set(user, roleOf(person));
    else if (person || !nonMembers.has(userKey(user))) live.set(user, role);
  }
  const declared = new Set(Object.keys(roles ?? {}).map(userKey));
  for (const [key, person] of people) if (!declared.has(key)) live.set(key, roleOf(person));
  return Object.fromEntries(live);
}

/** What a state would record of the people. */
export const recordOf = (managed: ManagedPeople) => ({
  roles: Object.fromEntries([
    ...[...managed.people].map(([key, person]) => [key, roleOf(person)]),
    ...[...managed.away].map(([key, { role }]) => [key, role]),
  ]),
  ...outputsOfPeople(managed),
});

const roleOf = ({ member }: Person) => spelledRole(member.role);

/** The engine writes the state at every step, so previous roles that equal the ones in `roles` are omitted to keep it small. */
export function outputsOfPeople(managed: ManagedPeople) {
  const changed = [...managed.people.values()].filter(
    ({ member, previousRole }) => !isSameRole(member.role, previousRole),
  );
  const away = [...managed.away];
  const joined = [...managed.people].filter(([, { isNew }]) => isNew);
  const pending = [...away.filter(([, { userId }]) => userId === undefined), ...joined].map(([key]) => key);
  const absent = away.filter(([, { userId }]) => userId !== undefined).map(([key]) => key);
  const found = [...managed.people.values()].flatMap(({ member, isFound }) => (isFound ? [member.user.id] : []));
  return {
    userIds: userIdsOf(managed),
    previousRoles: Object.fromEntries(changed.map(({ member, previousRole }) => [member.user.id, previousRole])),
    ...(pending.length > 0 && { pending }),
    ...(absent.length > 0 && { absent }),
    ...(found.length > 0 && { found }),
  };
}

function userIdsOf({ people, away }: ManagedPeople): Record<string, string> {
  const ids = [
    ...[...people].map(([key, { member }]) => [key, member.user.id] as const),
    ...[...away].flatMap(([key, { userId }]) => (userId === undefined ? [] : [[key, userId] as const])),
  ];
  return Object.fromEntries(ids.filter(([key]) => isEmail(key)));
}

/** Whether two maps give every user the same role, regardless of the case of e-mails. */
export function sameRoles(a: unknown, b: unknown): boolean {
  const [one, other] = [mapByKey(a as Roles), mapByKey(b as Roles)];
  return one.size === other.size && [...one].every(([key, role]) => other.has(key) && isSameRole(role, other.get(key)));
}

export const mapByKey = <Value>(users: Readonly<Record<string, Value>> | undefined) =>
  new Map(Object.entries(users ?? {}).map(([user, value]) => [userKey(user), value]));
