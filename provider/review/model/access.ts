import { type Holding, nothing, type Place, rank, secret, unknown } from "../../access/holding";
import { userKey } from "../../access/user";
import type { Moment } from "../../lifecycle/review";
import { containsSecret, containsUnknown, type Properties, propertiesIn } from "../../run/properties";
import { holdingsOf, isAccess, managesTeam, takesTeam } from "./holdings";
import { type Note, presentOf } from "./notes";
import { type Identity, People } from "./people";
import type { Preview, Resource } from "./preview";
import { releaseOf, releaseOptions } from "./release";

export type Effect = "gains" | "loses" | "changes" | "none";
/** Who changed it: the program, somebody behind Pulumi's back, or both. */
export type Cause = "declared" | "drift" | "both";

/** What one person has in one place, before and after. */
export interface Access {
  readonly place: Place;
  /** As it is: `none`, a role, or `unknown` where the preview does not tell. */
  readonly before: string;
  readonly after: string;
  readonly effect: Effect;
  readonly cause: Cause;
  /** What the state has, where somebody has changed it since. */
  readonly recorded?: string;
  /** What the change comes to where it is not what it looks like. */
  readonly note?: string;
  /** No member has the e-mail, as far as the state knows: it begins when its owner has joined. */
  readonly pending?: true;
  /** Why, and until when, where a component says so. */
  readonly grant?: Note;
  /** No resource manages it afterwards. */
  readonly released: boolean;
  /** The options that decide about the person's release, before and after, if a resource that changes declares the person. */
  readonly releaseOptions?: { readonly before: string; readonly after: string };
  /** Another resource manages it than before. */
  readonly moved: boolean;
  /** Names of the resources that are behind it. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Nobody manages it any more, and it stays as it is. The mark of single sign-on stays in any case. */
export const isLeft = ({ released, effect, place }: Pick<Access, "released" | "effect" | "place">): boolean =>
  released && effect === "none" && place.kind !== "sso";

/** It is managed for the first time, and stays as it is. */
export const isTaken = ({ released, effect, from, recorded }: Access): boolean =>
  effect === "none" && !released && from.length === 0 && recorded === undefined;

/** Somebody has changed it by hand, and the program declares it from now on. */
export const isAccepted = ({ released, effect, recorded }: Pick<Access, "released" | "effect" | "recorded">): boolean =>
  effect === "none" && !released && recorded !== undefined;

export interface AccessOf {
  readonly person: Identity;
  readonly access: readonly Access[];
}

/** The organization of a resource on one side: as declared, as recorded, or that of the stack. A replacement may move it. */
export function organizationsOf({ resources, config }: Preview): (resource: Resource, side?: keyof Sides) => string {
  const own = ({ declared, live, recorded }: Resource, side: keyof Sides = "declared") => {
    const last = [recorded?.outputs.organizationId, live?.outputs.organizationId, declared?.organizationId];
    const known = side === "declared" ? last : side === "live" ? last.slice(0, 2) : last.slice(0, 1);
    return [...known].reverse().find(Boolean) ?? last.find(Boolean);
  };
  const seen = new Set(resources.map((resource) => own(resource)).filter((id) => typeof id === "string"));
  const configured = config["docs:organizationId"];
  const fallback = typeof configured === "string" ? configured : seen.size === 1 ? [...seen].join() : "";
  return (resource, side) => {
    const id = own(resource, side);
    return typeof id === "string" && !containsUnknown(id) && !containsSecret(id) ? id : fallback;
  };
}

/** Who has which access before and after, across all resources; where nothing changes as well. */
export function accessOf(preview: Preview): AccessOf[] {
  const organizationOf = organizationsOf(preview);
  const people = new People(preview.resources);
  const found = preview.resources.filter(isAccess).flatMap((resource) => sourcesIn(resource, organizationOf));
  // All names first: what is one person is only known when every name is.
  for (const { name } of found) people.add(name);
  const { held, covered } = presentOf(preview);
  for (const { userId } of held) people.add(userId);
  const spots = new Map<string, Spot>();
  for (const { side, name, source } of found) {
    spotOf(spots, people.of(name), source.holding.place)[side].push(source);
  }
  for (const { userId, place, role } of held) spotOf(spots, people.of(userId), place).present = role;
  const whole = new Set(covered.map(placeKey));
  for (const spot of spots.values()) if (whole.has(placeKey(spot.place))) spot.present ??= nothing;
  return perPerson([...spots.values()], preview);
}

interface Found {
  readonly side: keyof Sides;
  readonly name: string;
  readonly source: Source;
}

function sourcesIn(resource: Resource, organizationOf: ReturnType<typeof organizationsOf>): Found[] {
  const { recorded, live, declared } = resource;
  return Object.entries({ recorded, live, declared }).flatMap(([key, moment]) => {
    const side = key as keyof Sides;
    const holdings = moment ? holdingsOf(resource, moment, organizationOf(resource, side)) : [];
    return holdings.map((holding): Found => {
      const name = sameSecret(resource, side) ?? userIn(moment, holding.user);
      return { side, name, source: { resource, holding } };
    });
  });
}

/** A state says who had an e-mail at that time. */
function userIn(moment: Moment | Properties | undefined, user: string): string {
  const userId = propertiesIn(propertiesIn((moment as Moment | undefined)?.outputs).userIds)[userKey(user)];
  return typeof userId === "string" ? userId : user;
}

/** A user who is secret before and after is taken for the same; who it is, the state's id says. */
function sameSecret({ declared, live }: Resource, side: keyof Sides): string | undefined {
  if (side !== "declared" || !live || !declared || !containsSecret(declared.user)) return undefined;
  const { userId, user } = live.outputs;
  return containsSecret(user) && typeof userId === "string" ? userId : undefined;
}

interface Source {
  readonly resource: Resource;
  readonly holding: Holding;
}

interface Sides {
  readonly recorded: Source[];
  readonly live: Source[];
  readonly declared: Source[];
}

interface Spot extends Sides {
  readonly person: Identity;
  readonly place: Place;
  /** What somebody has whom the stack does not manage yet, where a component has looked. */
  present?: string;
}

function spotOf(spots: Map<string, Spot>, person: Identity, place: Place): Spot {
  const key = JSON.stringify([person.id, place.kind, place.team, place.organization]);
  const spot = spots.get(key) ?? { person, place, recorded: [], live: [], declared: [] };
  spots.set(key, spot);
  return spot;
}

function perPerson(spots: readonly Spot[], preview: Preview): AccessOf[] {
  const found = new Map<string, { person: Identity; access: Access[] }>();
  for (const spot of spots) {
    const access = accessIn(spot, preview);
    if (!access) continue;
    const entry = found.get(spot.person.id) ?? { person: spot.person, access: [] };
    entry.access.push(access);
    found.set(spot.person.id, entry);
  }
  const order = (a: Access, b: Access) => compare(placeKey(a.place), placeKey(b.place));
  return [...found.values()]
    .map(({ person, access }) => ({ person, access: access.sort(order) }))
    .sort((a, b) => compare(a.person.name, b.person.name) || compare(a.person.id, b.person.id));
}

const { compare } = new Intl.Collator("en");

/** The role first, then the teams. */
const placeKey = ({ kind, team = "", organization }: Place) =>
  `${["role", "sso", "team"].indexOf(kind)} ${organization} ${team}`;

function accessIn(spot: Spot, { refreshed }: Preview): Access | undefined {
  const { place, recorded, live, declared } = spot;
  const wanted = declared[0];
  const gone = refreshed && recorded.length > 0;
  const before = live[0]?.holding.level ?? unmanagedLevel(spot, gone);
  const released = wanted ? undefined : releasedIn(spot);
  // It was there once, and is neither live nor declared: nothing is to be done.
  if (!wanted && !released) return undefined;
  const after = wanted?.holding.level ?? released?.after ?? nothing;
  const state = refreshed && recorded.length + live.length > 0 ? (recorded[0]?.holding.level ?? nothing) : before;
  const drifted = state !== before && before !== unknown;
  const urns = new Set(live.map(({ resource }) => resource.urn));
  const names = (sources: readonly Source[]) => [...new Set(sources.map(({ resource }) => nameOf(resource)))].sort();
  return {
    place,
    before,
    after,
    effect: effectOf(spot, before, after),
    cause: !drifted ? "declared" : after === state ? "drift" : "both",
    ...(drifted && { recorded: state }),
    ...(released?.note && { note: released.note }),
    ...(live.some(({ holding }) => holding.pending) && { pending: true }),
    released: !wanted,
    ...releaseOptionsIn(spot),
    moved: live.length > 0 && declared.length > 0 && !declared.some(({ resource }) => urns.has(resource.urn)),
    from: names(live),
    to: names(declared),
  };
}

/** Nothing takes the mark of single sign-on back. */
function releaseOptionsIn({ place, person, live, declared }: Spot): Pick<Access, "releaseOptions"> {
  if (place.kind === "sso" || declared.every(({ resource }) => resource.operation === "same")) return {};
  const options = (sources: readonly Source[], of: (resource: Resource) => Properties) =>
    [...new Set(sources.map(({ resource }) => releaseOptions(resource, of(resource), person)))].sort().join(" or ");
  return {
    releaseOptions: {
      before: options(live, (resource) => resource.live?.inputs ?? {}),
      after: options(declared, (resource) => resource.declared ?? {}),
    },
  };
}

/** Which resource gives up the person is not always one: the first that takes something away counts. */
function releasedIn({ live, person, place, present = nothing }: Spot) {
  if (live.length === 0 && place.kind === "team" && present !== nothing)
    return { after: nothing, note: "not declared (removeExisting)" };
  const all = live.map(({ resource, holding }) => releaseOf(resource, holding, person));
  return all.find(({ after }, index) => after !== live[index]?.holding.level) ?? all[0];
}

function unmanagedLevel({ declared, place, present }: Spot, gone: boolean): string {
  const [wanted] = declared;
  if (gone) return nothing;
  return present ?? (wanted ? missing(wanted.resource, place) : nothing);
}

/** What somebody has whom no state shows: a resource that is there for a whole team knows that it is nothing. */
function missing(resource: Resource, { kind }: Place): string {
  const covered = kind === "team" && managesTeam(resource) && !takesTeam(resource);
  return covered || kind === "sso" ? nothing : unknown;
}

function effectOf({ place, declared }: Spot, before: string, after: string): Effect {
  const unseen = [unknown, secret].includes(after) && declared.some(({ resource }) => resource.operation !== "same");
  if (before === after && !unseen) return "none";
  if (place.kind === "sso" || [unknown, secret].includes(after) || rank(after) < 0) return "changes";
  // Whatever somebody had, nobody gains by becoming a guest.
  if (before === unknown) return after === nothing ? "loses" : after === "guest" ? "changes" : "gains";
  // Nobody can be made a member: there is nothing to gain.
  if (place.kind === "role" && before === nothing) return "changes";
  return rank(after) > rank(before) ? "gains" : "loses";
}

/** A resource as a text names it. */
export const nameOf = ({ type, name }: Pick<Resource, "type" | "name">): string => `${type} ${name}`;
