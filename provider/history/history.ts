import { isDeepStrictEqual } from "node:util";
import { stringsIn } from "../access/assignments";
import { planAccess } from "../access-plan/access-plan";
import type { AccessChange } from "../access-plan/change";
import type { LivePlace, Manager, RecordedAssignment } from "../access-plan/input";
import { keyOfPlace, nothing, type Place, unknown } from "../access-plan/place";
import { ignores } from "../access-plan/subjects";
import { DocsError } from "../api/http/errors";
import { recordedManager } from "../audit/access";
import { type AuditedResource, type StackState, servicesOf } from "../audit/state";
import { recordedProperties } from "../lifecycle/manager";
import { isEmail, userKey } from "../people/user";
import { grantsIn } from "../review/model/component-notes";
import { definitionOf } from "../review/model/definitions";
import { resourceIn } from "../review/model/preview";
import { changeOf, type ResourceChange } from "../review/model/properties";
import { type Properties, pick, propertiesIn } from "../run/properties";
import { visible } from "../text/visible";
import type { StackVersion, Update } from "./version";

/** What the access of a person in one place was, and what it became. */
export interface AccessEvent {
  readonly update: Update;
  /** The user id, or the e-mail in lower case if no member had it. */
  readonly person: string;
  readonly place: Place;
  /** `unknown`: nothing recorded it. */
  readonly before: string;
  readonly after: string;
  /** `released`: the stack no longer manages it, so later changes are not recorded. */
  readonly status: "managed" | "pending" | "absent" | "released";
  /**
   * `update`: made by the update. `outside`: made outside Pulumi, and seen first by this update; or
   * made by a killed run, unless the update's `interruptedBefore` is known and has no such resource. `taken`: managed from now on.
   * `unclear`: the records do not say which of them it was.
   */
  readonly cause: "update" | "outside" | "taken" | "unclear";
  readonly reason?: string | undefined;
  readonly expires?: string | undefined;
  /** `MemberRoles acme-members` */
  readonly resource: string;
}

/** A change of another object. */
export interface ObjectEvent extends Pick<AccessEvent, "update"> {
  readonly cause: AccessEvent["cause"];
  readonly change: ResourceChange;
  readonly site?: string;
}

/** What the history does not know. */
export interface Gap {
  readonly update: Update;
  /**
   * `earlier`: the versions before are not kept. `missing`: this version is not. `failed`: the update has made a part.
   * `interrupted`: nobody knows whether the changes of `resources` were made. `killed`: such a run was before this update, which has
   * found what it did. `unrecorded`: the state was changed without an update.
   * `lost`: the state begins again, without what the versions before have. `between`: something has changed the state since the
   * version before: an update of which nothing is kept, or a run that was killed.
   */
  readonly kind: "earlier" | "missing" | "failed" | "interrupted" | "killed" | "unrecorded" | "lost" | "between";
  readonly resources: readonly string[];
}

export type History = Readonly<Omit<Walk, "add">>;

/** Compares the versions of a stack's state, the oldest first. */
export async function historyOf(versions: AsyncIterable<StackVersion> | Iterable<StackVersion>): Promise<History> {
  const walk = new Walk();
  for await (const version of versions) walk.add(version);
  return walk;
}

/** What one state records. */
interface Recorded {
  readonly state: StackState;
  readonly resources: ReadonlyMap<string, AuditedResource>;
}

const empty: Recorded = { state: { name: "", source: "", resources: [], notes: [] }, resources: new Map() };

/** Without the names of stack and project, which may change. */
const keyOfResource = ({ urn, operation }: AuditedResource): string =>
  `${urn.replace(/^urn:pulumi:[^:]+::[^:]+/, "")} ${operation}`;

type Held = Pick<AccessEvent, "after" | "status">;

