import { unknown } from "../../../provider/access-plan/place";
import type { AccessEvent, History } from "../../../provider/history/history";
import type { Managed } from "../random/expected";
import type { Kept, Logged, World } from "./world";

/** How a history differs from what the service knows, in each interval between two versions of the state. */

const none = "none";
const keyOf = ({ person, place }: AccessEvent): string =>
  place.team === undefined ? `role of ${person}` : `${place.team}: ${person}`;

const keysOf = ({ roles, teams }: Managed): Set<string> =>
  new Set([
    ...[...roles.keys()].map((id) => `role of ${id}`),
    ...[...teams].flatMap(([team, { people }]) => [...people].map((id) => `${team}: ${id}`)),
  ]);

export function groupBy<One, Key>(all: readonly One[], keyOf: (one: One) => Key): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

export function findDisagreements(history: History, world: World): string[] {
  const comparison = new Comparison(history, world);
  for (const version of world.kept) comparison.compare(version);
  return comparison.found;
}

/** Compares the versions of the state in their order. */
class Comparison {
  readonly found: string[] = [];
  private readonly loggedOf: Map<string, Logged[]>;
  private readonly eventsAt: Map<number, AccessEvent[]>;
  private readonly gapAt: Map<number, string>;
  /** The runs that have recorded everything that they changed. */
  private readonly done: Set<number>;
  private readonly lastEvents = new Map<string, AccessEvent>();
  /** The end of the last version that was not limited: the interval begins here. */
  private start = 0;
  private managedBefore = new Set<string>();

  constructor(
    history: History,
    private readonly world: World,
  ) {
    this.loggedOf = groupBy(world.log, ({ key }) => key);
    this.eventsAt = groupBy(history.access, ({ update }) => Date.parse(update.end));
    this.gapAt = new Map(history.gaps.map(({ update, kind }) => [Date.parse(update.end), kind]));
    this.done = new Set(world.kept.filter(({ isDone }) => isDone).map(({ run }) => run));
  }

  compare(version: Kept): void {
    const { end, run, isDone, isLost, isLimited } = version;
    const first = this.world.kept[0];
    // A killed run before the first version may have left a state.
    const isContinued = first?.run === run && run > 1 && this.gapAt.get(end) === "earlier";
    const isClear = isDone && !isLost && !isContinued;
    if (!isContinued) this.compareGap(version);
    this.compareEvents(version, isClear && !this.isAmbiguous(version));
    if (!isClear) return;
    const managed = keysOf(version.managed);
    for (const key of new Set([...this.managedBefore, ...managed])) {
      if (!isLimited && managed.has(key)) this.compareLevel(version, key);
      this.compareOwnChanges(version, key);
    }
    if (!isLimited) this.start = end;
    this.managedBefore = managed;
  }

  private compareGap({ end, run, isDone, isLost }: Kept): void {
    const gapIfNotLost = isDone ? undefined : "failed";
    const gap = this.gapAt.get(end);
    if (gap !== (isLost ? "lost" : gapIfNotLost)) this.say(run, `the gap is ${gap}`);
  }

  private compareEvents({ end, run }: Kept, isClear: boolean): void {
    for (const event of this.eventsAt.get(end) ?? []) {
      const key = keyOf(event);
      const last = this.lastEvents.get(key);
      // A person who has joined may be recorded later.
      const isAwaited = last !== undefined && ["pending", "absent"].includes(last.status);
      const entries = this.loggedBetween(isAwaited ? 0 : this.start, end, key, run);
      // What a failed run says of a part that it has made is not certain.
      const isCertain = !last || this.gapAt.get(Date.parse(last.update.end)) === undefined;
      const problem = isCertain && wrongIn(event, entries, { run, isClear });
      if (problem) this.say(run, `${describe(event)}, but ${problem}: ${entries.map(describeEntry).join(", ")}`);
      this.lastEvents.set(key, event);
    }
  }

  /** The last event of a managed place must say what the service has. */
  private compareLevel({ end, run }: Kept, key: string): void {
    const last = this.loggedOf.get(key)?.findLast(({ at }) => at <= end);
    const level = (last ? last.after : this.world.atFirst[key]) ?? none;
    const event = this.lastEventOf(key);
    if (level === none || event?.status === "pending") return;
    const isSame = event?.status === "managed" && event.after === level;
    if (!isSame) this.say(run, `${key} is ${level}, and the history has ${event ? describe(event) : "nothing"}`);
  }

