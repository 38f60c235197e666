import type { Member } from "../provider/api/groups/members";
import { type Bound, seconds, timesFloor } from "./bounds";
import { grouped } from "./numbers";
import type { Size, World } from "./world";

export type Command = "up" | "preview --refresh" | "refresh" | "destroy";

/** A command of the engine, with its bounds at 50 ms per request. */
export interface Phase {
  readonly command: Command;
  readonly requests?: number;
  readonly wall?: Bound;
}

export interface Case {
  readonly name: string;
  /** Title in the table. */
  title(size: Size & { readonly count: number }): string;
  /** Number of memberships or resources at full size. */
  readonly count: number;
  /** Number of members of the organization at full size, if it differs from `count`. */
  readonly members?: number;
  /** Number of teams, if it is not one per hundred memberships. */
  readonly teams?: number;
  /** Requests per second that the service allows. */
  readonly rate?: number;
  readonly parallel?: number;
  /** Whether the naive provider is measured. Its state contains its code, so each command on 1,000 resources takes minutes. */
  readonly naive?: boolean;
  /** Whether the plugin is measured beside the dynamic host; the bounds of the case are then those of both. */
  readonly plugin?: boolean;
  readonly phases: readonly Phase[];
  /** Maximum bytes of state per resource of the dynamic host. */
  readonly state?: number;
  /** Maximum bytes of state per resource of the plugin. */
  readonly pluginState?: number;
  /** Maximum memory of the provider process, in MiB. */
  readonly memory?: number;
  /** Source text of the program's declarations; `docs` is the module with the classes. */
  declarations(world: World, count: number): string;
}

const teamSize = 100;

/**
 * Bytes of state for each resource through the plugin. Of a `TeamMembership` by id, the engine and its SDK write 615: URN, type,
 * parent, provider, times, positions, and an empty list of dependencies for each input. The program's own texts, which stand in the id,
 * the inputs and the outputs, take 217, and what this package records (`organizationId`, `userId`, `pending` and the service) about
 * 114, and the last write (`__written`) about 90.
 */
const pluginState = 1050;
/** An e-mail in the id, the inputs and the outputs is longer than an id. */
const pluginStateOfEmail = 1060;

/** Title of a case in the table. */
export const titleOf = (one: Case, count: number) => one.title({ count, ...sizeOf(one, count) });

/** Size of the organization of a case with `count` objects instead of its full size. */
export function sizeOf({ count: full, members = full, teams: fixed }: Case, count: number): Size {
  const teams = fixed ?? Math.max(2, Math.ceil(count / teamSize));
  return { teams, members: Math.max(count, Math.round((members * count) / full)) };
}

/** Distributes people over teams; the first one of each team owns it. */
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

/** Spread over the whole organization: the first members would all be on the first pages of a list. */
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

/** A role that differs from the live one. Administrators are not used: they change one at a time, whatever the speed. */
function changed({ members }: World, count: number) {
  const others = spread(
    members.filter(({ role }) => role !== "admin"),
    count,
  );
  return others.map(({ user, role }) => [user.id, role === "comment" ? "read" : "comment"] as const);
}

const idOf = ({ user }: Member) => user.id;
const emailOf = ({ user }: Member) => user.email;

/** All cases of the table. The organization has as many members as the case has memberships, unless `members` says otherwise. */
export const cases: readonly Case[] = [
  {
    name: "team-membership",
    title: ({ count, teams }) => `${grouped(count)} \`TeamMembership\` in ${teams} teams`,
    count: 1000,
    naive: true,
    plugin: true,
    phases: [
      { command: "up", requests: 1020, wall: timesFloor(1.15) },
      { command: "preview --refresh", requests: 20, wall: timesFloor(1.2, 1) },
      { command: "refresh", requests: 20, wall: timesFloor(1.2, 1) },
      { command: "destroy", requests: 1020, wall: timesFloor(1.15) },
    ],
    pluginState,
    declarations: memberships(idOf),
  },
  {
    name: "team-membership-emails",
    title: ({ count, teams }) => `${grouped(count)} \`TeamMembership\` in ${teams} teams, users by e-mail`,
    count: 1000,
    plugin: true,
    phases: [{ command: "up", requests: 1025, wall: timesFloor(1.15) }],
    state: 1500,
    pluginState: pluginStateOfEmail,
    declarations: memberships(emailOf),
  },
  {
    name: "team-members",
    title: ({ count, teams }) => `${grouped(count)} memberships as \`TeamMembers\` of ${teams} teams`,
    count: 1000,
    plugin: true,
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
    plugin: true,
    phases: [
      { command: "up", requests: 14, wall: timesFloor(1.2, 2) },
      { command: "preview --refresh", requests: 14, wall: timesFloor(1.2, 2) },
    ],
    pluginState,
    declarations: ({ members }, count) => memberRole(rolesOf(spread(members, count))),
  },
  {
    name: "member-role-changes",
    title: ({ count, members }) =>
      `${grouped(count)} \`MemberRole\` that all change, organization of ${grouped(members)}`,
    count: 1000,
    members: 10_000,
    plugin: true,
    phases: [{ command: "up", requests: 1014, wall: timesFloor(1.15) }],
    pluginState,
    declarations: (world, count) => memberRole(changed(world, count)),
  },
  {
    name: "few-of-many",
    title: ({ count, members }) => `${grouped(count)} \`MemberRole\` in an organization of ${grouped(members)}`,
    count: 3,
    members: 50_000,
    memory: 300,
    plugin: true,
    phases: [{ command: "up" }, { command: "refresh", requests: 5, wall: timesFloor(1, 0.5) }],
    declarations: ({ members }, count) => memberRole(rolesOf(spread(members, count))),
  },
  {
    name: "site",
    title: ({ count }) => `${grouped(count)} \`Site\``,
    count: 1000,
    plugin: true,
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
    plugin: true,
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
    // 1,000 successful writes, and less than 3 % of all requests refused.
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

/** Maximum growth with ten times as many memberships: factors for requests and wall time of each command. */
export const growth = { from: "team-members", to: "team-members-10000", most: 11 } as const;
