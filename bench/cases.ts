import type { Member } from "../provider/api/groups/members";
import { type Bound, seconds, timesFloor } from "./bounds";
import { grouped } from "./numbers";
import type { Size, World } from "./world";

export type Command = "up" | "preview --refresh" | "refresh" | "destroy";

/** A command of the engine, and what it may cost at 50 ms a request. */
export interface Phase {
  readonly command: Command;
  readonly requests?: number;
  readonly wall?: Bound;
}

export interface Case {
  readonly name: string;
  /** In the table. */
  title(size: Size & { readonly count: number }): string;
  /** Memberships or resources at full size. */
  readonly count: number;
  /** Members of the organization at full size, where that is another number. */
  readonly members?: number;
  /** Teams, where that is another number than one for each hundred. */
  readonly teams?: number;
  /** Requests a second that the service allows. */
  readonly rate?: number;
  readonly parallel?: number;
  /** The naive provider is measured as well. Its state holds its code, so each command of 1,000 takes minutes. */
  readonly naive?: boolean;
  readonly phases: readonly Phase[];
  /** Bytes of state per resource. */
  readonly state?: number;
  /** MiB of the provider process. */
  readonly memory?: number;
  /** What the program declares, of the classes in `docs`. */
  declarations(world: World, count: number): string;
}

const teamSize = 100;

/** A case as the table names it. */
export const titleOf = (one: Case, count: number) => one.title({ count, ...sizeOf(one, count) });

/** The organization of a case, `count` being what is asked for instead of its full size. */
export function sizeOf({ count: full, members = full, teams: fixed }: Case, count: number): Size {
  const teams = fixed ?? Math.max(2, Math.ceil(count / teamSize));
  return { teams, members: Math.max(count, Math.round((members * count) / full)) };
}

/** People dealt to teams; the first one of each owns it. */
function dealt({ teams, members }: World, count: number, keyOf: (member: Member) => string | undefined) {
  const size = Math.ceil(count / teams.length);
  const people = members.slice(0, count).map(keyOf);
  return teams.map((team, index) => [team, people.slice(index * size, (index + 1) * size)] as const);
}

const memberships = (keyOf: (member: Member) => string | undefined) => (world: World, count: number) =>
  `
const teams: [string, string[]][] = ${JSON.stringify(dealt(world, count, keyOf))};
for (const [index, [teamId, users]] of teams.entries()) {
  for (const [place, user] of users.entries()) {
    new docs.TeamMembership(\`team-\${index}-\${place}\`, { teamId, user, role: place === 0 ? "owner" : "member" });
  }
}`;

const teamMembers = (world: World, count: number) => `
const teams: [string, string[]][] = ${JSON.stringify(dealt(world, count, idOf))};
for (const [index, [teamId, users]] of teams.entries()) {
  const members = Object.fromEntries(users.map((user, place) => [user, place === 0 ? "owner" : "member"]));
  new docs.TeamMembers(\`team-\${index}\`, { teamId, members });
}`;

/** From all over the organization: the first ones would all be on the first pages of a list. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = items.length / count;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index + 0.5) * step)] as Item);
}

const rolesOf = (members: readonly Member[]) => members.map(({ user, role }) => [user.id, role ?? "guest"] as const);

const memberRole = (roles: readonly (readonly [string, string])[]) => `
const roles: [string, string][] = ${JSON.stringify(roles)};
for (const [index, [user, role]] of roles.entries()) new docs.MemberRole(\`role-\${index}\`, { user, role });`;

const memberRoles = (roles: readonly (readonly [string, string])[]) => `
const roles = ${JSON.stringify(Object.fromEntries(roles))};
new docs.MemberRoles("roles", { roles });`;

/** Another role than the live one. Administrators stay: how they change is one at a time, which is no matter of speed. */
function changed({ members }: World, count: number) {
  const others = spread(
    members.filter(({ role }) => role !== "admin"),
    count,
  );
  return others.map(({ user, role }) => [user.id, role === "comment" ? "read" : "comment"] as const);
}

const idOf = ({ user }: Member) => user.id;
const emailOf = ({ user }: Member) => user.email;