class Walk {
  stack = "";
  /** Ids of the organizations that the newest state with resources manages. */
  organizations: ReadonlySet<string> = new Set();
  /** See `servicesOf`. */
  services: Readonly<Record<string, string>> = {};
  readonly updates: Update[] = [];
  readonly access: AccessEvent[] = [];
  readonly objects: ObjectEvent[] = [];
  readonly gaps: Gap[] = [];
  /** All names that the states have had for a person, by user id. The last one is the newest. */
  readonly names = new Map<string, Set<string>>();
  /** User ids by e-mail, as the newest state has them. */
  readonly links = new Map<string, string>();
  /** The newest titles of teams, by id. */
  readonly teams = new Map<string, string>();
  private last: Recorded | undefined;
  private lastEnd = "";
  /** What the state since the last version still has as interrupted: the engine keeps a creation for ever. */
  private interrupted = new Set<string>();
  /** A run was killed, and no update has looked at the whole stack since. */
  private isAfterKill = false;
  private readonly held = new Map<string, Held>();
  /** A version since the last known state is missing. */
  private isMissing = false;
  /** Some state has recorded writes, so an update without any has changed no access. */
  private recordsWrites = false;

  add(version: StackVersion): void {
    const { state, modified, interrupted } = version;
    const update = this.afterKill(this.ordered(withoutNotes(version.update, this.last?.state, state)));
    if (update.kind !== "none") this.updates.push(update);
    // A state with changes after the update is the one of a later version.
    const isOfLater = update.kind !== "none" && modified.some((time) => isAfter(time, update.end));
    if (!state || isOfLater) {
      this.isMissing = true;
      this.lastEnd = update.end;
      this.note(update, "missing");
      return;
    }
    if (state.resources.length > 0) this.identifyStack(state, update);
    this.noteGapsBefore(version, update);
    if (update.result === "failed") this.note(update, "failed");
    this.noteInterrupted(update, "killed", version.update.interruptedBefore ?? []);
    this.noteInterrupted(update, "interrupted", interrupted);
    this.interrupted = new Set(interrupted);
    for (const { teams = [] } of state.notes) for (const { id, title } of teams) this.teams.set(id, title);
    const now = { state, resources: new Map(state.resources.map((one) => [keyOfResource(one), one])) };
    this.compareAccess(this.last ?? empty, now, update);
    this.compareObjects(this.last ?? empty, now, update);
    if (update.kind === "none" && [...this.access, ...this.objects].some((one) => one.update === update))
      this.note(update, "unrecorded");
    this.last = now;
    this.lastEnd = update.end;
    this.isMissing = false;
  }

  private identifyStack(state: StackState, update: Update): void {
    this.stack = state.name;
    const ids = state.resources.map(({ live }) => live?.outputs.organizationId ?? live?.inputs.organizationId);
    const organizations = new Set(ids.filter((id) => typeof id === "string"));
    this.refuseOthers(organizations, update);
    this.organizations = organizations;
    this.services = servicesOf([state]);
  }

  /** What happened between the last state and this one, and no version shows. */
  private noteGapsBefore({ isContinued, oldest = "", modified }: StackVersion, update: Update): void {
    if (!this.last) {
      this.isMissing ||= isContinued;
      if (isContinued) this.note(update, "earlier");
      return;
    }
    // Nothing is left of the last state. An update without a record, such as a killed one, may have begun the new one.
    const isLost = !this.isMissing && this.last.resources.size > 0 && oldest > this.lastEnd;
    const isBetween = (time: string) => isAfter(time, this.lastEnd) && isAfter(update.start, time);
    const hasBetween = !isLost && update.kind !== "none" && modified.some(isBetween);
    if (isLost) this.note(update, "lost");
    if (hasBetween) this.note(update, "between");
    this.isMissing ||= isLost || hasBetween;
  }

  /** No update changes the organization of resources that a stack has: such a state is of another stack. */
  private refuseOthers(organizations: ReadonlySet<string>, { version }: Update): void {
    const isSame = [...organizations].some((id) => this.organizations.has(id));
    if (isSame || organizations.size === 0 || this.organizations.size === 0 || !this.last?.resources.size) return;
    throw new DocsError(
      `the state of version ${version} is of organization ${visible([...organizations].join(", "))}, and the one before is of ${visible([...this.organizations].join(", "))}; use the versions of one organization`,
    );
  }

