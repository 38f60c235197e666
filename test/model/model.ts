import type { Guards } from "./guards";

/**
 * What access as code means, in small. Nothing here is taken from the program; it can be read without the sources.
 * A file declares who has what, a state what the last run has managed. `decide` says what a run changes, `isReviewed` which write a
 * reviewed plan allows, and `guards.ts` what a run refuses. In `machine.ts`, runs act on a service.
 */

/** A user id. Somebody who has not joined yet is the e-mail in lower case. */
export type Id = string;
/** `role` (in the organization), or the id of a team. */
export type Place = string;
/** What a person has in a place, from the least to the most. Nobody who has "none" as a role is a member. */
const levels = ["none", "guest", "read", "comment", "edit", "review", "create", "admin", "member", "owner"] as const;
export type Level = (typeof levels)[number];
export const isLower = (one: Level, other: Level): boolean => levels.indexOf(one) < levels.indexOf(other);

/** A person who hides the e-mail has none here. A disabled one cannot sign in, so nobody counts on this person. */
export interface Person {
  readonly id: Id;
  readonly email?: string | undefined;
  readonly disabled?: boolean;
}

export interface Live {
  readonly people: readonly Person[];
  readonly levels: Readonly<Record<Place, Readonly<Record<Id, Level>>>>;
}

/** A line names a person by id or e-mail. It begins tomorrow with `from: 1`, and has its last day today with `until: 0`. */
export interface ModelLine {
  readonly name: string;
  readonly level: Level;
  readonly from?: number;
  readonly until?: number;
  /** What follows after `until`. */
  readonly then?: Level | "restore" | "remove";
  readonly allowRaise?: boolean;
}

/** A team has either all of its members in the file (`whole`), or single people. */
export interface FileTeam {
  readonly whole: boolean;
  readonly lines: readonly ModelLine[];
  readonly ignore?: readonly string[];
  readonly exclusive?: boolean;
  readonly allowNoOwner?: boolean;
  readonly onRelease?: "leave" | "remove";
}

export interface ModelFile {
  readonly onRelease?: Release;
  readonly others?: "keep" | "refuse" | "guest" | "remove";
  readonly ignoreOthers?: readonly string[];
  readonly lines: readonly ModelLine[];
  readonly teams: Readonly<Record<Place, FileTeam>>;
  readonly guards?: Guards;
}
type Release = "restore" | "leave" | "guest" | "remove";

/** A person in the state. Without an id, no member has the e-mail. `previous` is the role before it was managed. */
export interface Held {
  readonly name: string;
  readonly id?: Id;
  readonly level: Level;
  readonly previous?: Level;
  /** No file ever had this person: the refresh has found the person in a team. */
  readonly found?: boolean;
}

/** In a team, `leaves` says that its people stay when the file no longer has the team. */
export interface State {
  readonly roles: readonly Held[];
  readonly teams: Readonly<Record<Place, Omit<FileTeam, "lines"> & { people: readonly Held[]; leaves?: boolean }>>;
  /** People whose role another resource of the stack manages. */
  readonly elsewhere: readonly Id[];
}

export interface ModelWorld {
  readonly file: ModelFile;
  readonly state: State;
  readonly live: Live;
}

export interface Change {
  readonly place: Place;
  readonly person: Id;
  readonly before: Level;
  readonly after: Level;
}

/** What becomes of one person in one place. */
export interface Verdict extends Change {
  readonly line?: ModelLine | undefined;
  /** The person of the line is away: has left, has not joined, or never was a member. */
  readonly away?: "absent" | "pending" | "unknown" | undefined;
  /** Which part of the file or state decides: a whole team, a single membership, the role, or nobody. */
  readonly by: "role" | "whole" | "single" | "nobody";
  /** A member without a line, and the file decides about such people. */
  readonly isOther?: boolean;
  /** The person is in the team, and the file does not yet manage the team and lacks the person. */
  readonly isUnlisted?: boolean;
}

