import type { LiveOrganization } from "../organization/live/live";
import { type TeamName, teamNames } from "../organization/sections/teams/audit";
import { isEmail } from "../people/user";
import { type Declaration, type Declarations, type Declarer, keyOf, type WholeTeam } from "./declarations";

/** A subject that several stacks declare. */
export interface Shared extends Pick<Declaration, "id" | "name"> {
  /** `team`: one stack manages all members of the team, and removes people that the other stack adds. */
  readonly kind: Declaration["kind"] | "team";
  readonly team?: TeamName;
  readonly by: readonly Declarer[];
}

/** Finds subjects that several stacks declare. The last up wins until the next up of another stack reverts it. */
export function findShared({ all, wholeTeams }: Declarations, live: LiveOrganization): Shared[] {
  const staying = all.filter(({ leaving }) => !leaving);
  const teams = sharedTeams(staying, wholeTeams);
  const named = teamNames(live.teams);
  return [
    ...[...teams].map(([id, by]) => ({ kind: "team" as const, id, name: id, team: named(id), by: distinct(by) })),
    ...sharedThings(staying.filter(({ team }) => team === undefined || !teams.has(team))).map(([one, by]) => {
      const { kind, id, name, team } = one;
      return { kind, id, name, ...(team !== undefined && { team: named(team) }), by: distinct(by) };
    }),
  ];
}

/** Teams of which one stack manages all members, and another stack declares a member that the first does not ignore. */
function sharedTeams(all: readonly Declaration[], wholeTeams: readonly WholeTeam[]): Map<string, Declarer[]> {
  const found = new Map<string, Declarer[]>();
  for (const whole of wholeTeams) {
    const others = all.filter((one) => conflicts(whole, one)).map(({ by }) => by);
    if (others.length > 0) found.set(whole.team, [...(found.get(whole.team) ?? []), whole.by, ...others]);
  }
  return found;
}

function conflicts(whole: WholeTeam, { team, by, id, name }: Declaration): boolean {
  if (team !== whole.team || by.stack === whole.by.stack) return false;
  return !whole.ignores({ userId: id, email: isEmail(name) ? name : undefined });
}

function sharedThings(all: readonly Declaration[]): [Declaration, Declarer[]][] {
  const things = new Map<string, [Declaration, Declarer[]]>();
  for (const one of all) {
    const thing = things.get(keyOf(one));
    if (thing) thing[1].push(one.by);
    else things.set(keyOf(one), [one, [one.by]]);
  }
  return [...things.values()].filter(([, by]) => new Set(by.map(({ stack }) => stack)).size > 1);
}

const distinct = (by: readonly Declarer[]): Declarer[] => [
  ...new Map(by.map((one) => [`${one.stack}\n${one.resource}`, one])).values(),
];