  /** Tells updates apart that ended in the same second. */
  private ordered(update: Update): Update {
    const others = this.updates.filter(({ end }) => end === update.end).length;
    if (others === 0) return update;
    const order = `${update.end}#${String(others + 1).padStart(5, "0")}`;
    const version = update.version === update.end ? `${update.end}#${others + 1}` : update.version;
    return { ...update, order, version };
  }

  /** Any change that an update finds after a kill may be by that run, or by one that was killed before it. */
  private afterKill(update: Update): Update {
    this.isAfterKill ||= (update.interruptedBefore ?? []).some((urn) => !this.interrupted.has(urn));
    if (!this.isAfterKill) return update;
    this.isAfterKill = update.isLimited === true || update.result !== "succeeded";
    const { interruptedBefore: _, ...rest } = update;
    return rest;
  }

  private noteInterrupted(update: Update, kind: "killed" | "interrupted", urns: readonly string[]): void {
    const found = urns.filter((urn) => !this.interrupted.has(urn));
    for (const urn of found) this.interrupted.add(urn);
    const resources = found.map((urn) => resourceIn(urn) ?? urn);
    if (found.length > 0) this.note(update, kind, resources);
  }

  private note(update: Update, kind: Gap["kind"], resources: readonly string[] = []): void {
    this.gaps.push({ update, kind, resources });
  }

  /** The change between two states, as the access plan has it: what one records and the other declares. */
  private compareAccess(before: Recorded, now: Recorded, update: Update): void {
    const ids = [...new Set([...before.resources.keys(), ...now.resources.keys()])];
    const both = ids.map((id) => [before.resources.get(id), now.resources.get(id)] as const);
    // Resources that are the same objects as before have not changed (see `readerOfMany`).
    const changed = both.filter(([was, is]) => was !== is);
    const names = new Set(changed.flatMap(differing));
    for (const [, is] of changed) this.noteNames(managerWith(names, is)?.recorded?.userIds ?? {});
    const traces = tracesOf(before, now, update);
    this.recordsWrites ||= traces.size > 0;
    // Only people with a difference: a state may have thousands of others.
    const users = new Set([...names, ...traces.keys()].map(this.userOf));
    if (users.size === 0) return;
    const keys = new Set([...users].flatMap((user) => [user, ...(this.names.get(user) ?? [])]));
    const only: OnlyChanged = (all = []) =>
      all.map((one) => ({ ...one, user: this.userOf(one.user) })).filter(({ user }) => users.has(user));
    const pairs = both
      .map(([was, is]) => {
        const before = managerWith(keys, was);
        return [before, was === is ? before : managerWith(keys, is)] as const;
      })
      .filter((pair) => pair.some(Boolean));
    const managers = pairs.map((pair) => managerBetween(pair, only));
    const { subjects } = planAccess({
      people: [...users].flatMap((userId) => {
        const names = this.emailsOf(userId);
        return names.map((email) => ({ userId, email, names }));
      }),
      arePeopleComplete: false,
      places: levelsIn(managers),
      managers,
      isEverybodyShown: true,
      grants: { recorded: before.state.notes.flatMap(grantsIn), declared: now.state.notes.flatMap(grantsIn) },
    });
    const recorded = pairs.flatMap(([, is]) => only(is?.recorded?.assignments));
    const assignments = new Map(recorded.map((one) => [keyOfPersonIn(one.user, one.place), one]));
    const areas = new Map(pairs.flatMap(([was]) => (was?.area ? [[keyOfPlace(was.area), was] as const] : [])));
    const goneManagers = new Set(pairs.flatMap(([was, is]) => (was && !is ? [was.id] : [])));
    const areDeleted = hasDeleted(update, goneManagers.size);
    for (const change of subjects) {
      const { person, place, by } = change;
      const whole = place.kind === "team" ? areas.get(keyOfPlace(place)) : undefined;
      const assignment = assignments.get(keyOfPersonIn(person.id, place));
      const wasWhole = !!whole && !ignores(whole, person);
      const isDeleted = goneManagers.has(by.id) ? areDeleted : "not gone";
      this.compare(change, { update, assignment, wasWhole, ...this.evidenceOf(change, update, traces, isDeleted) });
    }
  }