/** What becomes of everybody that a file or a state has in a place. */
export function judge(world: ModelWorld): Verdict[] {
  const roles = decideRoles(world);
  const leaving = new Set(roles.flatMap((one) => (isChange(one) && one.after === "none" ? one.person : [])));
  return [...roles, ...placesOf(world).flatMap((team) => decideTeam(world, team, leaving))];
}

/** What a run changes: everybody whose level is not the one that the file and the state lead to. */
export const decide = (world: ModelWorld, verdicts = judge(world)): Change[] =>
  verdicts.filter(isChange).map(({ place, person, before, after }) => ({ place, person, before, after }));

/** Nothing is sent for somebody who is away, except that a team takes the e-mail of somebody who has not joined. */
export const isChange = ({ before, after, away, place }: Verdict): boolean =>
  before !== after && (away === undefined || (away === "pending" && place !== "role"));

/** The teams that the file has, or that the state has and does not leave as they are. Nobody looks at other teams. */
export function placesOf({ file, state }: ModelWorld): Place[] {
  const recorded = Object.keys(state.teams).filter((team) => !state.teams[team]?.leaves);
  return [...new Set([...Object.keys(file.teams), ...recorded])];
}

export const heldIn = ({ roles, teams }: State): Held[] =>
  [roles, ...Object.values(teams).map(({ people }) => people)].flat();
export const isEmail = (name: string): boolean => name.includes("@");
export const isSame = (one: string, other = ""): boolean =>
  one === other || (isEmail(one) && one.toLowerCase() === other.toLowerCase());

/** Who is meant by a name: the person of the state while this person is there, or the member with the e-mail, or nobody. */
export function meantBy({ live }: ModelWorld, place: Place, name: string, held: readonly Held[]): Id {
  if (!isEmail(name)) return name;
  const recorded = held.find((one) => one.id !== undefined && isSame(one.name, name))?.id;
  const there = place === "role" ? live.people.map(({ id }) => id) : Object.keys(live.levels[place] ?? {});
  if (recorded !== undefined && there.includes(recorded)) return recorded;
  return live.people.find(({ email }) => isSame(name, email))?.id ?? recorded ?? name.toLowerCase();
}

/** What a line says today: a level, what follows its end, or nothing yet (`leave`). */
export function levelToday({ level, from, until, then = "remove" }: ModelLine): Level | Release {
  if (until !== undefined && until < 0) return then;
  return from !== undefined && from > 0 ? "leave" : level;
}
export const isLevel = (said: string | undefined): said is Level => (levels as readonly unknown[]).includes(said);

const matches = (patterns: readonly string[], { id, email }: Person): boolean =>
  patterns.some((one) => one === id || isSame(one, email) || (one.startsWith("*") && email?.endsWith(one.slice(1))));

/** The people that lines, a state and the service name in one place, each once, with all that is said about them. */
function listPeople(world: ModelWorld, place: Place, lines: readonly ModelLine[], held: readonly Held[], named = held) {
  const { live, state } = world;
  const there = live.levels[place] ?? {};
  const declared = new Map(lines.map((line) => [meantBy(world, place, line.name, named), line]));
  const recorded = new Map(held.map((one) => [one.id ?? one.name.toLowerCase(), one]));
  const known = new Set(heldIn(state).map(({ id }) => id));
  return [...new Set([...declared.keys(), ...recorded.keys(), ...Object.keys(there)])].map((id) => {
    const member = live.people.find((one) => one.id === id);
    const whenGone = known.has(id) ? "absent" : "unknown";
    const whenAway: Verdict["away"] = isEmail(id) ? "pending" : whenGone;
    // A team has the e-mail of somebody who has not joined.
    const invited = isEmail(id) && place !== "role" ? recorded.get(id)?.level : undefined;
    const away = member ? undefined : whenAway;
    const line = declared.get(id);
    const said = line && levelToday(line);
    const before = there[id] ?? invited ?? "none";
    return { place, person: id, before, away, line, said, held: recorded.get(id), member };
  });
}

