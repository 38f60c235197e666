import type { AccessInput, LivePerson, LivePlace, Manager, RecordedAssignment } from "../../access-plan/input";
import { isKnownLevel, keyOfPlace, nothing, type Place } from "../../access-plan/place";
import { managerOf, recordedProperties } from "../../lifecycle/manager";
import { isAnonymous, isEmail, userKey } from "../../people/user";
import { containsSecret, isUnseen, type Properties } from "../../run/properties";
import { grantsOf, type LiveAccess, liveAccessOf } from "./component-notes";
import { definitionOf, inputKindOf } from "./definitions";
import { linksIn, People } from "./people";
import type { Preview, Resource } from "./preview";

/** What a preview shows of access: declared, recorded and live, as the input of the access plan. */
export interface AccessOfPreview {
  readonly input: AccessInput;
  readonly people: People;
  /** Ids of the managers whose resources change. */
  readonly changing: ReadonlySet<string>;
  readonly refreshed: boolean;
}

export const isAccess = (resource: Resource): boolean => definitionOf(resource)?.review?.access !== undefined;

export const managesTeam = (resource: Resource): boolean => definitionOf(resource)?.wholeTeam === true;

/** Whether the resource takes over a whole team that it did not manage before. */
export function takesTeam(resource: Resource): boolean {
  const { operation, live, declared } = resource;
  const hasOtherTeam = live?.inputs.teamId !== declared?.teamId;
  return managesTeam(resource) && (operation === "create" || (operation === "replace" && hasOtherTeam));
}

/** The organization of a resource: declared, live or recorded, otherwise that of the stack. A replacement may change it. */
export function organizationsOf({ resources, config }: Preview): (resource: Resource, side?: Side) => string {
  const ids = new Set(resources.map((resource) => organizationIdOf(resource, "declared")));
  const [firstId = "", ...otherIds] = [...ids].filter((id) => typeof id === "string");
  const configured = config["docs:organizationId"];
  const onlyId = otherIds.length === 0 ? firstId : "";
  const fallback = typeof configured === "string" ? configured : onlyId;
  return (resource, side = "declared") => {
    const id = organizationIdOf(resource, side);
    return typeof id === "string" && !isUnseen(id) ? id : fallback;
  };
}

type Side = "recorded" | "live" | "declared";

/** A side without an id has that of the nearest side before it, otherwise that of a later one. */
const sidesToAsk: Readonly<Record<Side, readonly Side[]>> = {
  recorded: ["recorded", "live", "declared"],
  live: ["live", "recorded", "declared"],
  declared: ["declared", "live", "recorded"],
};

function organizationIdOf({ recorded, live, declared }: Resource, side: Side): unknown {
  const properties = { recorded: recorded?.outputs, live: live?.outputs, declared };
  return sidesToAsk[side].map((one) => properties[one]?.organizationId).find(Boolean);
}

/** Reads who has what, and which resource is responsible for it. */
export function readAccess(preview: Preview): AccessOfPreview {
  const organizationOf = organizationsOf(preview);
  const people = new People(preview.resources);
  const live = liveAccessOf(preview);
  const allSides = preview.resources.map((one) => readSides(one, organizationOf, people));
  const input = {
    people: livePeopleOf(live, allSides, people),
    arePeopleComplete: false,
    places: placesOf(allSides, live, people),
    managers: allSides.flatMap((one) => managersOf(one, organizationOf(one.resource))),
    isEverybodyShown: true,
    grants: { recorded: grantsOf(preview, "recorded"), declared: grantsOf(preview, "declared") },
  };
  const changing = preview.resources.filter(({ operation }) => operation !== "same").map(({ urn }) => urn);
  return { input, people, changing: new Set(changing), refreshed: preview.refreshed };
}

function livePeopleOf(live: readonly LiveAccess[], allSides: readonly AllSides[], people: People): LivePerson[] {
  const disabled = new Set<string>();
  const emails = new Map<string, string>();
  for (const { user, userId, isDisabled, hidesEmail } of live) {
    if (userId === undefined) continue;
    if (isDisabled) disabled.add(userId);
    // A component changes a person who hides the e-mail only if no e-mail or pattern of the file may mean this person.
    if (hidesEmail || isEmail(user)) emails.set(userId, user);
  }
  // A refresh names undeclared people in a team by e-mail. Those that it names by id hide the e-mail.
  const found = allSides.flatMap(({ sides }) => sides.live.filter(({ isFound }) => isFound).map(({ user }) => user));
  const hiding = new Set(found.filter((user) => !emails.has(user) && !people.of(user).keys.some(isEmail)));
  const linked = people.linked().map(({ id }) => id);
  const userIds = new Set([...linked, ...disabled, ...emails.keys(), ...hiding]);
  return [...userIds].map((userId) => {
    const email = emails.get(userId);
    const isEmailUnknown = email === undefined && !hiding.has(userId);
    return { userId, names: people.of(userId).keys, email, isEmailUnknown, isDisabled: disabled.has(userId) };
  });
}

interface AllSides {
  readonly resource: Resource;
  /** What the preview shows of its people before the refresh, after it, and as declared. */
  readonly sides: Readonly<Record<Side, readonly RecordedAssignment[]>>;
}