  /** How far the update is known to have made a change. `isDeleted`: whether it has deleted the resource that managed the person. */
  private evidenceOf(
    { person, place, after }: AccessChange,
    { result }: Update,
    traces: Traces,
    isDeleted: boolean | undefined | "not gone",
  ): Pick<Compared, "replaced" | "evidence" | "isUntouched"> {
    const isWhole = !this.isMissing && result === "succeeded";
    const trace = traces.get(person.id)?.get(place.team ?? "");
    const isUntouched = !trace && isWhole && (isDeleted === "not gone" || isDeleted === false);
    // A write that has replaced a level does not leave it, so the state only repeats an earlier one.
    if (trace && !trace.levels.every((one) => one === after))
      return { replaced: trace.replaced, evidence: this.isMissing ? undefined : trace.isOwn, isUntouched };
    // Where states record writes, an update without any of them proves nothing.
    const isProven = traces.size > 0 || !this.recordsWrites;
    const isChangedWithoutTrace = isProven ? traces.size === 0 : undefined;
    const evidenceOfWhole = isDeleted === "not gone" ? isChangedWithoutTrace : isDeleted;
    return { replaced: trace?.replaced ?? [], evidence: isWhole ? evidenceOfWhole : undefined, isUntouched };
  }

  private compare(change: AccessChange, compared: Compared): void {
    const { update, assignment, wasWhole, replaced, evidence, isUntouched } = compared;
    const { person, place, by, grant = {} } = change;
    const was = this.heldBy(change);
    const isManagedNow = !was || was.status === "released";
    const status = statusOf(change, assignment);
    // Who leaves the organization is recorded in its teams until these are updated.
    const isUnproven = status === "released" && evidence !== true && change.before !== change.after;
    const provenLevel = isUnproven ? unknown : change.after;
    const level = change.cause === "left" ? (assignment?.level ?? change.after) : provenLevel;
    // Of a person who was not there, such an update has found nothing to release.
    const isNotFound = isUnproven && isUntouched && (was?.status === "pending" || was?.status === "absent");
    const after = status === "absent" || isNotFound ? nothing : level;
    if (was && was.after === after && was.status === status && replaced.every((one) => one === after)) return;
    this.held.set(keyOfPersonIn(person.id, place), { after, status });
    const beforeWhole = wasWhole ? nothing : undefined;
    // No state has the previous role of a person who left before the stack managed it.
    const previous = status === "absent" ? undefined : assignment?.previous;
    const known = isManagedNow ? (previous ?? replaced.at(-1) ?? beforeWhole) : levelOf(was);
    // Versions that are missing may have taken the level away and given it again.
    const before = isManagedNow && this.isMissing && known === after ? unknown : (known ?? unknown);
    const common = { update, person: person.id, place, resource: by.name };
    // The record of its writes says that the update has found another level, and replaced it.
    // If it has replaced the level that it knew as well, it took several writes, as the removal of an administrator does.
    const isOwn = isManagedNow || replaced.includes(before);
    const found = isOwn ? undefined : replaced.filter((one) => one !== before && one !== after).at(-1);
    const causeOfFound = this.isMissing ? "unclear" : "outside";
    if (found !== undefined)
      this.access.push({ ...common, before, after: found, status: "managed", cause: causeOfFound });
    const isFound = assignment?.isFound === true;
    const isTaken = isManagedNow && !isFound && [after, unknown].includes(before);
    // Only a level that changes needs a write; who leaves the organization leaves the teams by the same one.
    const isSent = status !== "pending" && before !== after && change.cause !== "left";
    const isOutside = status === "absent" || isFound || (isSent && evidence === false);
    const isUnclear = isSent && evidence === undefined;
    const causeOfRest = evidence ? "update" : "unclear";
    const cause = found === undefined ? this.causeOf(update, { isTaken, isOutside, isUnclear }) : causeOfRest;
    // The file has no reason for what somebody did elsewhere, nor for what follows a grant.
    const terms = !isOutside && update.kind !== "refresh" ? (grant.declared ?? grant.recorded) : undefined;
    const { reason, expires } = (terms?.role ?? after) === after ? (terms ?? {}) : {};
    this.access.push({ ...common, before: found ?? before, after, status, cause, reason, expires });
  }

