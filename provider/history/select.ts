import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Place } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import type { PropertyChange } from "../lifecycle/review";
import { userKey } from "../people/user";
import { quoted } from "../text/mistakes";
import { type AccessEvent, type Gap, type History, keyOfPersonIn, levelOf, type ObjectEvent } from "./history";
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
  /** What was asked for, as the user wrote it: the part is then not the whole. */
  readonly filters: readonly string[];
  readonly first?: Update | undefined;
  readonly last?: Update | undefined;
  /** Only what differs between two versions is listed, and not what happened in between. */
  readonly isComparison: boolean;
  readonly access: readonly NamedEvent[];
  /** What a wanted person, or everybody in a wanted team, has at the end, with the event that gave it. */
  readonly atEnd: readonly NamedEvent[];
  readonly objects: readonly ObjectEvent[];
  readonly gaps: readonly Gap[];
}

/** An event with names for readers. */
export interface NamedEvent extends AccessEvent {
  readonly name: string;
  readonly teamTitle?: string | undefined;
  /** Of what somebody has at the end. */
  readonly since?: Since;
}

export function partOf(history: History, wanted: Wanted): HistoryPart {
  refuseUnknown(history, wanted);
  const { since, until, compare } = wanted;
  const [from, to] = compare ?? [since, until];
  const startSide = compare ? "end" : "beginning";
  const start = from === undefined ? "" : boundIn(history.updates, from, startSide);
  const end = to === undefined ? "9999" : boundIn(history.updates, to, "end");
  if (start > end)
    throw new DocsError(`${quoted(from ?? "")} is after ${quoted(to ?? "")}; name the earlier one first`);
  // A version is compared as it was after its update.
  const isIn = ({ update }: Pick<AccessEvent, "update">) =>
    (compare ? update.order > start : update.order >= start) && update.order <= end;
  const all = history.access.filter((one) => one.update.order <= end && isWanted(history, wanted, one));
  const changes = all.filter(isIn);
  const named = (one: AccessEvent): NamedEvent => ({
    ...one,
    update: ofGrant(history, one),
    name: nameIn(history, one.person),
    teamTitle: history.teams.get(one.place.team ?? ""),
  });
  const sinceOf = sinceOfEvents(history);
  const isOfPeople = wanted.person !== undefined || wanted.team !== undefined;
  const listsEnd = isOfPeople && !compare;
  const sites = sitesOf(history, wanted);
  const isOfSite = (one: ObjectEvent) => wanted.site === undefined || sites.has(one.site);
  const objects = isOfPeople ? [] : history.objects.filter((one) => isIn(one) && isOfSite(one));
  const updates = history.updates.filter(({ order }) => order >= start && order <= end);
  return {
    version: 1,
    stack: history.stack,
    updates: updates.length,
    filters: filtersIn(wanted),
    first: updates[0],
    last: updates.at(-1),
    isComparison: compare !== undefined,
    access: (compare ? differences(all, changes) : changes).map(named),
    atEnd: listsEnd ? [...lastBySubject(all).values()].map((one) => ({ ...named(one), since: sinceOf(one) })) : [],
    objects: compare ? netChanges(objects) : objects,
    // The versions before the first one may be of the period.
    gaps: history.gaps.filter((one) => isIn(one) || (one.kind === "earlier" && start < one.update.order)),
  };
}

const filterNames = ["person", "team", "site", "since", "until", "compare"];

/** What was asked for, as the options of the command. The person is its argument. */
function filtersIn(wanted: Wanted): string[] {
  const filters = Object.entries(wanted).filter(([name, value]) => value !== undefined && filterNames.includes(name));
  return filters.map(([name, value]) => {
    const text = [value].flat().join(" ");
    return name === "person" ? text : `--${name} ${text}`;
  });
}

/** A mistyped name must not look like one without changes. */
function refuseUnknown(history: History, { person, team, site }: Wanted): void {
  const isKnown = (wanted: Wanted) => history.access.some((one) => isWanted(history, wanted, one));
  const unknownNames = [
    ...(person === undefined || isKnown({ person }) ? [] : [person]),
    ...(team === undefined || isKnown({ team }) ? [] : [team]),
    ...(site === undefined || sitesOf(history, { site }).size > 0 ? [] : [site]),
  ];
  for (const name of unknownNames)
    throw new DocsError(`no version of the state has ${quoted(name)}; use a name or id that the stack has managed`);
}

const day = z.iso.date();
const time = z.iso.datetime({ offset: true });

/** The order of a version, or of a day or time as the records have times. The end of a second is behind all updates of it. */
function boundIn(updates: readonly Update[], text: string, side: "beginning" | "end"): string {
  const isEnd = side === "end";
  const version = updates.find((one) => one.version === text);
  if (version) return version.order;
  if (day.safeParse(text).success) return isEnd ? `${text}T23:59:59Z~` : `${text}T00:00:00Z`;
  if (time.safeParse(text).success) return new Date(text).toISOString().replace(/\.\d+Z$/, isEnd ? "Z~" : "Z");
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
  const isOfTeam = team === undefined || place.team === team || teams.get(place.team ?? "") === team;
  return isOfPerson && isOfTeam && site === undefined;
}