function readSides(resource: Resource, organizationOf: ReturnType<typeof organizationsOf>, people: People): AllSides {
  const { type, name, recorded, live, declared } = resource;
  const { access } = definitionOf(resource)?.review ?? {};
  const assignmentsAt = (side: Side, properties: Properties | undefined) => {
    if (!access || !properties) return [];
    const userIds = recordedUserIds(resource, side);
    const secretUserId = side === "declared" ? userIdOfSameSecret(resource) : undefined;
    const giver = { type, name, organization: organizationOf(resource, side) };
    return access(properties, giver).map((assignment) => {
      const { user } = assignment;
      const userId = secretUserId ?? userIds.get(user) ?? userIds.get(userKey(user));
      return { ...assignment, user: people.of(userId ?? user).id };
    });
  };
  const sides = {
    recorded: assignmentsAt("recorded", recorded && recordedProperties(recorded)),
    live: assignmentsAt("live", live && recordedProperties(live)),
    declared: assignmentsAt("declared", declared),
  };
  return { resource, sides };
}

/** A resource keeps the person of its state, also if another person has the e-mail now; a replacement looks the e-mail up. */
function recordedUserIds({ recorded, live, operation }: Resource, side: Side): ReadonlyMap<string, string> {
  if (side === "declared" && operation === "replace") return new Map();
  return linksIn(side === "recorded" ? recorded : live);
}

/** A user that is secret before and after counts as the same person, who has the recorded user id. */
function userIdOfSameSecret({ declared, live }: Resource): string | undefined {
  const { user, userId } = live?.outputs ?? {};
  const isSameSecret = containsSecret(declared?.user) && containsSecret(user);
  return isSameSecret && typeof userId === "string" ? userId : undefined;
}

/** The live levels that resources and components show, and the teams of which they show everybody. */
function placesOf(allSides: readonly AllSides[], live: ReturnType<typeof liveAccessOf>, people: People): LivePlace[] {
  const places = new Map<string, { place: Place; levels: Map<string, string>; isComplete: boolean }>();
  const placeAt = (place: Place) => {
    const entry = places.get(keyOfPlace(place)) ?? { place, levels: new Map<string, string>(), isComplete: false };
    places.set(keyOfPlace(place), entry);
    return entry;
  };
  for (const { sides } of allSides)
    for (const { place, user, level, isPending, isAbsent } of sides.live) {
      const { levels } = placeAt(place);
      if (!isPending && !isAbsent && !levels.has(user)) levels.set(user, level);
    }
  for (const { user, userId, place, level } of live.filter((one) => isKnownLevel(one.level))) {
    const entry = placeAt(place);
    const { id } = people.of(user);
    if (userId !== undefined && !entry.levels.has(id)) entry.levels.set(id, level);
    // A component that shows one level in a team shows everybody in it.
    if (place.kind === "team") entry.isComplete = true;
  }
  // What the refresh no longer shows is gone. Without a refresh, no resource has a recorded side.
  for (const { sides } of allSides) {
    const shown = new Set(sides.live.map(({ user }) => user));
    for (const { place, user } of sides.recorded) {
      const { levels } = placeAt(place);
      if (!levels.has(user) && !shown.has(user)) levels.set(user, nothing);
    }
  }
  const wholeTeams = allSides.filter(({ resource }) => managesTeam(resource) && !takesTeam(resource));
  for (const { sides } of wholeTeams)
    for (const { place } of [...sides.live, ...sides.declared]) placeAt(place).isComplete = true;
  return [...places.values()];
}

/** A replaced resource is two managers: one that is deleted, and one that is created. */
function managersOf({ resource, sides }: AllSides, organization: string): Manager[] {
  const definition = definitionOf(resource);
  const { urn: id, type, name, operation, declared, live, recorded, retained } = resource;
  const before = live ?? recorded;
  if (!definition) return [];
  const properties = {
    declared,
    recorded: before && recordedProperties(before),
    retained,
    isHidden: hidesRelease(resource, sides.declared),
    assignments: { declared: sides.declared, recorded: recordedIn(sides) },
  };
  const manager = managerOf(definition, { id, type, name, organization }, properties);
  if (!manager) return [];
  if (operation !== "replace") return [manager];
  const { declared: _declaration, ...deleted } = manager;
  const { recorded: _state, ...created } = manager;
  return [deleted, created];
}

/** What the state has after the refresh, with the levels from before it. */
function recordedIn({ recorded, live }: AllSides["sides"]): RecordedAssignment[] {
  if (recorded.length === 0) return [...live];
  const keyOf = ({ place, user }: RecordedAssignment) => `${keyOfPlace(place)} ${user}`;
  const before = new Map(recorded.map((one) => [keyOf(one), one]));
  const after = new Set(live.map(keyOf));
  const stillLive = live.map((one) => {
    const earlier = before.get(keyOf(one));
    // Nobody has changed the level of a person who has joined or come back since, so the live level counts. A new person with a
    // role was found undeclared, or has come back under a new id: nobody knows an earlier level.
    const hasNoEarlierLevel = earlier ? isAway(earlier) : one.place.kind !== "team";
    return { ...one, level: hasNoEarlierLevel ? one.level : (earlier?.level ?? nothing) };
  });
  return [...stillLive, ...recorded.filter((one) => !isAway(one) && !after.has(keyOf(one)))];
}

const isAway = ({ isPending, isAbsent }: RecordedAssignment) => isPending || isAbsent;

/** Whether the preview hides an option, a pattern of ignored people, or a person who may still be declared. */
function hidesRelease(resource: Resource, assignments: readonly RecordedAssignment[]): boolean {
  const { declared = {} } = resource;
  const hidden = Object.keys(declared).filter((name) => isUnseen(declared[name]));
  const hidesOption = hidden.some((name) => inputKindOf(definitionOf(resource), name) !== undefined);
  return hidesOption || assignments.some(({ user }) => isAnonymous(user));
}
