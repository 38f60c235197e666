/**
 * What access as code means, in small. Nothing here is taken from the program; it can be read without the sources.
 *
 * A file declares who has what. A state says what the last run has managed. The service has the live levels. `decide` says what a
 * run changes; `isReviewed` says which write a reviewed plan allows. In `machine.ts`, runs act on a service; `guards.ts` says what a
 * run refuses.
 */

/** A user id. Somebody who has not joined yet is the e-mail in lower case. */
export type Id = string;
/** `role` (in the organization), or the id of a team. */
export type Place = string;
/** What a person has in a place, from the least to the most. Nobody who has "none" as a role is a member. */
const levels = ["none", "guest", "read", "comment", "edit", "review", "create", "admin", "member", "owner"] as const;
export type Level = (typeof levels)[number];
export const isLower = (one: Level, other: Level): boolean => levels.indexOf(one) < levels.indexOf(other);

export interface Person {
  readonly id: Id;
  /** Absent if the person hides it. */
  readonly email?: string | undefined;
  /** The person cannot sign in, so nobody counts on this person. */
  readonly disabled?: boolean;
}

export interface Live {
  readonly people: readonly Person[];
  readonly levels: Readonly<Record<Place, Readonly<Record<Id, Level>>>>;
}

/** A line of the file. Times are days from today: a line with `from: 1` begins tomorrow, one with `until: 0` has its last day today. */
export interface Line {
  /** The id or the e-mail of a person. */
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
  readonly lines: readonly Line[];
  readonly ignore?: readonly string[];
  readonly exclusive?: boolean;
  readonly allowNoOwner?: boolean;
  readonly onRelease?: "leave" | "remove";
}

export interface File {
  readonly onRelease?: Release;
  readonly others?: "keep" | "refuse" | "guest" | "remove";
  readonly ignoreOthers?: readonly string[];
  readonly lines: readonly Line[];
  readonly teams: Readonly<Record<Place, FileTeam>>;
  readonly guards?: Guards;
}
type Release = "restore" | "leave" | "guest" | "remove";
interface Guards {
  readonly minAdmins?: number;
  readonly requiredAdmins?: readonly string[];
  readonly undeclaredAdmins?: "refuse";
  readonly maxRemovals?: number;
  readonly absent?: "refuse";
  readonly pending?: "refuse";
}

/** A person in the state, with what a refresh has found. */
export interface Held {
  readonly name: string;
  /** Absent for an e-mail that no member has. */
  readonly id?: Id;
  readonly level: Level;
  /** The role before it was managed. */
  readonly previous?: Level;
  /** No file ever had this person: the refresh has found the person in a team. */
  readonly found?: boolean;
}

/** A team in the state. `leaves`: its people stay when the file no longer has the team. */
interface StateTeam {
  readonly whole: boolean;
  readonly people: readonly Held[];
  readonly leaves?: boolean;
  readonly allowNoOwner?: boolean;
}

export interface State {
  readonly roles: readonly Held[];
  readonly teams: Readonly<Record<Place, StateTeam>>;
  /** People whose role another resource of the stack manages. */
  readonly elsewhere: readonly Id[];
}

export interface World {
  readonly file: File;
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
  readonly line?: Line | undefined;
  /** The person of the line is away: has left, has not joined, or never was a member. */
  readonly away?: "absent" | "pending" | "unknown" | undefined;
  /** Which part of the file or state decides: a whole team, a single membership, the role, or nobody. */
  readonly by: "role" | "whole" | "single" | "nobody";
  /** A member without a line, and the file decides about such people. */
  readonly isOther?: boolean;
  /** The person is in the team, and the file does not yet manage the team and lacks the person. */
  readonly isUnlisted?: boolean;
  /** Follows from the removal from the organization. */
  readonly isLeaving?: boolean;
}

/** What becomes of everybody that a file or a state has in a place. */
export function judge(world: World): Verdict[] {
  const roles = decideRoles(world);
  const leaving = new Set(roles.flatMap((one) => (isChange(one) && one.after === "none" ? one.person : [])));
  const isHeld = (person: Id) => world.state.roles.some(({ id }) => id === person);
  const others = new Set(roles.flatMap(({ person, isOther }) => (isOther && !isHeld(person) ? person : [])));
  const teams = placesOf(world).flatMap((team) => decideTeam(world, team, leaving));
  return [...roles, ...teams.map((one) => (one.by === "nobody" ? { ...one, isOther: others.has(one.person) } : one))];
}

/** What a run changes: everybody whose level is not the one that the file and the state lead to. */
export const decide = (world: World): Change[] => changesIn(judge(world));
export const changesIn = (verdicts: readonly Verdict[]): Change[] =>
  verdicts.filter(isChange).map(({ place, person, before, after }) => ({ place, person, before, after }));

/** Nothing is sent for somebody who is away, except that a team takes the e-mail of somebody who has not joined. */
export const isChange = ({ before, after, away, place }: Verdict): boolean =>
  before !== after && (away === undefined || (away === "pending" && place !== "role"));

/** The teams that the file has, or that the state has and does not leave as they are. Nobody looks at other teams. */
export function placesOf({ file, state }: World): Place[] {
  const recorded = Object.keys(state.teams).filter((team) => !state.teams[team]?.leaves);
  return [...new Set([...Object.keys(file.teams), ...recorded])];
}