function decideRoles(world: ModelWorld): Verdict[] {
  const { file, state } = world;
  const { onRelease = "guest", others = "keep", ignoreOthers = [] } = file;
  return listPeople(world, "role", file.lines, state.roles).flatMap(({ held, member, said, ...one }): Verdict[] => {
    const { line, before } = one;
    if (isLevel(said)) return [{ ...one, by: "role", after: said }];
    if (!member) return [];
    const isNamed = line && held && (!isEmail(line.name) || isSame(line.name, held.name));
    const option = (isNamed && said) || onRelease;
    const released = held ? releasedTo(before, option, held.previous, line?.allowRaise) : before;
    const mayStay = line && (said === "leave" || said === "restore") && matches([line.name], member);
    const isOther = others !== "keep" && !mayStay && !matches([...ignoreOthers, ...state.elsewhere], member);
    if (!held && !isOther) return [];
    if (!isOther || (released === "none" && others !== "remove")) return [{ ...one, by: "role", after: released }];
    const byOthers = { refuse: released, guest: "guest", remove: "none", keep: before } as const;
    return [{ ...one, by: "role", after: byOthers[others], isOther }];
  });
}

/** The role of a person whose line has gone. No release raises a role, unless the line says so. */
function releasedTo(before: Level, said: Level | Release, previous: Level = before, allowRaise = false): Level {
  if (said === "remove") return "none";
  if (said === "guest") return "guest";
  return said === "restore" && (allowRaise || isLower(previous, before)) ? previous : before;
}

function decideTeam(world: ModelWorld, place: Place, leaving: ReadonlySet<Id>): Verdict[] {
  const { whole = false, lines = [], ignore = [], exclusive } = world.file.teams[place] ?? {};
  const { whole: wasWhole = false, people = [], leaves } = world.state.teams[place] ?? {};
  // A person is removed from the organization at the end of a grant, and has no line in a team but one that begins later.
  const removed = world.file.lines.filter((line) => levelToday(line) === "remove").map(({ name }) => name);
  const counting = lines.filter(
    (line) => levelToday(line) === "leave" || !removed.some((one) => isSame(one, line.name)),
  );
  const isToBeTaken = whole && !wasWhole && !exclusive;
  // Another kind of resource begins with the names of the file.
  const known = whole === wasWhole ? people : [];
  return listPeople(world, place, counting, people, known).flatMap(({ held, member, said, ...one }): Verdict[] => {
    const { person, line, before, away } = one;
    const isIgnored = !isLevel(said) && (said === "leave" || (member !== undefined && matches(ignore, member)));
    const unrecordedBy = whole && !isIgnored ? "whole" : "nobody";
    const heldBy = wasWhole ? "whole" : "single";
    const recordedBy = held ? heldBy : unrecordedBy;
    const isUnlisted = isToBeTaken && !isIgnored && !isLevel(said) && member !== undefined && before !== "none";
    const verdict = { ...one, line: isLevel(said) ? line : undefined, by: recordedBy, isUnlisted } as const;
    if (leaving.has(person)) return [{ ...verdict, after: "none" }];
    if (isLevel(said)) return [{ ...verdict, by: whole ? "whole" : "single", after: said }];
    if (away === "absent" || away === "unknown" || recordedBy === "nobody" || (before === "none" && !held)) return [];
    const isReleased = held !== undefined && !(wasWhole && (leaves || held.found));
    const isTaken = unrecordedBy === "whole" && member !== undefined && !isUnlisted;
    const goes = whole && wasWhole ? !isIgnored : isReleased || isTaken;
    return [{ ...verdict, after: goes ? "none" : before }];
  });
}

/** Whether a reviewed plan has the write, or a larger change that includes it: the same end, from the same level or one between. */
export function isReviewed(plan: readonly Change[], { place, person, before, after }: Change): boolean {
  return plan.some((one) => {
    if (one.place !== place || one.person !== person || one.after !== after) return false;
    const [low, high] = isLower(one.before, one.after) ? [one.before, one.after] : [one.after, one.before];
    return !isLower(before, low) && !isLower(high, before) && before !== after;
  });
}
