import { z } from "zod";
import { keyOfPlace, type Place, unknown } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import { userKey } from "../people/user";
import { quoted } from "../text/mistakes";
import type { AccessEvent, Gap, History, ObjectEvent } from "./history";
import type { Update } from "./version";

export interface Wanted {
  /** An e-mail or a user id. */
  readonly person?: string;
  /** An id or a title. */
  readonly team?: string;
  readonly site?: string;
  /** Days, times or versions. */
  readonly since?: string;
  readonly until?: string;
  readonly compare?: readonly [from: string, to: string];
}

/** A part of a history, as `docs-org history --format json` prints it. */
export interface HistoryPart {
  readonly version: 1;
  readonly stack: string;
  /** The versions that were compared. */
  readonly updates: number;
  readonly first?: Update | undefined;
  readonly last?: Update | undefined;
  /** Only what differs between two versions is listed, and not what happened in between. */
  readonly isComparison: boolean;
  readonly access: readonly Named[];
  /** What a wanted person, or everybody in a wanted team, has at the end, with the event that gave it. */
  readonly atEnd: readonly Named[];
  readonly objects: readonly ObjectEvent[];
  readonly gaps: readonly Gap[];
}

/** An event with names for readers. */
export interface Named extends AccessEvent {
  readonly name: string;
  readonly teamTitle?: string | undefined;
}

export function partOf(history: History, wanted: Wanted): HistoryPart {
  refuseUnknown(history, wanted);
  const { since, until, compare } = wanted;
  const [from, to] = compare ?? [since, until];
  const start = from === undefined ? "" : boundIn(history.updates, from, compare ? "23:59:59" : "00:00:00");
  const end = to === undefined ? "9999" : boundIn(history.updates, to, "23:59:59");
  if (start > end)
    throw new DocsError(`${quoted(from ?? "")} is after ${quoted(to ?? "")}; name the earlier one first`);
  // A version is compared as it was after its update.
  const isIn = ({ update }: Pick<AccessEvent, "update">) =>
    (compare ? update.end > start : update.end >= start) && update.end <= end;
  const all = history.access.filter((one) => one.update.end <= end && isWanted(history, wanted, one));
  const changes = all.filter(isIn);
  const named = (one: AccessEvent): Named => ({
    ...one,
    name: nameIn(history, one.person),
    teamTitle: history.teams.get(one.place.team ?? ""),
  });
  const isOfPeople = wanted.person !== undefined || wanted.team !== undefined;
  const objects = isOfPeople ? [] : history.objects.filter((one) => isIn(one) && isOfSite(wanted, one));
  return {
    version: 1,
    stack: history.stack,
    updates: history.updates.filter(({ end: at }) => at >= start && at <= end).length,
    first: history.updates.find(({ end: at }) => at >= start),
    last: history.updates.findLast(({ end: at }) => at <= end),
    isComparison: compare !== undefined,
    access: (compare ? differences(all, changes) : changes).map(named),
    atEnd: isOfPeople && !compare ? [...lastBySubject(all).values()].map(named) : [],
    objects,
    gaps: history.gaps.filter(isIn),
  };
}

/** A mistyped name must not look like one without changes. */
function refuseUnknown(history: History, wanted: Wanted): void {
  const { person, team, site } = wanted;
  const name = person ?? team ?? site;
  const isKnown =
    person === undefined && team === undefined
      ? history.objects.some((one) => isOfSite(wanted, one))
      : history.access.some((one) => isWanted(history, wanted, one));
  if (name === undefined || isKnown) return;
  throw new DocsError(`no version of the state has ${quoted(name)}; use a name or id that the stack has managed`);
}

const day = z.iso.date();
const time = z.iso.datetime({ offset: true });

/** The end of a version, or a day or time as the records have times. */
function boundIn(updates: readonly Update[], text: string, timeOfDay: string): string {
  const version = updates.find((one) => one.version === text);
  if (version) return version.end;
  if (day.safeParse(text).success) return `${text}T${timeOfDay}Z`;
  if (time.safeParse(text).success) return new Date(text).toISOString().replace(/\.\d+Z$/, "Z");
  throw new DocsError(
    `there is no version ${quoted(text)}; use a day such as 2026-07-01, a time such as 2026-07-01T12:00:00Z, or a version as the history lists it`,
  );
}

function isWanted(
  { names, teams }: History,
  { person, team, site }: Wanted,
  { person: id, place }: AccessEvent,
): boolean {
  const isOfPerson = person === undefined || id === userKey(person) || names.get(id)?.has(userKey(person)) === true;
  const isOfTeam = team === undefined || place.team === team || (place.team && teams.get(place.team) === team) === true;
  return isOfPerson && isOfTeam && site === undefined;
}

const isOfSite = ({ site }: Wanted, one: ObjectEvent): boolean =>
  site === undefined || [one.site, one.change.title, one.change.name].includes(site);

const nameIn = ({ names }: Pick<History, "names">, person: string): string =>
  [...(names.get(person) ?? [])].at(-1) ?? person;

const keyOf = ({ person, place }: Pick<AccessEvent, "person" | "place">): string => `${keyOfPlace(place)} ${person}`;

const lastBySubject = (all: readonly AccessEvent[]) => new Map(all.map((one) => [keyOf(one), one]));

/** What differs before and after the changes; each difference has the last of its changes. */
function differences(all: readonly AccessEvent[], changes: readonly AccessEvent[]): AccessEvent[] {
  const before = lastBySubject(all.slice(0, all.length - changes.length));
  const firsts = new Map([...changes].reverse().map((one) => [keyOf(one), one]));
  return [...lastBySubject(changes)].flatMap(([key, last]) => {
    const earlier = before.get(key);
    const level = earlier?.after ?? firsts.get(key)?.before ?? unknown;
    return level === last.after && (earlier?.status ?? "released") === last.status ? [] : [{ ...last, before: level }];
  });
}

export interface Since extends Partial<Pick<Update, "version" | "commit">> {
  /** The end of the update that first recorded it, `before the stack`, or `not known`. */
  readonly since: string;
  readonly reason?: string | undefined;
}

/** Since when and by which update people have a level in a place. The person is known by one of the names. */
export function sinceIn({ access }: History): (names: readonly string[], place: Place, level: string) => Since {
  const last = lastBySubject(access);
  const first = lastBySubject([...access].reverse());
  return (names, place, level) => {
    const event = names.map((name) => last.get(keyOf({ person: userKey(name), place }))).find(Boolean);
    if (!event || event.after !== level || event.status === "released") return { since: "not known" };
    const { update, cause, before, reason } = event;
    const isFirst = first.get(keyOf(event)) === event;
    if (cause === "taken") return { since: isFirst && before === level ? "before the stack" : "not known" };
    return {
      since: update.end,
      version: update.version,
      commit: cause === "update" ? update.commit : undefined,
      reason,
    };
  };
}
