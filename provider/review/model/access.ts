import type { RecordedAssignment } from "../../access-plan/input";
import { nothing, type Place, rankOfLevel, secret, unknown } from "../../access-plan/place";
import { userKey } from "../../people/user";
import { containsSecret, containsUnknown, type Properties } from "../../run/properties";
import { assignmentsOf, isAccess, managesTeam, takesTeam } from "./holdings";
import { type Note, presentOf } from "./notes";
import { type Identity, linksIn, People } from "./people";
import type { Preview, Resource } from "./preview";
import { releaseOf, releaseOptions } from "./release";

export type Effect = "gains" | "loses" | "changes" | "none";
/** The origin of the change: the program, a change outside Pulumi, or both. */
export type Cause = "declared" | "drift" | "both";

/** The access of one person in one place, before and after. */
export interface Access {
  readonly place: Place;
  /** The live level: `none`, a role, or `unknown` if the preview does not show it. */
  readonly before: string;
  readonly after: string;
  readonly effect: Effect;
  readonly cause: Cause;
  /** The level in the state, if it was changed outside Pulumi since. */
  readonly recorded?: string;
  /** Explains the result of the change if it is not obvious. */
  readonly note?: string;
  /** No member has the e-mail, as far as the state knows. The access begins when the person joins. */
  readonly pending?: true;
  /** The reason and the end of the grant, if a component declares them. */
  readonly grant?: Note;
  /** What each resource declares, if several declare the access: the up decides which one wins. */
  readonly managers?: readonly { readonly resource: string; readonly level: string }[];
  /** No resource manages the access after the change. */
  readonly released: boolean;
  /** The release options of the person before and after, if a changing resource declares the person. */
  readonly releaseOptions?: { readonly before: string; readonly after: string };
  /** The access has another manager than before. */
  readonly moved: boolean;
  /** Names of the managers before (`from`) and after (`to`). */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Whether the access is no longer managed and stays as it is. The single sign-on mark always stays, so it does not count. */
export const isLeft = ({ released, effect, place }: Pick<Access, "released" | "effect" | "place">): boolean =>
  released && effect === "none" && place.kind !== "sso";

/** Whether the access becomes managed and stays as it is. */
export const isTaken = ({ released, effect, from, recorded }: Access): boolean =>
  effect === "none" && !released && from.length === 0 && recorded === undefined;

/** Whether the access was changed outside Pulumi and the program declares the result from now on. */
export const isAccepted = ({ released, effect, recorded }: Pick<Access, "released" | "effect" | "recorded">): boolean =>
  effect === "none" && !released && recorded !== undefined;

/** Whether this up only sets back what was changed outside Pulumi. */
export const isSetBack = ({ effect, cause }: Pick<Access, "effect" | "cause">): boolean =>
  ["gains", "loses"].includes(effect) && cause === "drift";

export interface AccessOf {
  readonly person: Identity;
  readonly access: readonly Access[];
}

/** The organization of a resource: declared, live or recorded, otherwise that of the stack. A replacement may change it. */
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

/** The access of all people before and after, across all resources, including access that does not change. */
export function accessOf(preview: Preview): AccessOf[] {
  const organizationOf = organizationsOf(preview);
  const people = new People(preview.resources);
  const found = preview.resources.filter(isAccess).flatMap((resource) => sourcesIn(resource, organizationOf));
  // Adds all names first: only then is it known which names are one person.
  for (const { name } of found) people.add(name);
  const { access: present, completeTeams } = presentOf(preview);
  for (const { userId } of present) people.add(userId);
  const subjects = new Map<string, AccessSubject>();
  for (const { side, name, source } of found) {
    subjectOf(subjects, people.of(name), source.holding.place)[side].push(source);
  }
  for (const { userId, place, role } of present) subjectOf(subjects, people.of(userId), place).present = role;
  const whole = new Set(completeTeams.map(placeKey));
  for (const subject of subjects.values()) if (whole.has(placeKey(subject.place))) subject.present ??= nothing;
  return perPerson([...subjects.values()], preview);
}

interface Found {
  readonly side: keyof Sides;
  readonly name: string;
  readonly source: Source;
}

function sourcesIn(resource: Resource, organizationOf: ReturnType<typeof organizationsOf>): Found[] {
  const { recorded, live, declared, operation } = resource;
  return Object.entries({ recorded, live, declared }).flatMap(([key, moment]) => {
    const side = key as keyof Sides;
    const assignments = moment ? assignmentsOf(resource, moment, organizationOf(resource, side)) : [];
    // A resource keeps the person of its state, also if another one has the e-mail now; a replacement looks the e-mail up.
    const known = side === "recorded" ? recorded : live;
    const links = side === "declared" && operation === "replace" ? [] : linksIn(known);
    const userIds = new Map(links.map(([name, userId]) => [userKey(name), userId]));
    return assignments.map((holding): Found => {
      const name = sameSecret(resource, side) ?? userIds.get(userKey(holding.user)) ?? holding.user;
      return { side, name, source: { resource, holding } };
    });
  });
}

/** A user that is secret before and after counts as the same person, who has the recorded user id. */
function sameSecret({ declared, live }: Resource, side: keyof Sides): string | undefined {
  if (side !== "declared" || !live || !declared || !containsSecret(declared.user)) return undefined;
  const { userId, user } = live.outputs;
  return containsSecret(user) && typeof userId === "string" ? userId : undefined;
}

interface Source {
  readonly resource: Resource;
  readonly holding: RecordedAssignment;
}

interface Sides {
  readonly recorded: Source[];
  readonly live: Source[];
  readonly declared: Source[];
}

interface AccessSubject extends Sides {
  readonly person: Identity;
  readonly place: Place;
  /** The live level of a person who becomes managed, if a component has read it. */
  present?: string;
}

function subjectOf(subjects: Map<string, AccessSubject>, person: Identity, place: Place): AccessSubject {
  const key = JSON.stringify([person.id, place.kind, place.team, place.organization]);
  const subject = subjects.get(key) ?? { person, place, recorded: [], live: [], declared: [] };
  subjects.set(key, subject);
  return subject;
}

function perPerson(subjects: readonly AccessSubject[], preview: Preview): AccessOf[] {
  const found = new Map<string, { person: Identity; access: Access[] }>();
  for (const subject of subjects) {
    const access = accessIn(subject, preview);
    if (!access) continue;
    const entry = found.get(subject.person.id) ?? { person: subject.person, access: [] };
    entry.access.push(access);
    found.set(subject.person.id, entry);
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

function accessIn(subject: AccessSubject, { refreshed }: Preview): Access | undefined {
  const { place, recorded, live, declared } = subject;
  const wanted = mostOf(declared);
  const gone = refreshed && recorded.length > 0;
  const before = live[0]?.holding.level ?? unmanagedLevel(subject, gone);
  const released = wanted ? undefined : releasedIn(subject);
  // Recorded, but neither live nor declared: nothing changes.
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
    effect: effectOf(subject, before, after),
    cause: !drifted ? "declared" : after === state ? "drift" : "both",
    ...(drifted && { recorded: state }),
    ...(released?.note && { note: released.note }),
    ...(live.some(({ holding }) => holding.isPending) && { pending: true }),
    ...managersIn(declared),
    released: !wanted,
    ...releaseOptionsIn(subject),
    moved: live.length > 0 && declared.length > 0 && !declared.some(({ resource }) => urns.has(resource.urn)),
    from: names(live),
    to: names(declared),
  };
}

/** Of several declarations, the one that gives most: a review must not hide what the up may give. What is not seen counts most. */
function mostOf([first, ...others]: readonly Source[]): Source | undefined {
  const rank = ({ holding: { level } }: Source) =>
    rankOfLevel(level) < 0 ? Number.POSITIVE_INFINITY : rankOfLevel(level);
  return others.reduce<Source | undefined>((most, one) => (most && rank(most) >= rank(one) ? most : one), first);
}

/** Each host refuses only its own second declaration, so a first up with both hosts would let one win silently. */
function managersIn(declared: readonly Source[]): Pick<Access, "managers"> {
  if (new Set(declared.map(({ resource }) => resource.urn)).size < 2) return {};
  return { managers: declared.map(({ resource, holding }) => ({ resource: nameOf(resource), level: holding.level })) };
}

/** The release options before and after. The single sign-on mark has none: it cannot be removed. */
function releaseOptionsIn({ place, person, live, declared }: AccessSubject): Pick<Access, "releaseOptions"> {
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

/** The release of a person. If several resources release the person, the first that takes something away counts. */
function releasedIn({ live, person, place, present = nothing }: AccessSubject) {
  if (live.length === 0 && place.kind === "team" && present !== nothing)
    return { after: nothing, note: "not declared (removeExisting)" };
  const all = live.map(({ resource, holding }) => releaseOf(resource, holding, person));
  return all.find(({ after }, index) => after !== live[index]?.holding.level) ?? all[0];
}

function unmanagedLevel({ declared, place, present }: AccessSubject, gone: boolean): string {
  const [wanted] = declared;
  if (gone) return nothing;
  return present ?? (wanted ? missing(wanted.resource, place) : nothing);
}

/** The level of a person that no state shows: nothing if an existing resource manages the whole team, otherwise unknown. */
function missing(resource: Resource, { kind }: Place): string {
  const isComplete = kind === "team" && managesTeam(resource) && !takesTeam(resource);
  return isComplete || kind === "sso" ? nothing : unknown;
}

function effectOf({ place, declared }: AccessSubject, before: string, after: string): Effect {
  const unseen = [unknown, secret].includes(after) && declared.some(({ resource }) => resource.operation !== "same");
  if (before === after && !unseen) return "none";
  if (place.kind === "sso" || [unknown, secret].includes(after) || rankOfLevel(after) < 0) return "changes";
  // A guest has no role, so becoming one is never a gain.
  if (before === unknown) return after === nothing ? "loses" : after === "guest" ? "changes" : "gains";
  // A role cannot make a non-member a member, so it is not a gain.
  if (place.kind === "role" && before === nothing) return "changes";
  return rankOfLevel(after) > rankOfLevel(before) ? "gains" : "loses";
}

/** The type and name of a resource, for texts. */
export const nameOf = ({ type, name }: Pick<Resource, "type" | "name">): string => `${type} ${name}`;
