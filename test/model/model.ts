/**
 * What access as code means, in small. Nothing here is taken from the program; it can be read without the sources.
 *
 * A file declares who has what. A state says what the last run has managed. The service has the live levels. `decide` says what a
 * run changes, or why it refuses to; `isReviewed` says which write a reviewed plan allows. `machine.ts` lets runs act on a service.
 */

/** A user id. */
export type Id = string;
/** `role` (in the organization), or the id of a team. */
export type Place = string;
/** What a person has in a place, from the least to the most. Nobody who has "none" as a role is a member. */
export type Level = (typeof levels)[number];
const levels = ["none", "guest", "read", "comment", "edit", "review", "create", "admin", "member", "owner"] as const;
export const isLower = (one: Level, other: Level): boolean => levels.indexOf(one) < levels.indexOf(other);

export interface Person {
  readonly id: Id;
  readonly email: string;
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
  readonly guards?: {
    readonly minAdmins?: number;
    readonly requiredAdmins?: readonly string[];
    readonly undeclaredAdmins?: "refuse";
    readonly maxRemovals?: number;
    readonly absent?: "refuse";
    readonly pending?: "refuse";
  };
}
type Release = "restore" | "leave" | "guest" | "remove";

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

export interface State {
  readonly roles: readonly Held[];
  readonly teams: Readonly<
    Record<Place, { whole: boolean; people: readonly Held[]; leaves?: boolean; allowNoOwner?: boolean }>
  >;
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
interface Verdict extends Change {
  readonly line?: Line | undefined;
  /** The person of the line is away: has left, has not joined, or never was a member. */
  readonly away?: "absent" | "pending" | "unknown";
  /** Which part of the file or state decides: a whole team, a single membership, the role, or nobody. */
  readonly by: "role" | "whole" | "single" | "nobody";
  /** A member without a line, and the file decides about such people. */
  readonly isOther?: boolean;
  /** The person is in the team, and the file does not yet manage the team and lacks the person. */
  readonly isUnlisted?: boolean;
  /** Follows from the removal from the organization. */
  readonly isLeaving?: boolean;
}

export interface Decision {
  readonly changes: readonly Change[];
  /** The places in the file because of which the run refuses to begin, such as `guards.minAdmins`. */
  readonly refusals: readonly string[];
  /** Lines that name somebody by an e-mail, and the state by the id: they refuse the run, whatever else does. */
  readonly unclear: readonly string[];
}

/** What a run changes: everybody whose level is not the one that the file and the state lead to. */
export function decide(world: World): Decision {
  const roles = decideRoles(world);
  const leaving = new Set(
    roles.flatMap(({ person, before, after }) => (before !== "none" && after === "none" ? person : [])),
  );
  const isHeld = (person: Id) => world.state.roles.some(({ id }) => id === person);
  const others = new Set(roles.flatMap(({ person, isOther }) => (isOther && !isHeld(person) ? person : [])));
  const teams = placesOf(world).flatMap((team) => decideTeam(world, team, leaving));
  const verdicts = [
    ...roles,
    ...teams.map((one) => (one.by === "nobody" && others.has(one.person) ? { ...one, isOther: true } : one)),
  ];
  const changes = verdicts
    .filter(isChange)
    .map(({ place, person, before, after }) => ({ place, person, before, after }));
  return { changes, refusals: [...new Set(refusalsOf(world, verdicts))].sort(), unclear: unclearLines(world, roles) };
}

/** A line that says what becomes of somebody must have the name that the state has: an e-mail may have been passed on. */
function unclearLines({ state }: World, verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ person, line, away }) => {
    const held = state.roles.find(({ id }) => id === person);
    if (!held || !line || isLevel(today(line)) || !isEmail(line.name) || away || isSame(held.name, line.name))
      return [];
    return [`members.${line.name}`];
  });
}

/** Nothing is sent for somebody who is away, except that a team takes the e-mail of somebody who has not joined. */
const isChange = ({ before, after, away, place }: Verdict): boolean =>
  before !== after && (away === undefined || (away === "pending" && place !== "role"));

/** The teams that the file has, or that the state has and does not leave as they are. Nobody looks at other teams. */
const placesOf = ({ file, state }: World): Place[] => {
  const recorded = Object.keys(state.teams).filter((team) => !state.teams[team]?.leaves);
  return [...new Set([...Object.keys(file.teams), ...recorded])];
};

