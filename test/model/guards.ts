import {
  type Held,
  heldIn,
  type Id,
  isChange,
  isEmail,
  isLevel,
  isLower,
  isSame,
  type Level,
  levelToday,
  type ModelLine,
  type ModelWorld,
  meantBy,
  type Person,
  type Place,
  placesOf,
  type Verdict,
} from "./model";

export interface Guards {
  readonly minAdmins?: number;
  readonly requiredAdmins?: readonly string[];
  readonly undeclaredAdmins?: "refuse";
  readonly maxRemovals?: number;
  readonly absent?: "refuse";
  readonly pending?: "refuse";
}

/** Which plans a run refuses to begin, by the place in the file: `guards.minAdmins`, or `team_a: ada@acme.test` for a line. */

export function refusalsOf(world: ModelWorld, verdicts: readonly Verdict[]): string[] {
  const { file } = world;
  const { guards = {} } = file;
  const lines = verdicts.filter(({ line }) => line !== undefined);
  const nameLine = ({ place, line }: Verdict) => `${place}: ${line?.name}`;
  // An id that neither a member nor the state has is mistyped.
  const isRefused = ({ away, line }: Verdict) =>
    isLevel(line && levelToday(line)) &&
    (away === "unknown" || (away === "absent" && guards.absent) || (away === "pending" && guards.pending));
  const hasLine = ({ person }: Verdict) =>
    file.lines.some(({ name }) => meantBy(world, "role", name, world.state.roles) === person);
  const others = verdicts.filter(({ place, isOther, after }) => place === "role" && isOther && after !== "none");
  const leaving = new Set(
    verdicts.flatMap((one) => (one.place === "role" && isChange(one) && one.after === "none" ? one.person : [])),
  );
  const isLeaving = ({ place, person }: Verdict) => place !== "role" && leaving.has(person);
  const losing = verdicts.filter((one) => isChange(one) && !isLeaving(one) && isLower(one.after, one.before));
  const { maxRemovals = Number.POSITIVE_INFINITY } = guards;
  const all = [
    ...lines.filter(isRefused).map(nameLine),
    ...(file.others === "refuse" && others.length > 0 ? ["others"] : []),
    ...verdicts.filter(({ isUnlisted }) => isUnlisted).map(({ place }) => `teams.${place}`),
    ...laterLines(world),
    ...passedOn(world, verdicts),
    ...twoMeanings(world, lines),
    // Somebody who leaves the organization without a line for it stays declared in a team.
    ...lines.filter((one) => isLeaving(one) && !hasLine(one)).map(nameLine),
    ...placesOf(world).flatMap((place) => ownerless(world, place, verdicts)),
    ...administrators(world, verdicts),
    ...(new Set(losing.map(({ person }) => person)).size > maxRemovals ? ["guards.maxRemovals"] : []),
  ];
  return [...new Set(all)].sort();
}

const recordedIn = (place: Place, { state }: ModelWorld): readonly Held[] =>
  place === "role" ? state.roles : (state.teams[place]?.people ?? []);

/** Each line with its place and the person that it means. */
export function linesIn(world: ModelWorld) {
  const { file, state } = world;
  // Another kind of resource begins with the names of the file.
  const namedIn = (team: Place) =>
    state.teams[team]?.whole === file.teams[team]?.whole ? recordedIn(team, world) : [];
  const find = (place: Place, lines: readonly ModelLine[], held: readonly Held[]) =>
    lines.map((line) => ({ place, line, person: meantBy(world, place, line.name, held) }));
  const inTeams = Object.entries(file.teams).flatMap(([team, { lines }]) => find(team, lines, namedIn(team)));
  return [...find("role", file.lines, state.roles), ...inTeams];
}
type NamedLine = Pick<ReturnType<typeof linesIn>[number], "place" | "person"> & Pick<Verdict, "line">;

/** A line that begins later must not stand for a person who is in the state already: the record would go. */
function laterLines(world: ModelWorld): string[] {
  const held = linesIn(world).filter(({ place, line, person }) => {
    const known = recordedIn(place, world).filter(({ id, found }) => id !== undefined && !found);
    // The record of a single membership has the id alone.
    const isByName = world.state.teams[place]?.whole ?? true;
    return (
      levelToday(line) === "leave" &&
      known.some((one) => one.id === person || (isByName && isSame(one.name, line.name)))
    );
  });
  return held.map(({ place, line }) => `${place}: ${line.name}`);
}

/** The state has a person who would be changed, or has an option, under an e-mail that another person has now. */
function passedOn(world: ModelWorld, verdicts: readonly Verdict[]): string[] {
  const changing = verdicts.filter((one) => {
    const { line } = one;
    const hasEnded = line !== undefined && !isLevel(levelToday(line));
    const isById = line !== undefined && !isEmail(line.name);
    return isById ? hasEnded && isChange(one) : hasEnded || isChange(one);
  });
  return changing.flatMap(({ place, person }) => {
    const held = recordedIn(place, world);
    const names = held.flatMap(({ id, name }) => (id === person && isEmail(name) ? name : []));
    const isOthers = world.live.people.some(
      ({ id, email }) => id !== person && names.some((one) => isSame(one, email)),
    );
    return isOthers ? [place === "role" ? "members" : `teams.${place}`] : [];
  });
}

/** Whether somebody in the state has another e-mail now. */
export const isRenamed = ({ live, state }: ModelWorld): boolean =>
  heldIn(state).some(
    ({ id, name }) => isEmail(name) && live.people.some((one) => one.id === id && !isSame(name, one.email)),
  );

