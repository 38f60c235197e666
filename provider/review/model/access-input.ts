import type { AccessInput, LivePerson, LivePlace, Manager, RecordedAssignment } from "../../access-plan/input";
import { isKnownLevel, keyOfPlace, nothing, type Place } from "../../access-plan/place";
import { managerOf, recordedProperties } from "../../lifecycle/manager";
import { isAnonymous, isEmail, userKey } from "../../people/user";
import { containsSecret, containsUnknown, type Properties } from "../../run/properties";
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
  /** User ids of which a component says that they cannot sign in. */
  readonly disabled: ReadonlySet<string>;
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
  const idOf = ({ declared, live, recorded }: Resource, side: Side = "declared") => {
    const ids = [recorded?.outputs.organizationId, live?.outputs.organizationId, declared?.organizationId];
    // The id of this side, or of the last side before it, or of the first one after it.
    const newestFirst = ids.slice(0, sidesInOrder.indexOf(side) + 1).reverse();
    return [...newestFirst, ...ids].find(Boolean);
  };
  const seen = new Set(resources.map((resource) => idOf(resource)).filter((id) => typeof id === "string"));
  const configured = config["docs:organizationId"];
  const onlySeen = seen.size === 1 ? [...seen].join() : "";
  const fallback = typeof configured === "string" ? configured : onlySeen;
  return (resource, side) => {
    const id = idOf(resource, side);
    return typeof id === "string" && !containsUnknown(id) && !containsSecret(id) ? id : fallback;
  };
}

const sidesInOrder = ["recorded", "live", "declared"] as const;
type Side = (typeof sidesInOrder)[number];

/** Reads who has what, and which resource is responsible for it. */
export function readAccess(preview: Preview): AccessOfPreview {
  const organizationOf = organizationsOf(preview);
  const people = new People(preview.resources);
  const live = liveAccessOf(preview);
  const disabled = new Set(live.flatMap(({ userId, isDisabled }) => (isDisabled ? (userId ?? []) : [])));
  const allSides = preview.resources.map((one) => readSides(one, organizationOf, people));
  // A component changes a person who hides the e-mail only if no e-mail or pattern of the file may mean this person.
  const shown = live.filter(({ user, hidesEmail }) => hidesEmail || isEmail(user));
  const emails = new Map(shown.flatMap(({ user, userId }) => (userId === undefined ? [] : [[userId, user]])));
  // A refresh names undeclared people in a team by e-mail. Those that it names by id hide the e-mail.
  const found = allSides.flatMap(({ sides }) => sides.live.flatMap(({ isFound, user }) => (isFound ? user : [])));
  const hiding = new Set(found.filter((user) => !emails.has(user) && !people.of(user).keys.some(isEmail)));
  const present = live.map((one) => ({ ...one, user: people.of(one.user).id }));
  const named = [...people.linked().map(({ id }) => id), ...disabled, ...emails.keys(), ...hiding];
  const input = {
    people: [...new Set(named)].map((id): LivePerson => {
      const email = emails.get(id);
      const isEmailUnknown = email === undefined && !hiding.has(id);
      return { userId: id, names: people.of(id).keys, email, isEmailUnknown, isDisabled: disabled.has(id) };
    }),
    arePeopleComplete: false,
    places: placesOf(allSides, present),
    managers: allSides.flatMap((one) => managersOf(one, organizationOf(one.resource))),
    isEverybodyShown: true,
    grants: { recorded: grantsOf(preview, "recorded"), declared: grantsOf(preview, "declared") },
  };
  const changing = allSides.filter(({ resource }) => resource.operation !== "same").map(({ resource }) => resource.urn);
  const { refreshed } = preview;
  return { input, people, disabled, changing: new Set(changing), refreshed };
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
    const links = linksAt(resource, side);
    const giver = { type, name, organization: organizationOf(resource, side) };
    return access(properties, giver).map((assignment) => {
      const { user } = assignment;
      const linked = links.get(user) ?? links.get(userKey(user));
      const { id } = people.of(sameSecret(resource, side) ?? linked ?? user);
      return { ...assignment, user: id };
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
function linksAt({ recorded, live, operation }: Resource, side: Side): ReadonlyMap<string, string> {
  if (side === "declared" && operation === "replace") return new Map();
  return linksIn(side === "recorded" ? recorded : live);
}

/** A user that is secret before and after counts as the same person, who has the recorded user id. */
function sameSecret({ declared, live }: Resource, side: Side): string | undefined {
  if (side !== "declared" || !live || !declared || !containsSecret(declared.user)) return undefined;
  const { userId, user } = live.outputs;
  return containsSecret(user) && typeof userId === "string" ? userId : undefined;
}

/** The live levels that resources and components show, and the teams of which they show everybody. */
function placesOf(
  allSides: readonly AllSides[],
  present: readonly (LiveAccess & { readonly place: Place })[],
): LivePlace[] {
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
  for (const { user, userId, place, level } of present.filter((one) => isKnownLevel(one.level))) {
    const entry = placeAt(place);
    if (userId !== undefined && !entry.levels.has(user)) entry.levels.set(user, level);
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
  const { declared: declaration, recorded: record, ...common } = manager;
  return [
    { ...common, ...(record && { recorded: record }) },
    { ...common, ...(declaration && { declared: declaration }) },
  ];
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
  const decides = (name: string) => inputKindOf(definitionOf(resource), name) !== undefined;
  const isHidden = (value: unknown) => containsUnknown(value) || containsSecret(value);
  const hidden = Object.keys(declared).filter((name) => isHidden(declared[name]));
  return hidden.some(decides) || assignments.some(({ user }) => isAnonymous(user));
}