const isEmail = (name: string): boolean => name.includes("@");
const isSame = (one: string, other: string): boolean =>
  one === other || (isEmail(one) && one.toLowerCase() === other.toLowerCase());

/** Who is meant by a name: the person that the state has under it, otherwise the member who has it, otherwise a name of nobody. */
function meantBy({ live }: World, name: string, held: readonly Held[]): Id {
  if (!isEmail(name)) return name;
  const recorded = held.find((one) => one.id !== undefined && isSame(one.name, name))?.id;
  return recorded ?? live.people.find(({ email }) => isSame(email, name))?.id ?? name.toLowerCase();
}

/** What a line says today: a level, what follows its end, or nothing yet (`leave`). */
function today({ level, from, until, then = "remove" }: Line): Level | Release {
  if (until !== undefined && until < 0) return then;
  return from !== undefined && from > 0 ? "leave" : level;
}
const isLevel = (said: string | undefined): said is Level => (levels as readonly unknown[]).includes(said);

function matches(patterns: readonly string[], { id, email }: Person): boolean {
  return patterns.some(
    (one) => one === id || isSame(one, email) || (one.startsWith("*") && email.endsWith(one.slice(1))),
  );
}

/** The people that lines, a state and the service name in one place, each once, with all that is said about them. */
function listPeople(world: World, place: Place, lines: readonly Line[], held: readonly Held[], named = held) {
  const { live, state } = world;
  const there = live.levels[place] ?? {};
  const declared = new Map(lines.map((line) => [meantBy(world, line.name, named), line]));
  const recorded = new Map(held.map((one) => [one.id ?? one.name.toLowerCase(), one]));
  const known = new Set(
    [...state.roles, ...Object.values(state.teams).flatMap(({ people }) => people)].map(({ id }) => id),
  );
  const ids = new Set([...declared.keys(), ...recorded.keys(), ...Object.keys(there)]);
  return [...ids].map((id) => {
    const person = live.people.find((one) => one.id === id);
    const before = there[id] ?? (person || !isEmail(id) ? "none" : (recorded.get(id)?.level ?? "none"));
    const away = person ? undefined : isEmail(id) ? "pending" : known.has(id) ? "absent" : "unknown";
    return {
      id,
      line: declared.get(id),
      held: recorded.get(id),
      person,
      before: away === "pending" && place === "role" ? "none" : before,
      away,
    } as const;
  });
}

function decideRoles(world: World): Verdict[] {
  const { file, state } = world;
  const { onRelease = "guest", others = "keep", ignoreOthers = [] } = file;
  return listPeople(world, "role", file.lines, state.roles).flatMap(
    ({ id, line, held, person, before, away }): Verdict[] => {
      const verdict = { place: "role", person: id, before, line, by: "role" as const, ...(away && { away }) };
      const said = line && today(line);
      if (isLevel(said)) return [{ ...verdict, after: said }];
      if (!person) return [];
      const isNamed = line && held && (!isEmail(line.name) || isSame(line.name, held.name));
      const released = held
        ? releasedTo(before, (isNamed && said) || onRelease, held.previous, line?.allowRaise)
        : before;
      const isKept =
        said === "leave" || said === "restore" || matches(ignoreOthers, person) || state.elsewhere.includes(id);
      const isOther = others !== "keep" && !isKept;
      if (!held && !isOther) return [];
      if (released === "none" && others !== "remove") return [{ ...verdict, after: released }];
      if (!isOther || others === "refuse") return [{ ...verdict, after: released, isOther }];
      return [{ ...verdict, after: others === "guest" ? "guest" : "none", isOther }];
    },
  );
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
  const { whole: wasWhole = false, people: held = [], leaves } = state.teams[place] ?? {};
  // A person is removed from the organization at the end of a grant, and has no line in a team but one that begins later.
  const removed = file.lines.filter((line) => today(line) === "remove").map(({ name }) => name);
  const counting = lines.filter((line) => today(line) === "leave" || !removed.some((one) => isSame(one, line.name)));
  const there = (id: Id) => world.live.levels[place]?.[id] !== undefined;
  const kindOf = (isWhole: boolean) => (isWhole ? "whole" : "single");
  // Another kind of resource begins with the names of the file.
  const known = whole === wasWhole ? held : [];
  return listPeople(world, place, counting, held, known).flatMap(
    ({ id, line, held: record, person, before, away }): Verdict[] => {
      const said = line && today(line);
      const isDeclared = isLevel(said);
      const isIgnored = said === "leave" || (person !== undefined && matches(ignore, person));
      const unrecordedBy = whole && !isIgnored ? "whole" : "nobody";
      const recordedBy = record ? kindOf(wasWhole) : unrecordedBy;
      const by = isDeclared ? kindOf(whole) : recordedBy;
      const verdict = { place, person: id, before, by, ...(isDeclared && { line }), ...(away && { away }) } as const;
      const isUnlisted = whole && !wasWhole && !exclusive && !isIgnored && !isDeclared && there(id);
      if (leaving.has(id)) return [{ ...verdict, isUnlisted, by: recordedBy, after: "none", isLeaving: true }];
      if (isDeclared) return [{ ...verdict, after: said }];
      const isReleased = record !== undefined && !(wasWhole && (leaves || record.found));
      if (away === "absent" || away === "unknown" || by === "nobody" || (before === "none" && !record)) return [];
      if (whole && wasWhole) return [{ ...verdict, after: isIgnored ? before : "none" }];
      if (isUnlisted) return [{ ...verdict, after: isReleased ? "none" : before, isUnlisted }];
      if (whole && !isIgnored && person) return [{ ...verdict, after: "none" }];
      return [{ ...verdict, after: isReleased ? "none" : before }];
    },
  );
}

