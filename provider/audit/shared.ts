import { isEmail } from "../access/user";
import type { LiveOrganization } from "../organization/live/live";
import { type TeamName, teamNames } from "../organization/sections/teams/audit";
import { type Declaration, type Declarations, type Declarer, keyOf, type WholeTeam } from "./declarations";

/** Something that several stacks declare. */
export interface Shared extends Pick<Declaration, "id" | "name"> {
  /** `team`: one of them manages everybody in it, and so removes whom the other one adds. */
  readonly kind: Declaration["kind"] | "team";
  readonly team?: TeamName;
  readonly by: readonly Declarer[];
}

/** What more than one stack declares: the last up wins, and the next one of the other stack takes it back. */
export function sharedIn({ all, wholeTeams }: Declarations, live: LiveOrganization): Shared[] {
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

/** Teams in which one stack manages everybody, and another one somebody whom the first does not ignore. */
function sharedTeams(all: readonly Declaration[], wholeTeams: readonly WholeTeam[]): Map<string, Declarer[]> {
  const found = new Map<string, Declarer[]>();
  for (const whole of wholeTeams) {
    const rivals = all.filter((one) => conflict(whole, one)).map(({ by }) => by);
    if (rivals.length > 0) found.set(whole.team, [...(found.get(whole.team) ?? []), whole.by, ...rivals]);
  }
  return found;
}

function conflict(whole: WholeTeam, { team, by, id, name }: Declaration): boolean {
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
