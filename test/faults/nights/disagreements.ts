import { unknown } from "../../../provider/access-plan/place";
import type { AccessEvent, History } from "../../../provider/history/history";
import type { Managed } from "../random/expected";
import type { Logged, World } from "./world";

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

export function findDisagreements(history: History, { log, kept, atFirst }: World): string[] {
  const found: string[] = [];
  const ofKey = groupBy(log, ({ key }) => key);
  const events = groupBy(history.access, ({ update }) => Date.parse(update.end));
  const gaps = new Map(history.gaps.map(({ update, kind }) => [Date.parse(update.end), kind]));
  const levelAt = (key: string, at: number) => {
    const last = ofKey.get(key)?.findLast((one) => one.at <= at);
    return (last ? last.after : atFirst[key]) ?? none;
  };
  const held = new Map<string, AccessEvent>();
  let start = 0;
  let before = new Set<string>();
  const done = new Set(kept.flatMap(({ run, isDone }) => (isDone ? [run] : [])));
  for (const { end, run, isDone, isLost, isLimited, managed } of kept) {
    const say = (text: string) => found.push(`run ${run}: ${text}`);
    // A killed run before the first version may have left a state.
    const isContinued = kept[0]?.run === run && run > 1 && gaps.get(end) === "earlier";
    const isClear = isDone && !isLost && !isContinued;
    const [is, now] = [keysOf(managed), events.get(end) ?? []];
    const gapIfMade = isDone ? undefined : "failed";
    const gap = isLost ? "lost" : gapIfMade;
    if (gaps.get(end) !== gap && !isContinued) say(`the gap is ${gaps.get(end)}`);
    // What earlier runs have changed, they have recorded.
    const isOpen = (one: Logged) => one.run === undefined || one.run === run || !done.has(one.run);
    // The engine counts deletions, and does not say which of the memberships that are gone it has deleted. Who has left and comes back
    // is gone from the teams.
    const isGone = ({ key, before, after }: Logged) => !after || (!before && key.startsWith("role of "));
    const isAmbiguous = log.some(
      (one) => one.at > start && one.at <= end && isGone(one) && one.run !== run && isOpen(one),
    );
    const since = (key: string, from: number) =>
      (ofKey.get(key) ?? []).filter((one) => one.at > from && one.at <= end && isOpen(one));
    for (const event of now) {
      const key = keyOf(event);
      // Who has joined may be recorded later.
      const last = held.get(key);
      const isAwaited = ["pending", "absent"].includes(last?.status ?? "");
      const entries = since(key, isAwaited ? 0 : start);
      // What a failed run says of a part that it has made is not certain.
      const isCertain = !last || gaps.get(Date.parse(last.update.end)) === undefined;
      const problem = isCertain && wrongIn(event, entries, { run, isClear: isClear && !isAmbiguous });
      if (problem) say(`${describe(event)}, but ${problem}: ${entries.map(describeEntry).join(", ")}`);
      held.set(key, event);
    }
    if (!isClear) continue;
    for (const key of new Set([...before, ...is])) {
      // Until the record changes, who has joined with the declared role is known by the e-mail.
      const event = held.get(key) ?? held.get(key.replace(/user_(.*)/, "$1@acme.test"));
      const [level, entries] = [levelAt(key, end), since(key, start)];
      const isSame = event?.status === "managed" && event.after === level;
      if (!isLimited && is.has(key) && level !== none && !isSame && event?.status !== "pending")
        say(`${key} is ${level}, and the history has ${event ? describe(event) : "nothing"}`);
      const own = entries.filter((one) => one.run === run);
      const isTold = now.some((one) => keyOf(one) === key && ["update", "unclear"].includes(one.cause));
      if (own.length > 0 && own[0]?.before !== own.at(-1)?.after && !isTold)
        say(`${key}: no event for ${own.map(describeEntry).join(", ")}`);
    }
    if (!isLimited) start = end;
    before = is;
  }
  return found;
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