  /** A pending person is known by the e-mail until somebody joins with it; the earlier events are then of that person. */
  private heldBy({ person, place }: AccessChange): Held | undefined {
    const name = [person.id, ...person.keys.filter(isEmail)].find((one) => this.held.has(keyOfPersonIn(one, place)));
    if (name === undefined) return undefined;
    const key = keyOfPersonIn(name, place);
    const held = this.held.get(key) as Held;
    if (name === person.id) return held;
    this.held.delete(key);
    this.held.set(keyOfPersonIn(person.id, place), held);
    for (const [index, one] of this.access.entries())
      if (keyOfPersonIn(one.person, one.place) === key) this.access[index] = { ...one, person: person.id };
    return held;
  }

  private causeOf(update: Update, { isTaken = false, isOutside = false, isUnclear = false }): AccessEvent["cause"] {
    if (isTaken) return "taken";
    if (isOutside) return "outside";
    if (this.isMissing || update.result !== "succeeded") return "unclear";
    if (update.kind === "refresh" || update.changed === 0) return "outside";
    return isUnclear ? "unclear" : "update";
  }

  private compareObjects(before: Recorded, now: Recorded, update: Update): void {
    const keys = new Set([...before.resources.keys(), ...now.resources.keys()]);
    const areDeleted = hasDeleted(update, [...keys].filter((key) => !now.resources.has(key)).length);
    for (const key of keys) {
      const [was, is] = [before.resources.get(key), now.resources.get(key)];
      const one = (is ?? was) as AuditedResource;
      if (was === is || definitionOf(one)?.review?.access || isSameDeclaration(was, is)) continue;
      const laterOperation = is ? "update" : "delete";
      const operation = was ? laterOperation : "create";
      const sides = { recorded: undefined, live: was?.live, declared: is?.live?.inputs, retained: undefined };
      const changed = changeOf(
        { ...one, ...sides, operation, lostProtection: [], protection: [] },
        { refreshed: false },
      );
      if (!changed) continue;
      // Every declaration has the organization, and an import records none.
      const properties = changed.properties.filter(({ name, before }) => name !== "organizationId" || before);
      const change = { ...changed, properties };
      const site = one.type === "Site" ? one.id : (one.live?.inputs.siteId ?? one.live?.outputs.siteId);
      // The versions before the first one may have the creation.
      const isTaken = !was && (update.kind === "resource-import" || (!this.last && this.isMissing));
      const cause = this.causeOf(update, { isTaken, isUnclear: !is && areDeleted !== true });
      this.objects.push({ update, cause, change, ...(site !== undefined && { site: String(site) }) });
    }
  }

  private noteNames(userIds: Readonly<Record<string, string>>): void {
    for (const [email, userId] of Object.entries(userIds)) {
      if (this.links.get(email) === userId) continue;
      this.links.set(email, userId);
      const names = this.names.get(userId) ?? new Set();
      names.delete(email);
      this.names.set(userId, names.add(email));
    }
  }

  private userOf = (name: string): string => this.links.get(userKey(name)) ?? userKey(name);

  private emailsOf = (userId: string): string[] =>
    [...(this.names.get(userId) ?? [])].filter((email) => this.links.get(email) === userId);
}

/** An up after a killed run changes the notes, which are recorded last, although it may have found everything else as declared. */
function withoutNotes(update: Update, last?: StackState, state?: StackState): Update {
  const known = last?.notes ?? [];
  const written = state?.notes.filter((one) => !known.some((other) => isDeepStrictEqual(one, other))) ?? [];
  return { ...update, changed: Math.max(0, update.changed - written.length) };
}

