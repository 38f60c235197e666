import { join, putInTeam, removeMember } from "../../../provider/emulator/members/record";
import type { SeedOrganization } from "../../../provider/emulator/seed/seed";
import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import type { AppliedGrant } from "../../../provider/review/model/component-notes";
import { emailOf, userOf } from "../random/organizations";
import type { Dice } from "./dice";
import type { World } from "./world";

/** The people of a year: what they have at first, how the file changes, and what is changed by hand. */

export interface NightLine {
  role: string;
  reason?: string;
  from?: string;
  expires?: { on: string; then?: string };
}
type Lines = Record<string, NightLine>;
interface Team {
  members?: Lines;
  memberships?: Lines;
  exclusive?: true;
}
export interface NightFile {
  readonly organization: string;
  readonly members: Lines;
  readonly teams: Record<string, Team>;
}

const roles = ["read", "comment", "edit", "review", "create"] as const;
const anyRole = [...roles, "admin", "guest"] as const;
const teamRoles = ["member", "owner"] as const;
const teamIds = ["team_a", "team_b", "team_c", "team_d", "team_e"] as const;
/** Administrators, and owners of teams, who stay, so that no guard refuses the changes of the others. */
const steady = 2;
const day = 86_400_000;

const nameOf = (number: number): string => (number % 3 === 0 ? userOf(number) : emailOf(number));
const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0]);
const one = <Value>(dice: Dice, all: readonly Value[]): Value => dice.pick(all) as Value;

export function seedOfNights(people: number, dice: Dice): SeedOrganization {
  const numbers = Array.from({ length: people }, (_, number) => number);
  return {
    title: "Acme",
    members: numbers.map((number) => {
      const randomRole = () => (dice.chance(0.2) ? null : one(dice, roles));
      return { userId: userOf(number), email: emailOf(number), role: number < steady ? "admin" : randomRole() };
    }),
    teams: teamIds.map((id) => {
      const inTeam = numbers.filter((number) => number < steady || dice.chance(0.15));
      const roleOf = (number: number) => (number < steady ? "owner" : one(dice, teamRoles));
      return { id, members: Object.fromEntries(inTeam.map((number) => [userOf(number), roleOf(number)])) };
    }),
  };
}

/** Declares most people and half of the teams as a whole. */
export function firstFile(organization: string, { members, teams }: OrganizationRecord, dice: Dice): NightFile {
  const all = [...members.values()];
  const lineOf = (id: string, role: string): [string, NightLine] => [nameOf(numberIn(id)), { role }];
  const declared = all.filter(({ id }) => numberIn(id) < steady || dice.chance(0.75));
  return {
    organization,
    members: Object.fromEntries(declared.map(({ id, role }) => lineOf(id, role ?? "guest"))),
    teams: Object.fromEntries(
      [...teams.values()].map(({ id, members }, index): [string, Team] => {
        const lines = [...members].map(([user, { role }]) => lineOf(user, role));
        if (index % 2 === 0) return [id, { members: Object.fromEntries(lines), exclusive: true }];
        return [id, { memberships: Object.fromEntries(lines.filter(() => dice.chance(0.15))) }];
      }),
    ),
  };
}

const linesOf = ({ members = {}, memberships }: Team): Lines => memberships ?? members;

/** The lines that have a time, with the team. */
export const timedLines = ({ members, teams }: NightFile) =>
  [[undefined, members] as const, ...Object.entries(teams).map(([team, one]) => [team, linesOf(one)] as const)].flatMap(
    ([team, lines]) =>
      Object.entries(lines).flatMap(([name, line]) => (line.from || line.expires ? [{ team, name, line }] : [])),
  );

/** Something that happens on a day; nothing if the dice has chosen what cannot happen. */
type Happening = (world: World) => string | undefined;

/** Edits of the file that guards let pass. */
export const edits: readonly Happening[] = [grant, grant, grant, changeLine, removeLine, tidyLine, extendLine];

/** What people do in the service itself. */
export const byHand: readonly Happening[] = [setRole, setRole, setMembership, setMembership, leave, arrive];

function placeIn({ file, dice }: World): { team?: string; lines: Lines } {
  const team = dice.pick([undefined, undefined, ...teamIds]);
  return team === undefined ? { lines: file.members } : { team, lines: linesOf(file.teams[team] ?? {}) };
}

const anybody = ({ organization, dice }: World): number => {
  const numbers = [...organization.members.keys()].map(numberIn).filter((number) => number >= steady);
  return dice.pick(numbers) ?? steady;
};

/** A day or a time, so many days from now. */
function moment({ now, dice }: World, days: number): string {
  const time = new Date(now.getTime() + days * day + dice.number(0, 23) * 3_600_000).toISOString();
  return dice.chance(0.6) ? time.slice(0, 10) : `${time.slice(0, 16)}Z`;
}