function refusalsOf(world: World, verdicts: readonly Verdict[]): string[] {
  const { file, live, state } = world;
  const { guards = {} } = file;
  const lines = verdicts.filter(({ line }) => line !== undefined);
  const pathOf = ({ place, line }: Verdict) =>
    place === "role"
      ? `members.${line?.name}`
      : `teams.${place}.${file.teams[place]?.whole ? "members" : "memberships"}.${line?.name}`;
  const saidOf = ({ line }: Verdict) => isLevel(line && today(line));
  // An id that neither a member nor the state has is mistyped.
  const isAway = ({ away }: Verdict) =>
    away === "unknown" || (away === "absent" && guards.absent) || (away === "pending" && guards.pending);
  const hasLine = ({ person }: Verdict) => file.lines.some(({ name }) => meantBy(world, name, state.roles) === person);
  const areOthersRefused =
    file.others === "refuse" && verdicts.some((one) => one.place === "role" && one.isOther && one.after !== "none");
  const { maxRemovals = Number.POSITIVE_INFINITY } = guards;
  return [
    ...lines.filter((one) => saidOf(one) && isAway(one)).map(pathOf),
    ...(areOthersRefused ? ["others"] : []),
    ...verdicts.filter(({ isUnlisted }) => isUnlisted).map(({ place }) => `teams.${place}`),
    ...laterLines(world),
    // Somebody who leaves the organization without a line for it stays declared in a team.
    ...lines.filter((one) => one.isLeaving && !hasLine(one)).map(pathOf),
    ...placesOf(world).flatMap((place) => ownerless(world, place, verdicts)),
    ...administrators(world, verdicts),
    ...(countLosers(verdicts, live) > maxRemovals ? ["guards.maxRemovals"] : []),
  ];
}

/** A line that begins later must not stand for a person who is in the state already: the record would go. */
function laterLines(world: World): string[] {
  const { file, state } = world;
  const later = (lines: readonly Line[], held: readonly Held[], named = held, isOne = false) => {
    const known = held.filter(({ id, found }) => id !== undefined && !found);
    // The record of a single membership has the id alone.
    const isHeld = ({ name }: Line) =>
      known.some((one) => one.id === meantBy(world, name, named) || (!isOne && isSame(one.name, name)));
    return lines.filter((line) => today(line) === "leave" && isHeld(line)).map(({ name }) => name);
  };
  const inTeams = Object.entries(file.teams).flatMap(([team, { lines, whole }]) => {
    const { people = [], whole: wasWhole = whole } = state.teams[team] ?? {};
    const names = later(lines, people, whole === wasWhole ? people : [], !wasWhole);
    return names.map((name) => `teams.${team}.${whole ? "members" : "memberships"}.${name}`);
  });
  return [...later(file.lines, state.roles).map((name) => `members.${name}`), ...inTeams];
}