interface Compared {
  readonly update: Update;
  readonly assignment: RecordedAssignment | undefined;
  /** A manager of everybody in the place had recorded that the person was not in it. */
  readonly wasWhole: boolean;
  /** The levels that the update has replaced, as far as the state records writes. */
  readonly replaced: readonly string[];
  /** Whether the update has changed the level: not if it has recorded other writes only, or deleted nothing. `undefined`: not known. */
  readonly evidence: boolean | undefined;
  /** The update has ended well, and has recorded no write about the person. */
  readonly isUntouched: boolean;
}

/** Whether the update has deleted the resources that are gone; `undefined` if it has deleted only some of them. */
function hasDeleted({ deleted }: Update, gone: number): boolean | undefined {
  if (deleted >= gone) return true;
  return deleted === 0 ? false : undefined;
}

/** The subject of an event. */
export const keyOfPersonIn = (person: string, place: Place): string => `${keyOfPlace(place)} ${person}`;

/** What the person has: before somebody joins, nothing. */
export const levelOf = ({ after, status }: Held): string => (status === "pending" ? nothing : after);

/** An import records no organization; the first update after it adds it. */
function isSameDeclaration(was: AuditedResource | undefined, is: AuditedResource | undefined): boolean {
  const [before, now] = [was?.live?.inputs, is?.live?.inputs];
  return isDeepStrictEqual(before && { ...pick(now ?? {}, ["organizationId"]), ...before }, now);
}

/** The properties of resources with an entry for each person. */
const ofPeople = ["roles", "members", "userIds", "previousRoles", "sso", "pending", "absent", "found"];

const propertiesOf = (one: AuditedResource | undefined): Properties => (one?.live ? recordedProperties(one.live) : {});

/** The people that two records of a resource have different entries for; everybody, if something else differs. */
function differing([was, is]: readonly [AuditedResource | undefined, AuditedResource | undefined]): string[] {
  const [before, now] = [propertiesOf(was), propertiesOf(is)];
  const isList = (name: string) => isListOfPeople(name, before[name]) && isListOfPeople(name, now[name]);
  const isSame = (name: string) => isList(name) || isDeepStrictEqual(before[name], now[name]);
  if (!was || !is || !Object.keys({ ...before, ...now }).every(isSame))
    return [was, is].flatMap((one) => {
      const { userIds = {}, assignments = [] } = managerWith(undefined, one)?.recorded ?? {};
      return [...Object.keys(userIds), ...assignments.map(({ user }) => userKey(user))];
    });
  const changed = ofPeople.flatMap((name) => {
    const [a, b] = [entriesIn(before[name]), entriesIn(now[name])];
    return [...new Set([...a.keys(), ...b.keys()])].filter((user) => a.get(user)?.[1] !== b.get(user)?.[1]);
  });
  const idsIn = ({ userIds }: Properties) => changed.map((user) => propertiesIn(userIds)[user]);
  return [...changed, ...stringsIn([...idsIn(before), ...idsIn(now)])];
}

const isListOfPeople = (name: string, value: unknown): boolean =>
  ofPeople.includes(name) && (value === undefined || typeof value === "object");

/** Most resources stay the same in many versions. */
const indexes = new WeakMap<object, ReadonlyMap<string, readonly [user: string, entry: unknown]>>();

/** The entries of a list or map by the key of the person. */
function entriesIn(all: unknown): ReadonlyMap<string, readonly [user: string, entry: unknown]> {
  const known = indexes.get(propertiesIn(all));
  if (known) return known;
  const entries = Array.isArray(all)
    ? all.map((user) => [String(user), user] as const)
    : Object.entries(propertiesIn(all));
  const index = new Map(entries.map((one) => [userKey(one[0]), one]));
  indexes.set(propertiesIn(all), index);
  return index;
}

/** The manager that a resource is, with what it records of these people only. */
function managerWith(names: ReadonlySet<string> | undefined, one: AuditedResource | undefined): Manager | undefined {
  if (!one) return undefined;
  const properties = propertiesOf(one);
  const lists = names ? Object.keys(properties).filter((name) => isListOfPeople(name, properties[name])) : [];
  const restricted = lists.map((name) => {
    const index = entriesIn(properties[name]);
    const entries = [...(names ?? [])].map((user) => index.get(user)).filter((entry) => entry !== undefined);
    return [name, Array.isArray(properties[name]) ? entries.map(([, user]) => user) : Object.fromEntries(entries)];
  });
  const live = { inputs: {}, outputs: { ...properties, ...Object.fromEntries(restricted) } };
  return recordedManager({ ...one, live }, String(properties.organizationId ?? ""), { withFound: true });
}