function grant(world: World): string | undefined {
  const { dice, file, managed, organization } = world;
  const { team, lines } = placeIn(world);
  const number = anybody(world);
  const [name, id] = [nameOf(number), userOf(number)];
  if (name in lines) return undefined;
  // A guard refuses a later grant of a person with a managed role in the place.
  const isManaged = team ? managed.teams.get(team)?.people.has(id) : managed.roles.has(id);
  const isThere = team !== undefined && organization.teams.get(team)?.members.has(id);
  const inTeams = Object.values(file.teams).some((one) => name in linesOf(one));
  const line: NightLine = {
    role: one<string>(dice, team ? teamRoles : anyRole),
    reason: `Ticket ${dice.number(1, 999)}`,
  };
  const days = isManaged || isThere || dice.chance(0.5) ? 0 : dice.number(1, 15);
  if (days > 0) line.from = moment(world, days);
  // A guard refuses to remove a person from the organization who is declared in a team.
  const afterRole = [...roles, "guest", "restore", ...(inTeams ? [] : ["remove"])];
  const then = team ? dice.pick([undefined, undefined, "member", "remove"]) : dice.pick(afterRole);
  if (dice.chance(0.8)) line.expires = { on: moment(world, days + dice.number(2, 30)), ...(then && { then }) };
  if (team && file.members[name]?.expires?.then === "remove") return undefined;
  lines[name] = line;
  return `file: ${team ?? "members"} ${name}: ${JSON.stringify(line)}`;
}

function lineIn(world: World, isWanted: (line: NightLine) => boolean) {
  const { team, lines } = placeIn(world);
  const names = Object.keys(lines).filter((name) => numberIn(name) >= steady && isWanted(lines[name] as NightLine));
  const name = world.dice.pick(names);
  return name === undefined ? undefined : { team, lines, name, line: lines[name] as NightLine };
}

function changeLine(world: World): string | undefined {
  const found = lineIn(world, ({ from, expires }) => !from && !expires);
  if (!found) return undefined;
  found.line.role = one<string>(world.dice, found.team ? teamRoles : anyRole);
  return `file: ${found.team ?? "members"} ${found.name}: ${found.line.role}`;
}

function removeLine(world: World): string | undefined {
  const found = lineIn(world, () => true);
  if (!found) return undefined;
  delete found.lines[found.name];
  return `file: ${found.team ?? "members"} without ${found.name}`;
}

const endOf = ({ expires }: NightLine): number =>
  expires ? Date.parse(expires.on) + (expires.on.length === 10 ? day : 0) : 0;

export type Phase = AppliedGrant["phase"];

export function phaseOf(line: NightLine, now: Date): Phase {
  if (line.expires && endOf(line) <= now.getTime()) return "ended";
  return line.from && Date.parse(line.from) > now.getTime() ? "to begin" : "running";
}

/** Writes what has followed the end of a grant as a line of its own. */
function tidyLine(world: World): string | undefined {
  const found = lineIn(world, (line) => line.expires !== undefined && endOf(line) < world.now.getTime() - day);
  if (!found) return undefined;
  const { team, lines, name, line } = found;
  const then = line.expires?.then ?? "remove";
  if (then === "remove" || then === "restore") delete lines[name];
  else lines[name] = { role: then };
  return `file: ${team ?? "members"} ${name} tidied`;
}

function extendLine(world: World): string | undefined {
  const found = lineIn(world, (line) => endOf(line) > world.now.getTime());
  if (!found?.line.expires) return undefined;
  found.line.expires.on = moment(world, (endOf(found.line) - world.now.getTime()) / day + world.dice.number(2, 20));
  return `file: ${found.team ?? "members"} ${found.name} until ${found.line.expires.on}`;
}

function setRole(world: World): string | undefined {
  const person = world.organization.members.get(userOf(anybody(world)));
  const role = one(world.dice, [...roles, "admin", null] as const);
  if (!person || person.role === role) return undefined;
  person.role = role;
  return `by hand: ${person.id} ${role}`;
}

function setMembership(world: World): string | undefined {
  const { dice, organization } = world;
  const [team, id] = [organization.teams.get(one(dice, teamIds)), userOf(anybody(world))];
  if (!team) return undefined;
  const role = dice.chance(0.4) ? undefined : one(dice, teamRoles);
  if (team.members.get(id)?.role === role) return undefined;
  if (role) putInTeam(team, id, role);
  else team.members.delete(id);
  return `by hand: ${team.id} ${id} ${role}`;
}

function leave(world: World): string | undefined {
  const id = userOf(anybody(world));
  removeMember(world.organization, id);
  return `${id} leaves`;
}

/** Somebody who has left, or is new. */
function arrive(world: World): string | undefined {
  const { dice, organization, file, now } = world;
  const known = Object.keys(file.members).map(numberIn);
  const away = known.filter((number) => !organization.members.has(userOf(number)));
  const number = away.length > 0 && dice.chance(0.6) ? one(dice, away) : 1_000 + dice.number(0, 999);
  if (organization.members.has(userOf(number))) return undefined;
  const role = one(dice, roles);
  join(organization, { userId: userOf(number), email: emailOf(number), role }, now);
  return `${userOf(number)} arrives as ${role}`;
}

/** Removes the lines of ids that no member has: without a record, they look like mistakes, and a guard refuses them. */
export function dropAbsent({ file, organization }: World): void {
  for (const lines of [file.members, ...Object.values(file.teams).map(linesOf)])
    for (const name of Object.keys(lines))
      if (!name.includes("@") && !organization.members.has(name)) delete lines[name];
}
