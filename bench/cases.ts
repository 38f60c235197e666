import type { Member } from "../provider/api/groups/members";
import type { Size, World } from "./world";

export type Command = "up" | "preview --refresh" | "refresh" | "destroy";

/** What the bounds of requests are counted in. */
export interface Counts {
  /** Memberships or resources. */
  readonly count: number;
  readonly teams: number;
  /** Pages of a list of all members, or of all resources if these are more. */
  readonly pages: number;
}

/** A command of the engine, with its bounds. */
export interface Phase {
  readonly command: Command;
  readonly requests?: (counts: Counts) => number;
  /** Maximum seconds at 50 ms per request: `timesFloor` times those of resources that do nothing, plus `more`. */
  readonly seconds?: { readonly timesFloor?: number; readonly more: number };
}

export interface Case {
  readonly name: string;
  /** Number of memberships or resources. */
  readonly count: number;
  /** Number of members of the organization, if it differs from `count`. */
  readonly members?: number;
  readonly phases: readonly Phase[];
  /** Maximum bytes of state for each resource, the engine's own part included. */
  readonly state?: number;
  /** Source text of the program's declarations; `docs` is the module with the classes. */
  declarations(world: World, count: number): string;
}

const teamSize = 100;
const pageSize = 1000;

export function sizeOf({ count, members = count }: Case): Size {
  return { teams: Math.max(2, Math.ceil(count / teamSize)), members };
}

/** The most requests of a command of a case; `undefined` if they are not limited. */
export function mostRequests(one: Case, { requests }: Phase): number | undefined {
  const { teams, members } = sizeOf(one);
  return requests?.({ count: one.count, teams, pages: Math.ceil(members / pageSize) });
}

/** Distributes people over teams; the first one of each team owns it. */
function distribute({ teams, members }: World, count: number, keyOf: (member: Member) => string | undefined) {
  const size = Math.ceil(count / teams.length);
  const people = members.slice(0, count).map(keyOf);
  return teams.map((team, index) => [team, people.slice(index * size, (index + 1) * size)] as const);
}

const memberships = (keyOf: (member: Member) => string | undefined) => (world: World, count: number) =>
  `
const teams: [string, string[]][] = ${JSON.stringify(distribute(world, count, keyOf))};
for (const [index, [teamId, users]] of teams.entries()) {
  for (const [place, user] of users.entries()) {
    new docs.TeamMembership(\`team-\${index}-\${place}\`, { teamId, user, role: place === 0 ? "owner" : "member" });
  }
}`;

const teamMembers = (world: World, count: number) => `
const teams: [string, string[]][] = ${JSON.stringify(distribute(world, count, idOf))};
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

/** A role that differs from the live one. Administrators are not used: they change one at a time, whatever the speed. */
function changedRoles({ members }: World, count: number) {
  const others = spread(
    members.filter(({ role }) => role !== "admin"),
    count,
  );
  return others.map(({ user, role }) => [user.id, role === "comment" ? "read" : "comment"] as const);
}

const idOf = ({ user }: Member) => user.id;
const emailOf = ({ user }: Member) => user.email;

const forEachAndTeams = ({ count, teams }: Counts) => count + 2 * teams;
const forTeams = ({ teams }: Counts) => 2 * teams;
const forPages = ({ pages }: Counts) => pages + 4;

/** The cases that are timed with the engine (`npm run bench`). */
export const timedCases: readonly Case[] = [
  {
    name: "singles: 1,000 TeamMembership in 10 teams",
    count: 1000,
    phases: [
      { command: "up", requests: forEachAndTeams, seconds: { timesFloor: 1.15, more: 0 } },
      { command: "preview --refresh", requests: forTeams, seconds: { timesFloor: 1.2, more: 1 } },
      { command: "refresh", requests: forTeams, seconds: { timesFloor: 1.2, more: 1 } },
      { command: "destroy", requests: forEachAndTeams, seconds: { timesFloor: 1.15, more: 0 } },
    ],
    state: 1500,
    declarations: memberships(idOf),
  },
  {
    name: "aggregates: the same people in 10 TeamMembers",
    count: 1000,
    phases: [
      { command: "up", requests: ({ teams }) => 2.5 * teams, seconds: { more: 12 } },
      { command: "preview --refresh", requests: ({ teams }) => 1.3 * teams, seconds: { more: 8 } },
      { command: "destroy", requests: ({ teams }) => 3 * teams, seconds: { more: 8 } },
    ],
    declarations: teamMembers,
  },
];

/** All cases with bounds of requests, which a test checks. The timed ones are repeated here with fewer people. */
export const cases: readonly Case[] = [
  ...timedCases.map((one) => ({ ...one, name: one.name.replace(/:.*/, ""), count: 200 })),
  {
    name: "TeamMembership, users by e-mail",
    count: 200,
    phases: [{ command: "up", requests: (counts) => forEachAndTeams(counts) + forPages(counts) }],
    declarations: memberships(emailOf),
  },
  {
    name: "MemberRole of a tenth of the members, roles already right",
    count: 200,
    members: 2_000,
    phases: [
      { command: "up", requests: forPages },
      { command: "preview --refresh", requests: forPages },
    ],
    declarations: ({ members }, count) => memberRole(rolesOf(spread(members, count))),
  },
  {
    name: "MemberRole of a tenth of the members, that all change",
    count: 200,
    members: 2_000,
    phases: [{ command: "up", requests: (counts) => counts.count + forPages(counts) }],
    declarations: (world, count) => memberRole(changedRoles(world, count)),
  },
  {
    name: "3 MemberRole in an organization of ten pages",
    count: 3,
    members: 10_000,
    phases: [{ command: "up" }, { command: "refresh", requests: ({ count }) => count + 2 }],
    declarations: ({ members }, count) => memberRole(rolesOf(spread(members, count))),
  },
  {
    name: "Site",
    count: 200,
    phases: [{ command: "up" }, { command: "preview --refresh", requests: forPages }],
    declarations: (_world, count) => `
for (let number = 1; number <= ${count}; number++) {
  new docs.Site(\`site-\${number}\`, { title: \`Site \${number}\`, visibility: "unlisted" });
}`,
  },
  {
    name: "all members as one MemberRoles",
    count: 2_000,
    phases: [
      { command: "up", requests: forPages },
      { command: "preview --refresh", requests: forPages },
      { command: "destroy", requests: forPages },
    ],
    declarations: ({ members }) => `
const roles = ${JSON.stringify(Object.fromEntries(rolesOf(members)))};
new docs.MemberRoles("roles", { roles });`,
  },
];