  /** What a run has changed, an event of this version must tell. */
  private compareOwnChanges({ end, run }: Kept, key: string): void {
    const own = this.loggedBetween(this.start, end, key, run).filter((one) => one.run === run);
    const isChanged = own.length > 0 && own[0]?.before !== own.at(-1)?.after;
    const events = this.eventsAt.get(end) ?? [];
    const isTold = events.some((one) => keyOf(one) === key && ["update", "unclear"].includes(one.cause));
    if (isChanged && !isTold) this.say(run, `${key}: no event for ${own.map(describeEntry).join(", ")}`);
  }

  /** Until the record changes, a person who has joined with the declared role is known by the e-mail. */
  private lastEventOf(key: string): AccessEvent | undefined {
    return this.lastEvents.get(key) ?? this.lastEvents.get(key.replace(/user_(.*)/, "$1@acme.test"));
  }

  /**
   * The engine counts deletions, and does not say which of the memberships that are gone it has deleted. A person who has left and comes
   * back is gone from the teams.
   */
  private isAmbiguous({ end, run }: Kept): boolean {
    const isGone = ({ key, before, after }: Logged) => !after || (!before && key.startsWith("role of "));
    const isInInterval = ({ at }: Logged) => at > this.start && at <= end;
    return this.world.log.some(
      (one) => isInInterval(one) && isGone(one) && one.run !== run && !this.isRecordedBefore(one, run),
    );
  }

  private loggedBetween(start: number, end: number, key: string, run: number): Logged[] {
    const logged = this.loggedOf.get(key) ?? [];
    return logged.filter((one) => one.at > start && one.at <= end && !this.isRecordedBefore(one, run));
  }

  /** What earlier runs have changed, they have recorded. */
  private isRecordedBefore(one: Logged, run: number): boolean {
    return one.run !== undefined && one.run !== run && this.done.has(one.run);
  }

  private say(run: number, text: string): void {
    this.found.push(`run ${run}: ${text}`);
  }
}

const describe = (event: AccessEvent): string =>
  `${keyOf(event)}: ${event.before} > ${event.after} (${event.status}, ${event.cause})`;
const describeEntry = ({ at, run, before = none, after = none }: Logged): string =>
  `${new Date(at).toISOString().slice(0, 16)} ${run === undefined ? "by hand" : `run ${run}`} ${before} > ${after}`;

interface InRun {
  readonly run: number;
  /** Neither has a run failed, nor was a state lost. */
  readonly isClear: boolean;
}

/** Why the log does not have what an event says; nothing if it has. */
function wrongIn(event: AccessEvent, entries: readonly Logged[], { run, isClear }: InRun): string | undefined {
  const { cause, before, after, status, resource } = event;
  const own = entries.filter((one) => one.run === run);
  const others = entries.filter((one) => one.run !== run);
  // A declaration that waits, and a release that leaves the level, change nothing at the service.
  if (status === "pending" || before === after) return undefined;
  if (cause === "unclear") return isClear && others.length === 0 ? "nothing is unclear" : undefined;
  if (cause === "taken") return before !== unknown && own.length > 0 ? "the run has changed it" : undefined;
  const agrees = (level: string | undefined, said: string) => said === unknown || said === (level ?? none);
  if (cause === "update") {
    // The deletion of the membership of a person who has left sends nothing, and leaves no record.
    if (status === "released" && others.at(-1)?.after === undefined && others.length > 0) return undefined;
    if (own.length === 0) return "the run has not done that";
    // The deletion of a resource does not record the level that it replaces, so the event may begin with the last recorded one.
    const isDeletion = status === "released" && resource.startsWith("TeamMembership ");
    const firsts = [own[0], ...(isDeletion ? entries.slice(0, 1) : [])];
    const isAsSaid = firsts.some((one) => agrees(one?.before, before)) && agrees(own.at(-1)?.after, after);
    return isAsSaid ? undefined : "the run has done something else";
  }
  if (others.length === 0) return "nobody has done that";
  return others.some((one) => agrees(one.after, after)) ? undefined : "it became something else";
}
