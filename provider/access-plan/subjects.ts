import { matchable, matcherOf } from "../people/patterns";
import { compareKeys } from "../people/user";
import type { Identities, Identity } from "./identities";
import type { AccessInput, Assignment, Manager, RecordedAssignment } from "./input";
import { keyOfPlace, nothing, type Place, unknown } from "./place";

/** One person in one place, with all that is declared, recorded and live about it. */
export interface AccessSubject {
  readonly person: Identity;
  readonly place: Place;
  /** The live level, `unknown` if it was not read; of a pending or absent person, the recorded one. */
  readonly before: string;
  /** What the state says of a person who is not there: no member has the e-mail yet, or the person has left the organization. */
  readonly recordedState?: "pending" | "absent";
  /** No manager has recorded the id in any place. */
  readonly isUnrecorded: boolean;
  /** Managers that declare it and do not ignore the person. */
  readonly declared: readonly DeclaringManager[];
  readonly recorded: readonly RecordingManager[];
  /** Managers that declare it and ignore the person. */
  readonly ignoring: readonly Manager[];
  /** The manager of everybody in the place that does not ignore the person. */
  readonly area?: Manager;
}

export interface DeclaringManager {
  readonly manager: Manager;
  readonly assignment: Assignment;
}

export interface RecordingManager {
  readonly manager: Manager;
  readonly assignment: RecordedAssignment;
}

interface Gathered {
  readonly person: Identity;
  readonly place: Place;
  readonly declared: DeclaringManager[];
  readonly recorded: RecordingManager[];
  readonly ignoring: Manager[];
}

type LivePlaces = ReadonlyMap<string, AccessInput["places"][number]>;

/** Every subject that a manager declares or records, and everybody in a place in which one manager manages everybody. */
export function listSubjects(input: AccessInput, identities: Identities): AccessSubject[] {
  const places: LivePlaces = new Map(input.places.map((one) => [keyOfPlace(one.place), one]));
  const areas = new Map<string, Manager>();
  for (const manager of input.managers)
    if (manager.area && manager.declared) areas.set(keyOfPlace(manager.area), manager);
  return gatherSubjects(input, identities, places).map(({ person, place, declared, recorded, ignoring }) => {
    declared.sort(compareManagers);
    recorded.sort(compareManagers);
    const level = places.get(keyOfPlace(place))?.levels.get(person.id);
    // A person with a user id is away if the state says absent, and neither the members nor the place show the person. An e-mail
    // is away if the state says pending.
    const hasUserId = person.userId !== undefined;
    const isShown = level !== undefined || (input.arePeopleComplete && person.live !== undefined);
    const away = recorded.find(({ assignment: { isPending, isAbsent } }) =>
      hasUserId ? isAbsent && !isShown : isPending,
    );
    const area = areas.get(keyOfPlace(place));
    return {
      person,
      place,
      before: level ?? levelIfNotShown(input, places, { person, place, away, isDeclared: declared.length > 0 }),
      declared,
      recorded,
      ignoring,
      isUnrecorded: !identities.isRecorded(person.id),
      ...(away && { recordedState: hasUserId ? ("absent" as const) : ("pending" as const) }),
      ...(area && !ignoresOther(area, person) && { area }),
    };
  });
}

function gatherSubjects(input: AccessInput, identities: Identities, places: LivePlaces): Gathered[] {
  const gathered = new Map<string, Gathered>();
  const gather = (person: Identity, place: Place): Gathered => {
    const key = `${keyOfPlace(place)} ${person.id}`;
    const subject = gathered.get(key) ?? { person, place, declared: [], recorded: [], ignoring: [] };
    gathered.set(key, subject);
    return subject;
  };
  for (const manager of input.managers) {
    for (const assignment of manager.declared?.assignments ?? []) {
      const person = identities.find(manager, assignment.place, assignment.user);
      const { ignoring, declared } = gather(person, assignment.place);
      if (ignoresDeclared(manager, person, assignment.user)) ignoring.push(manager);
      else declared.push({ manager, assignment });
    }
    for (const assignment of manager.recorded?.assignments ?? []) {
      const person = identities.findRecorded(manager, assignment.place, assignment.user);
      gather(person, assignment.place).recorded.push({ manager, assignment });
    }
    if (!manager.area || !manager.declared) continue;
    const everybody = places.get(keyOfPlace(manager.area))?.levels.keys() ?? [];
    for (const userId of everybody) gather(identities.of(userId), manager.area);
  }
  return [...gathered.values()];
}

interface NotShown extends Pick<AccessSubject, "person" | "place"> {
  readonly away: RecordingManager | undefined;
  readonly isDeclared: boolean;
}

/** The level before the change of a person that the live place does not show. */
function levelIfNotShown(
  { arePeopleComplete }: AccessInput,
  places: LivePlaces,
  { person: { userId }, place, away, isDeclared }: NotShown,
): string {
  if (away) {
    // If somebody who is away is no longer declared, there is nothing to take away, except a pending e-mail that a team has.
    const isForgotten = !isDeclared && (userId !== undefined || place.kind !== "team");
    return isForgotten ? nothing : away.assignment.level;
  }
  // A mark of single sign-on that was not read counts as missing: no change removes one, so at worst it is set again.
  if (place.kind === "sso") return nothing;
  const isProvenAbsent = places.get(keyOfPlace(place))?.isComplete || (userId === undefined && arePeopleComplete);
  return isProvenAbsent ? nothing : unknown;
}

/** Sorts, so that the plan does not depend on the order in which managers and their assignments are listed. */
const compareManagers = (a: DeclaringManager, b: DeclaringManager): number =>
  compareKeys(a.manager.id, b.manager.id) || compareKeys(a.assignment.user, b.assignment.user);

/** The matcher of each list of patterns is kept, because a list is matched once for each person. */
const matchers = new WeakMap<readonly string[], ReturnType<typeof matcherOf>>();

/**
 * Whether the manager does not manage the person, by the id, the e-mail or the declared name. A hidden e-mail matches no
 * pattern. For a live person whose e-mail was read, the names in `keys` do not count, because those of a state come and go.
 */
export const ignores = ({ declared }: Manager, person: Identity, name?: string): boolean =>
  isAmong(declared?.ignore ?? [], person, name);

/** The patterns of a manager of a whole team are about people that it does not declare. */
export const ignoresDeclared = (manager: Manager, person: Identity, name?: string): boolean =>
  manager.area?.kind !== "team" && ignores(manager, person, name);

/** Whether the manager of everybody in a place lets an undeclared person keep the level. */
export const ignoresOther = (manager: Manager, person: Identity): boolean => isAmong(patternsOfOthers(manager), person);

export const patternsOfOthers = ({ area, declared }: Manager): readonly string[] =>
  (area?.kind === "role" ? declared?.ignoreOthers : declared?.ignore) ?? [];

function isAmong(patterns: readonly string[], { id, live, keys }: Identity, name = id): boolean {
  if (patterns.length === 0) return false;
  const matches = matchers.get(patterns) ?? matcherOf(patterns);
  matchers.set(patterns, matches);
  const names = live && !live.isEmailUnknown ? [id, live.email ?? id] : keys;
  return [name, ...names].some((key) => matches(matchable(key)));
}