const holders = (place: Place, level: Level, { live }: World, verdicts: readonly Verdict[]) => {
  const decided = new Map(
    verdicts.flatMap((one) => (one.place === place && !one.away ? [[one.person, one.after] as const] : [])),
  );
  return live.people.filter(({ id }) => (decided.get(id) ?? live.levels[place]?.[id]) === level);
};

/** A team keeps an owner who can sign in, unless the file or the state allows it, or the team is dissolved. */
function ownerless(world: World, place: Place, all: readonly Verdict[]): string[] {
  const { file, state, live } = world;
  const verdicts = all.filter((one) => one.place === place);
  const losing = verdicts.filter(({ before, after, away }) => !away && before === "owner" && after !== "owner");
  if (losing.length === 0 || holders(place, "owner", world, verdicts).some(({ disabled }) => !disabled)) return [];
  const [declared, recorded] = [file.teams[place], state.teams[place]];
  const there = live.levels[place] ?? {};
  const isSingle = losing.some(({ by, isOther }) => isOther || by === "single");
  if (declared?.whole && !isSingle) {
    // The grant of the last owner ends like any other.
    const granted = declared.lines.filter((line) => line.level === "owner" && today(line) !== "leave");
    const ids = granted.map(({ name }) => meantBy(world, name, recorded?.people ?? []));
    const isGranted = Object.keys(there).every((id) => there[id] !== "owner" || ids.includes(id));
    return declared.allowNoOwner || isGranted ? [] : [`teams.${place}.members`];
  }
  const isDissolved =
    losing.length === Object.keys(there).length && losing.every(({ by, isOther }) => by === "whole" && !isOther);
  const isAllowed = losing.every(({ by, isOther }) => by === "whole" && !isOther && recorded?.allowNoOwner);
  const isOfPerson = isSingle || losing.some(({ by }) => by === "nobody");
  return isDissolved || isAllowed ? [] : [declared && isOfPerson ? `teams.${place}` : "teams"];
}

function administrators(world: World, verdicts: readonly Verdict[]): string[] {
  const { file, state, live } = world;
  const { minAdmins = 0, requiredAdmins = [], undeclaredAdmins } = file.guards ?? {};
  const isAble = ({ disabled }: Person) => !disabled;
  const after = holders("role", "admin", world, verdicts);
  const before = holders("role", "admin", world, []);
  const isDeclared = ({ id }: Person) =>
    verdicts.some((one) => one.place === "role" && one.person === id && isLevel(one.line && today(one.line)));
  const undeclared = undeclaredAdmins && after.some((one) => !isDeclared(one)) ? ["guards.undeclaredAdmins"] : [];
  const loses = before.some(({ id }) => !after.some((one) => one.id === id));
  if (loses && before.some(isAble) && !after.some(isAble)) return ["members", ...undeclared];
  // Another resource may take the role from these people in the same run.
  const certain = after.filter((one) => isDeclared(one) || !state.elsewhere.includes(one.id));
  const missing = requiredAdmins.flatMap((name, index) =>
    certain.some(({ id }) => id === meantBy({ file, state, live }, name, state.roles))
      ? []
      : [`guards.requiredAdmins.${index}`],
  );
  return [...(certain.filter(isAble).length < minAdmins ? ["guards.minAdmins"] : []), ...missing, ...undeclared];
}

/** People who lose a role or a membership, or get a lower one. */
function countLosers(verdicts: readonly Verdict[], { people }: Live): number {
  const losing = verdicts.filter((one) => isChange(one) && !one.isLeaving && isLower(one.after, one.before));
  return new Set(losing.map(({ person }) => people.find(({ id }) => id === person)?.email ?? person)).size;
}

/** Whether a reviewed plan has the write, or a larger change that includes it: the same end, from the same level or one between. */
export function isReviewed(plan: readonly Change[], { place, person, before, after }: Change): boolean {
  return plan.some((one) => {
    if (one.place !== place || one.person !== person || one.after !== after) return false;
    const [low, high] = isLower(one.before, one.after) ? [one.before, one.after] : [one.after, one.before];
    return !isLower(before, low) && !isLower(high, before) && before !== after;
  });
}