/** An e-mail means the members that the state has under it, or the line must have the id. */
function twoMeanings(world: ModelWorld, inForce: readonly NamedLine[]): string[] {
  const { state, live } = world;
  const later = linesIn(world).filter(({ line }) => levelToday(line) === "leave");
  const members = heldIn(state).filter(({ id }) => live.people.some((one) => one.id === id));
  return [...inForce, ...later].flatMap(({ place, person, line }) => {
    const isOther = members.some(({ id, name }) => isEmail(name) && isSame(name, line?.name) && id !== person);
    return isOther ? [`${place}: ${line?.name}`] : [];
  });
}

/** A line that says what becomes of somebody must have the name that the state has: an e-mail may have been passed on. */
export function unclearLines({ file, state, live }: ModelWorld, verdicts: readonly Verdict[]): string[] {
  const ending = file.lines.filter((line) => !isLevel(levelToday(line)));
  const raising = file.lines.filter(({ allowRaise }) => allowRaise);
  return verdicts.flatMap(({ place, person, line, away }) => {
    const recorded = state.roles.find(({ id }) => id === person);
    if (place !== "role" || away || !recorded || isLevel(line && levelToday(line))) return [];
    const isOthers = (name: string) => live.people.some(({ id, email }) => id !== person && isSame(name, email));
    const others = heldIn(state).flatMap(({ id, name }) => (id === person && !isOthers(name) ? name : []));
    const emails = [...others, live.people.find(({ id }) => id === person)?.email];
    const isClear = ({ name }: ModelLine) => name === person || isSame(name, recorded.name);
    const isUnclear = ({ name }: ModelLine) => isEmail(name) && emails.some((one) => isSame(name, one));
    const unclear = [ending, raising].flatMap((lines) => (lines.some(isClear) ? [] : lines.filter(isUnclear)));
    return unclear.map(({ name }) => `role: ${name}`);
  });
}

const holders = (place: Place, level: Level, { live }: ModelWorld, verdicts: readonly Verdict[]) => {
  const decided = new Map(
    verdicts.flatMap((one) => (one.place === place && !one.away ? [[one.person, one.after] as const] : [])),
  );
  return live.people.filter(({ id }) => (decided.get(id) ?? live.levels[place]?.[id]) === level);
};

/** A team keeps an owner who can sign in, unless the file or the state allows it, or the team is dissolved. */
function ownerless(world: ModelWorld, place: Place, all: readonly Verdict[]): string[] {
  const { file, state, live } = world;
  const verdicts = all.filter((one) => one.place === place);
  const losing = verdicts.filter(({ before, after, away }) => !away && before === "owner" && after !== "owner");
  if (losing.length === 0 || holders(place, "owner", world, verdicts).some(({ disabled }) => !disabled)) return [];
  const [declared, recorded] = [file.teams[place], state.teams[place]];
  const there = live.levels[place] ?? {};
  // Nobody speaks for the team of somebody who leaves the organization as an undeclared member.
  const isUndeclared = (id: Id) =>
    all.some((one) => one.place === "role" && one.person === id && one.isOther) &&
    !state.roles.some((one) => one.id === id);
  const isSingle = losing.some(({ by, person }) => by === "single" || (by === "nobody" && isUndeclared(person)));
  if (declared?.whole && !isSingle) {
    // The grant of the last owner ends like any other.
    const granted = declared.lines.filter((line) => line.level === "owner" && levelToday(line) !== "leave");
    const ids = granted.map(({ name }) => meantBy(world, place, name, recorded?.people ?? []));
    const isGranted = Object.keys(there).every((id) => there[id] !== "owner" || ids.includes(id));
    return declared.allowNoOwner || isGranted ? [] : [`teams.${place}.members`];
  }
  const isOfWhole = losing.every(({ by }) => by === "whole");
  const isDissolved = isOfWhole && losing.length === Object.keys(there).length;
  const isAllowed = isOfWhole && recorded?.allowNoOwner;
  const isOfPerson = isSingle || losing.some(({ by }) => by === "nobody");
  return isDissolved || isAllowed ? [] : [declared && isOfPerson ? `teams.${place}` : "teams"];
}

function administrators(world: ModelWorld, verdicts: readonly Verdict[]): string[] {
  const { file, state } = world;
  const { minAdmins = 0, requiredAdmins = [], undeclaredAdmins } = file.guards ?? {};
  const isAble = ({ disabled }: Person) => !disabled;
  const after = holders("role", "admin", world, verdicts);
  const before = holders("role", "admin", world, []);
  const isDeclared = ({ id }: Person) =>
    verdicts.some((one) => one.place === "role" && one.person === id && isLevel(one.line && levelToday(one.line)));
  const undeclared = undeclaredAdmins && after.some((one) => !isDeclared(one)) ? ["guards.undeclaredAdmins"] : [];
  const loses = before.some(({ id }) => !after.some((one) => one.id === id));
  if (loses && before.some(isAble) && !after.some(isAble)) return ["members", ...undeclared];
  // Another resource may take the role from these people in the same run.
  const certain = after.filter((one) => isDeclared(one) || !state.elsewhere.includes(one.id));
  const missing = requiredAdmins.flatMap((name, index) =>
    certain.some(({ id }) => id === meantBy(world, "role", name, state.roles))
      ? []
      : [`guards.requiredAdmins.${index}`],
  );
  return [...(certain.filter(isAble).length < minAdmins ? ["guards.minAdmins"] : []), ...missing, ...undeclared];
}