/** Ids of the sites that have, or had, the id, title or name. */
const sitesOf = ({ objects }: History, { site: wanted }: Wanted): ReadonlySet<string | undefined> =>
  new Set(
    objects.flatMap(({ site, change: { type, title, name } }) =>
      site === wanted || (type === "Site" && [title, name].includes(wanted)) ? (site ?? []) : [],
    ),
  );

/** The update of an event; of several grants that it began or ended, with the line of the person. */
function ofGrant({ names }: History, { update: { grants, ...update }, person, place }: AccessEvent): Update {
  const line = grants?.find((one) => {
    const [, team, user = ""] = /:\d+: (?:teams\.(.+)\.)?member(?:s|ships)\.(.+?): /.exec(one) ?? [];
    const isOfPerson = userKey(user) === person || names.get(person)?.has(userKey(user)) === true;
    return isOfPerson && team === place.team;
  });
  return line === undefined ? update : { ...update, message: line };
}

/** The newest e-mail that nobody else has by now. */
const nameIn = ({ names, links }: Pick<History, "names" | "links">, person: string): string =>
  [...(names.get(person) ?? [])].findLast((email) => links.get(email) === person) ?? person;

const lastBySubject = (all: readonly AccessEvent[]) =>
  new Map(all.map((one) => [keyOfPersonIn(one.person, one.place), one]));

/** What differs before and after the changes, with the last of them; what is only managed from then on, with the first. */
function differences(all: readonly AccessEvent[], changes: readonly AccessEvent[]): AccessEvent[] {
  const before = lastBySubject(all.slice(0, all.length - changes.length));
  const firsts = lastBySubject([...changes].reverse());
  return [...lastBySubject(changes)].flatMap(([key, last]) => {
    const [earlier, first = last] = [before.get(key), firsts.get(key)];
    const level = earlier ? levelOf(earlier) : first.before;
    if (level !== levelOf(last)) return [{ ...last, before: level }];
    const wasManaged = (earlier?.status ?? "released") !== "released";
    if (wasManaged === (last.status !== "released")) return [];
    const isTaken = last.status === "managed";
    return [{ ...last, before: level, ...(isTaken && { update: first.update, cause: "taken" as const }) }];
  });
}

function netChanges(objects: readonly ObjectEvent[]): ObjectEvent[] {
  const urns = new Set(objects.map(({ change }) => change.urn));
  return [...urns].flatMap((urn) => netChange(objects.filter(({ change }) => change.urn === urn)));
}

/** What the changes of one object come to. */
function netChange(all: readonly ObjectEvent[]): ObjectEvent[] {
  const [first, last] = [all[0], all.at(-1)] as [ObjectEvent, ObjectEvent];
  const isNew = first.change.operation === "create";
  if (last.change.operation !== "update") return isNew && last.change.operation === "delete" ? [] : [last];
  const properties = new Map<string, PropertyChange>();
  for (const one of all.flatMap(({ change }) => change.properties))
    properties.set(one.name, { ...one, before: (properties.get(one.name) ?? one).before });
  const differing = [...properties.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after));
  if (differing.length === 0 && !isNew && !all.some(({ change }) => change.unseen)) return [];
  return [{ ...last, change: { ...last.change, operation: isNew ? "create" : "update", properties: differing } }];
}

export interface Since extends Partial<Pick<Update, "version" | "commit" | "isDirty">> {
  /** The end of the first update that has recorded the level, or `before the stack`. */
  readonly since?: string;
  /**
   * What the versions do not tell. `earlier`: the time, which may be before `since`; `outside`: that, and what gave the level.
   * `later`: whether the level was taken away and given again.
   */
  readonly gap?: "earlier" | "later" | "outside" | "not recorded";
}

/** Whether the level may have been taken away and given again. States record writes, so the one after a failed update tells. */
const mayBeLater = ({ gaps }: Pick<History, "gaps">, { update: { order }, resource }: AccessEvent): boolean =>
  gaps.some(
    ({ kind, update, resources }) =>
      update.order > order &&
      (["missing", "lost", "between"].includes(kind) || (kind === "interrupted" && resources.includes(resource))),
  );

/** Since when and by which update people have a level in a place. The person is known by one of the names. */
export function sinceIn(history: History): (names: readonly string[], place: Place, level: string) => Since {
  const last = lastBySubject(history.access);
  const sinceOf = sinceOfEvents(history);
  return (names, place, level) => {
    const events = names.flatMap((name) => last.get(keyOfPersonIn(userKey(name), place)) ?? []);
    const event = events.find(({ status, after }) => status === "managed" && after === level);
    return event ? sinceOf(event) : { gap: "not recorded" };
  };
}

/** Since when a person has what an event gave. */
function sinceOfEvents(history: History): (event: AccessEvent) => Since {
  const first = lastBySubject([...history.access].reverse());
  return (event) => {
    const { cause, before, after, person, place } = event;
    const { end: since, version, commit, isDirty } = event.update;
    const gap = mayBeLater(history, event) ? { gap: "later" as const } : {};
    if (cause === "update")
      return { since, version, ...(commit !== undefined && { commit }), ...(isDirty && { isDirty }), ...gap };
    const isFirst = first.get(keyOfPersonIn(person, place)) === event;
    if (cause === "taken" && isFirst && before === after) return { since: "before the stack", ...gap };
    return { since, version, gap: cause === "outside" ? "outside" : "earlier" };
  };
}