export const heldIn = ({ roles, teams }: State): Held[] => [
  ...roles,
  ...Object.values(teams).flatMap(({ people }) => people),
];
export const isEmail = (name: string): boolean => name.includes("@");
export const isSame = (one: string, other = ""): boolean =>
  one === other || (isEmail(one) && one.toLowerCase() === other.toLowerCase());

/**
 * Who is meant by a name: the person that the state has under it, as long as this person is there; otherwise the member who has the
 * e-mail now; otherwise a name of nobody.
 */
export function meantBy({ live }: World, place: Place, name: string, held: readonly Held[]): Id {
  if (!isEmail(name)) return name;
  const recorded = held.find((one) => one.id !== undefined && isSame(one.name, name))?.id;
  const there = place === "role" ? live.people.map(({ id }) => id) : Object.keys(live.levels[place] ?? {});
  if (recorded !== undefined && there.includes(recorded)) return recorded;
  return live.people.find(({ email }) => isSame(name, email))?.id ?? recorded ?? name.toLowerCase();
}

/** What a line says today: a level, what follows its end, or nothing yet (`leave`). */
export function today({ level, from, until, then = "remove" }: Line): Level | Release {
  if (until !== undefined && until < 0) return then;
  return from !== undefined && from > 0 ? "leave" : level;
}
export const isLevel = (said: string | undefined): said is Level => (levels as readonly unknown[]).includes(said);

const matches = (patterns: readonly string[], { id, email }: Person): boolean =>
  patterns.some((one) => one === id || isSame(one, email) || (one.startsWith("*") && email?.endsWith(one.slice(1))));

/** The people that lines, a state and the service name in one place, each once, with all that is said about them. */
function listPeople(world: World, place: Place, lines: readonly Line[], held: readonly Held[], named = held) {
  const { live, state } = world;
  const there = live.levels[place] ?? {};
  const declared = new Map(lines.map((line) => [meantBy(world, place, line.name, named), line]));
  const recorded = new Map(held.map((one) => [one.id ?? one.name.toLowerCase(), one]));
  return [...new Set([...declared.keys(), ...recorded.keys(), ...Object.keys(there)])].map((id) => {
    const person = live.people.find((one) => one.id === id);
    const isKnown = heldIn(state).some((one) => one.id === id);
    const whenAway = isEmail(id) ? "pending" : isKnown ? "absent" : "unknown";
    // A team has the e-mail of somebody who has not joined.
    const invited = isEmail(id) && place !== "role" ? recorded.get(id)?.level : undefined;
    return {
      ...{ place, person: id, line: declared.get(id), held: recorded.get(id), member: person },
      before: there[id] ?? invited ?? "none",
      away: person ? undefined : (whenAway as Verdict["away"]),
    };
  });
}

function decideRoles(world: World): Verdict[] {
  const { file, state } = world;
  const { onRelease = "guest", others = "keep", ignoreOthers = [] } = file;
  return listPeople(world, "role", file.lines, state.roles).flatMap(({ held, member, ...one }): Verdict[] => {
    const { line, before } = one;
    const said = line && today(line);
    if (isLevel(said)) return [{ ...one, by: "role", after: said }];
    if (!member) return [];
    const isNamed = line && held && (!isEmail(line.name) || isSame(line.name, held.name));
    const released = held
      ? releasedTo(before, (isNamed && said) || onRelease, held.previous, line?.allowRaise)
      : before;
    const mayStay = line && (said === "leave" || said === "restore") && matches([line.name], member);
    const isKept = mayStay || state.elsewhere.includes(member.id);
    const isOther = others !== "keep" && !isKept && !matches(ignoreOthers, member);
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

function decideTeam(world: World, place: Place, leaving: ReadonlySet<Id>): Verdict[] {
  const { file, state } = world;
  const { whole = false, lines = [], ignore = [], exclusive } = file.teams[place] ?? {};
  const { whole: wasWhole = false, people = [], leaves } = state.teams[place] ?? {};
  // A person is removed from the organization at the end of a grant, and has no line in a team but one that begins later.
  const removed = file.lines.filter((line) => today(line) === "remove").map(({ name }) => name);
  const counting = lines.filter((line) => today(line) === "leave" || !removed.some((one) => isSame(one, line.name)));
  // Another kind of resource begins with the names of the file.
  const known = whole === wasWhole ? people : [];
  return listPeople(world, place, counting, people, known).flatMap(({ held, member, ...one }): Verdict[] => {
    const { person, line, before, away } = one;
    const said = line && today(line);
    const isIgnored = !isLevel(said) && (said === "leave" || (member !== undefined && matches(ignore, member)));
    const unrecordedBy = whole && !isIgnored ? "whole" : "nobody";
    const recordedBy = held ? (wasWhole ? "whole" : "single") : unrecordedBy;
    const isUnlisted =
      unrecordedBy === "whole" &&
      !wasWhole &&
      !exclusive &&
      !isLevel(said) &&
      member !== undefined &&
      before !== "none";
    const verdict = { ...one, line: isLevel(said) ? line : undefined, by: recordedBy, isUnlisted } as const;
    if (leaving.has(person)) return [{ ...verdict, after: "none", isLeaving: true }];
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