/** Every line of the table. The organization has as many members as the case has memberships unless it says more. */
export const cases: readonly Case[] = [
  {
    name: "team-membership",
    title: ({ count, teams }) => `${grouped(count)} \`TeamMembership\` in ${teams} teams`,
    count: 1000,
    naive: true,
    phases: [
      { command: "up", requests: 1020, wall: timesFloor(1.15) },
      { command: "preview --refresh", requests: 20, wall: timesFloor(1.2, 1) },
      { command: "refresh", requests: 20, wall: timesFloor(1.2, 1) },
      { command: "destroy", requests: 1020, wall: timesFloor(1.15) },
    ],
    declarations: memberships(idOf),
  },
  {
    name: "team-membership-emails",
    title: ({ count, teams }) => `${grouped(count)} \`TeamMembership\` in ${teams} teams, users by e-mail`,
    count: 1000,
    phases: [{ command: "up", requests: 1025, wall: timesFloor(1.15) }],
    state: 1500,
    declarations: memberships(emailOf),
  },
  {
    name: "team-members",
    title: ({ count, teams }) => `${grouped(count)} memberships as \`TeamMembers\` of ${teams} teams`,
    count: 1000,
    phases: [
      { command: "up", requests: 30, wall: seconds(12) },
      { command: "preview --refresh", requests: 20, wall: seconds(8) },
      { command: "destroy", requests: 30, wall: seconds(8) },
    ],
    declarations: teamMembers,
  },
  {
    name: "member-role",
    title: ({ count, members }) =>
      `${grouped(count)} \`MemberRole\`, roles already right, organization of ${grouped(members)}`,
    count: 1000,
    members: 10_000,
    phases: [
      { command: "up", requests: 14, wall: timesFloor(1.2, 2) },
      { command: "preview --refresh", requests: 14, wall: timesFloor(1.2, 2) },
    ],
    declarations: ({ members }, count) => memberRole(rolesOf(spread(members, count))),
  },
  {
    name: "member-role-changes",
    title: ({ count, members }) =>
      `${grouped(count)} \`MemberRole\` that all change, organization of ${grouped(members)}`,
    count: 1000,
    members: 10_000,
    phases: [{ command: "up", requests: 1014, wall: timesFloor(1.15) }],
    declarations: (world, count) => memberRole(changed(world, count)),
  },
  {
    name: "few-of-many",
    title: ({ count, members }) => `${grouped(count)} \`MemberRole\` in an organization of ${grouped(members)}`,
    count: 3,
    members: 50_000,
    memory: 300,
    phases: [{ command: "up" }, { command: "refresh", requests: 5, wall: timesFloor(1, 0.5) }],
    declarations: ({ members }, count) => memberRole(rolesOf(spread(members, count))),
  },
  {
    name: "site",
    title: ({ count }) => `${grouped(count)} \`Site\``,
    count: 1000,
    phases: [{ command: "up" }, { command: "preview --refresh", requests: 5, wall: timesFloor(1.2, 1) }],
    declarations: (_world, count) => `
for (let number = 1; number <= ${count}; number++) {
  new docs.Site(\`site-\${number}\`, { title: \`Site \${number}\`, visibility: "unlisted" });
}`,
  },
  {
    name: "team-members-10000",
    title: ({ count, teams }) => `${grouped(count)} memberships as \`TeamMembers\` of ${teams} teams`,
    count: 10_000,
    phases: [
      { command: "up", requests: 250, wall: seconds(30) },
      { command: "preview --refresh", requests: 130, wall: seconds(20) },
    ],
    declarations: teamMembers,
  },
  {
    name: "member-roles",
    title: ({ count }) => `${grouped(count)} roles as one \`MemberRoles\`, nothing changed`,
    count: 10_000,
    memory: 300,
    phases: [
      { command: "up", requests: 14, wall: seconds(20) },
      { command: "preview --refresh", requests: 14, wall: seconds(15) },
    ],
    declarations: ({ members }, count) => memberRoles(rolesOf(spread(members, count))),
  },
  {
    name: "members-50000",
    title: ({ count, members }) =>
      `${grouped(count)} roles as one \`MemberRoles\`, organization of ${grouped(members)}, all of which is read`,
    count: 2000,
    members: 50_000,
    memory: 300,
    phases: [{ command: "up" }, { command: "preview --refresh" }],
    declarations: ({ members }, count) => memberRoles(rolesOf(spread(members, count))),
  },
  {
    name: "limited-memberships",
    title: ({ count }) => `${grouped(count)} \`TeamMembership\` of one team, 5 requests a second allowed`,
    count: 1000,
    teams: 1,
    rate: 5,
    phases: [{ command: "up", wall: seconds(110) }],
    declarations: memberships(idOf),
  },
  {
    name: "limited-roles",
    title: ({ count }) => `${grouped(count)} \`MemberRole\` that all change, 20 requests a second allowed`,
    count: 1000,
    members: 2000,
    rate: 20,
    // 1,000 writes that are answered, and less than 3 % of all refused.
    phases: [{ command: "up", requests: 1030 }],
    declarations: (world, count) => memberRole(changed(world, count)),
  },
  {
    name: "team-membership-64",
    title: ({ count, teams }) => `${grouped(count)} \`TeamMembership\` in ${teams} teams, --parallel 64`,
    count: 1000,
    parallel: 64,
    phases: [{ command: "up" }, { command: "preview --refresh" }, { command: "destroy" }],
    declarations: memberships(idOf),
  },
  {
    name: "team-members-64",
    title: ({ count, teams }) => `${grouped(count)} memberships as \`TeamMembers\` of ${teams} teams, --parallel 64`,
    count: 1000,
    parallel: 64,
    phases: [{ command: "up" }, { command: "preview --refresh" }, { command: "destroy" }],
    declarations: teamMembers,
  },
];

/** What ten times as many memberships may cost: requests and wall time of each command, at most this many times as much. */
export const growth = { from: "team-members", to: "team-members-10000", most: 11 } as const;
