import { ignores } from "../access-plan/subjects";
import type { LiveOrganization } from "../organization/live/live";
import { type TeamName, teamNames } from "../organization/sections/teams";
import type { Declarer, RecordedAccess } from "./access";
import { type AuditedDeclaration, type Declarations, keyOfAudited } from "./declarations";

export interface Shared extends Pick<AuditedDeclaration, "id" | "name"> {
  /** `team`: one stack manages all members of the team, and removes people that the other stack adds. */
  readonly kind: AuditedDeclaration["kind"] | "team";
  readonly team?: TeamName;
  readonly by: readonly Declarer[];
}

/** Finds subjects that several stacks declare. The last up wins until the next up of another stack reverts it. */
export function findShared({ all, access }: Declarations, live: LiveOrganization): Shared[] {
  const staying = all.filter(({ leaving }) => !leaving);
  const teams = sharedTeams(access);
  const nameOfTeam = teamNames(live.teams);
  return [
    ...[...teams].map(([id, by]) => ({ kind: "team" as const, id, name: id, team: nameOfTeam(id), by: distinct(by) })),
    ...sharedThings(staying.filter(({ team }) => team === undefined || !teams.has(team))).map(([one, by]) => {
      const { kind, id, name, team } = one;
      return { kind, id, name, ...(team !== undefined && { team: nameOfTeam(team) }), by: distinct(by) };
    }),
  ];
}

/** Teams in which one stack manages everybody, and another stack declares a member that the first does not ignore. */
function sharedTeams({ plan, managers }: RecordedAccess): Map<string, Declarer[]> {
  const teams = new Map<string, Declarer[]>();
  for (const [manager, { by }] of managers) {
    const { area } = manager;
    if (area?.team === undefined) continue;
    const people = plan.in(area).filter(({ person }) => !ignores(manager, person));
    const staying = people
      .flatMap(({ declaredBy }) => declaredBy.flatMap((one) => managers.get(one) ?? []))
      .filter((one) => !one.leaving);
    const others = staying.map((one) => one.by).filter(({ stack }) => stack !== by.stack);
    if (others.length > 0) teams.set(area.team, [...(teams.get(area.team) ?? []), by, ...others]);
  }
  return teams;
}

function sharedThings(all: readonly AuditedDeclaration[]): [AuditedDeclaration, Declarer[]][] {
  const things = new Map<string, [AuditedDeclaration, Declarer[]]>();
  for (const one of all) {
    const thing = things.get(keyOfAudited(one));
    if (thing) thing[1].push(one.by);
    else things.set(keyOfAudited(one), [one, [one.by]]);
  }
  return [...things.values()].filter(([, by]) => new Set(by.map(({ stack }) => stack)).size > 1);
}

const distinct = (by: readonly Declarer[]): Declarer[] => [
  ...new Map(by.map((one) => [`${one.stack}\n${one.resource}`, one])).values(),
];