type OnlyChanged = <One extends { readonly user: string }>(all?: readonly One[]) => One[];

/** The manager as an update finds it: with what one state records and the next one declares. */
function managerBetween([was, is]: readonly [Manager | undefined, Manager | undefined], only: OnlyChanged): Manager {
  const { id, name, area } = (is ?? was) as Manager;
  const { declared } = is ?? {};
  const { recorded } = was ?? {};
  return {
    id,
    name,
    ...(area && { area }),
    ...(declared && { declared: { ...declared, assignments: only(declared.assignments) } }),
    ...(recorded && { recorded: { ...recorded, userIds: {}, assignments: only(recorded.assignments) } }),
  };
}

function levelsIn(managers: readonly Manager[]): LivePlace[] {
  const places = new Map<string, { place: Place; levels: Map<string, string>; isComplete: boolean }>();
  const assignments = managers.flatMap(({ recorded }) => recorded?.assignments ?? []);
  for (const { place, user, level, isPending, isAbsent } of assignments) {
    const entry = places.get(keyOfPlace(place)) ?? { place, levels: new Map(), isComplete: false };
    places.set(keyOfPlace(place), entry);
    if (!isPending && !isAbsent) entry.levels.set(user, level);
  }
  return [...places.values()];
}

function statusOf({ declaredBy, state }: AccessChange, now: RecordedAssignment | undefined): AccessEvent["status"] {
  if (declaredBy.length === 0) return "released";
  if (now?.isAbsent) return "absent";
  return now?.isPending || now?.isNew || (!now && state === "pending") ? "pending" : "managed";
}

/** States repeat a write for the settle time, which is at most this long, in seconds. */
const longestSettleTime = 600;
/** By which the clocks of the service and of the engine may differ, in seconds. */
export const skew = 60;

const isAfter = (time: string, other: string): boolean => Date.parse(time) > Date.parse(other) + skew * 1_000;

/** Writes by user id, and then by team. The role has the empty team. */
type Traces = ReadonlyMap<string, ReadonlyMap<string, Written>>;

interface Written {
  readonly levels: string[];
  /** The levels without those that the state may only repeat. */
  readonly replaced: string[];
  /** `undefined`: by a run that has left no version, because it was killed. */
  isOwn?: true;
}

/** The levels that writes between the two states have replaced. */
function tracesOf(before: Recorded, now: Recorded, { start }: Update): Traces {
  const known = new Map([...before.resources.values()].flatMap(listTraces).map(({ key, at }) => [key, at]));
  const traces = new Map<string, Map<string, Written>>();
  const changed = [...now.resources].flatMap(([id, one]) => (before.resources.get(id) === one ? [] : listTraces(one)));
  for (const { key, at, person, team, level } of changed) {
    const last = known.get(key) ?? 0;
    if (at <= last) continue;
    const ofPerson = traces.get(person) ?? new Map<string, Written>();
    const trace = ofPerson.get(team) ?? { levels: [], replaced: [] };
    trace.levels.push(level);
    if (at >= Date.parse(start) / 1_000 - skew) trace.isOwn = true;
    // The state may only repeat the earlier write.
    if (at >= last + longestSettleTime) trace.replaced.push(level);
    traces.set(person, ofPerson.set(team, trace));
  }
  return traces;
}

function listTraces({ written }: AuditedResource) {
  const { at, was } = propertiesIn(written);
  return Object.entries(propertiesIn(was)).flatMap(([subject, levels]) => {
    const [, team = "", person] = /^(?:member:|team:(.*)\/)([^/]+)$/.exec(subject) ?? [];
    if (person === undefined) return [];
    return [levels].flat().map((one) => {
      const level = String(one ?? nothing).replace(/ sso$/, "");
      return { key: `${subject} ${level}`, at: Number(at), person, team, level };
    });
  });
}
