import { type AccessChange, isPartOf, isUnseenLoss } from "../access-plan/change";
import { keyOfPlace, nothing, type Place, secret, unknown } from "../access-plan/place";
import { type Matchable, matcherOf } from "../people/patterns";
import { isAnonymous, isEmail } from "../people/user";
import type { PlannedAccess, PlannedResource } from "./plan-file";

/** What a reviewed plan allows: judged when two plans are compared, and once more at each write. */

/** A change of access that a resource is about to make. */
export type AccessWrite = Pick<AccessChange, "place" | "before" | "after"> & { readonly person: Person };

type Person = Pick<PlannedAccess["user"], "userId"> & { readonly keys: readonly string[] };

/** The kinds of changes for which an up sends something. */
const sent: readonly PlannedAccess["change"][] = ["gains", "loses", "changes"];

/** The changes of access that a reviewed plan has, by person. */
export class PlannedChanges {
  private readonly byName = new Map<string, PlannedAccess[]>();
  /** Planned changes without the name of a person: of a hidden person, or of everybody else in a team. */
  private readonly unnamed: PlannedAccess[] = [];
  /** Who stays in a team from which everybody else is removed: patterns are compiled once, and not for each write. */
  private readonly staying = new Map<PlannedAccess, (user: Matchable) => boolean>();

  constructor(access: readonly PlannedAccess[]) {
    for (const one of access) {
      const { keys, except } = one.user;
      if (except) this.staying.set(one, matcherOf(except));
      if (keys.every(isAnonymous)) this.unnamed.push(one);
      for (const key of keys) this.byName.set(key, [...(this.byName.get(key) ?? []), one]);
    }
  }

  /** Whether the plan has a change of another plan, or a larger one that includes it. A value that only one of the two plans hides counts as different. */
  has(one: PlannedAccess): boolean {
    return this.changesOf(one.user).some((planned) => {
      const isInPlace = keyOfPlace(planned.place) === keyOfPlace(one.place);
      const isSameOtherwise = planned.options === one.options && planned.hidden === one.hidden;
      const includes = planned.change === one.change && planned.end === one.end && isPartOf(one, planned);
      return isInPlace && isSameOtherwise && (includes || isDone(one, planned));
    });
  }

  /** Whether the plan has the change, or a larger one that includes it. Nobody may lose a level that the review did not show. */
  allows(write: AccessWrite): boolean {
    return this.changesWith(write).some((one) => !isUnseenLoss(write, one));
  }

  /** Whether a write is refused for one reason only: the plan has it, but the review did not show that it is a loss. */
  hidesLoss(write: AccessWrite): boolean {
    return this.changesWith(write).length > 0 && !this.allows(write);
  }

  /** The planned changes that the write may be a part of. A level or team that the plan hides may be any. */
  private changesWith({ person, place, before, after }: AccessWrite): PlannedAccess[] {
    const candidates = [...this.changesOf(person), ...this.unnamed.filter((one) => !this.stays(one, person))];
    const isAllowed = (one: PlannedAccess) => isHidden(one.after) || isPartOf({ before, after }, one);
    return candidates.filter((one) => sent.includes(one.change) && isAt(one.place, place) && isAllowed(one));
  }

  /** The planned changes of a person. Those with a user id are only about that user; the others are about anybody with the name. */
  private changesOf({ userId, keys }: Person): PlannedAccess[] {
    const changes = keys.flatMap((key) => this.byName.get(key) ?? []);
    return changes.filter(({ user }) => user.userId === undefined || user.userId === userId);
  }

  private stays(one: PlannedAccess, { userId, keys }: Person): boolean {
    return this.staying.get(one)?.({ userId, email: keys.find(isEmail) }) ?? false;
  }

  /** The level that a person had before the plan was applied, if `now` is the level that the plan gives the person. */
  levelBefore(userId: string, place: Place, now: string): string | undefined {
    const done = (this.byName.get(userId) ?? []).find(
      (one) => sent.includes(one.change) && isAt(one.place, place) && one.after === now,
    );
    return done && !isHidden(done.before) && done.before !== nothing ? done.before : undefined;
  }
}

/**
 * Whether a planned change was made since the review, for example by an interrupted up, so that a newer plan only accepts it, or has
 * only the end of the grant that it gave.
 */
function isDone(one: PlannedAccess, planned: PlannedAccess): boolean {
  const wasMade = planned.after === one.after && [...sent, "accepted"].includes(planned.change);
  const hasSameEnd = planned.end === one.end;
  if (one.change === "end") return wasMade && hasSameEnd;
  return one.change === "accepted" && wasMade && (hasSameEnd || planned.end === undefined);
}

const isHidden = (level: string | undefined): boolean => level === unknown || level === secret;

/** A hidden team may be any, and so may an organization that the plan does not know, which has an empty id. */
const isAt = (planned: Place, { kind, team, organization }: Place): boolean =>
  planned.kind === kind &&
  (planned.team === team || isHidden(planned.team)) &&
  ["", organization].includes(planned.organization);

/** Options of the engine that only stop it from deleting something. */
export const protections = ["protect", "retainOnDelete"];

interface Declared extends Pick<PlannedResource, "hidden"> {
  readonly properties: Readonly<Record<string, string>>;
  readonly changed: readonly string[];
}

/**
 * The properties that are declared otherwise than planned, or whose change was not planned. `accepts` says which properties may
 * be declared otherwise, because the plan could not have their values.
 */
export function unplannedProperties(
  planned: PlannedResource,
  { properties, changed, hidden }: Declared,
  accepts: (name: string) => boolean,
): string[] {
  const isSame = (name: string) =>
    planned.properties[name] === properties[name] && planned.hidden.includes(name) === hidden.includes(name);
  const names = new Set([...Object.keys(planned.properties), ...Object.keys(properties), ...changed]);
  return [...names].filter((name) => {
    const isUnplannedChange = changed.includes(name) && !planned.changed.includes(name);
    const isDeclaredOtherwise = !isSame(name) && !accepts(name);
    return isUnplannedChange || isDeclaredOtherwise;
  });
}
