import { createHash } from "node:crypto";
import type { Role } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { firstAdministrator, type MemberRecord, putInTeam } from "../members/record";
import { siteOf } from "../sites/seeding";
import type { Organization, State } from "../store/state";

/** Numbers of objects to generate in addition to the seed, each 0 to 1,000,000. */
export interface Size {
  readonly members?: number;
  readonly teams?: number;
  readonly sites?: number;
}

const mostOfAKind = 1_000_000;

/** Adds generated members, teams and sites, the same in each run. A seed of this size would be much slower to check. */
export function addCrowd(state: State, organization: Organization, size: Size, now: Date): void {
  const { members = 0, teams = 0, sites = 0 } = size;
  for (const [name, value] of Object.entries({ members, teams, sites })) {
    if (Number.isInteger(value) && value >= 0 && value <= mostOfAKind) continue;
    throw new DocsError(`size.${name} is ${value}; use a whole number from 0 to ${mostOfAKind}`);
  }
  const ids = addMembers(organization, members, now);
  addTeams(state, organization, teams, ids);
  addSites(state, organization, sites, now);
  organization.caller ??= firstAdministrator(organization);
}

function refuseTaken(kind: string, id: string, taken: boolean): void {
  if (taken) throw new DocsError(`the seed has ${kind} "${id}", which the option size also generates; rename it`);
}

const firstNames = ["ada", "bea", "cem", "dana", "eli", "femi", "gita", "hugo", "ines", "jun", "kofi", "lena"];
const lastNames = ["Abbott", "Berg", "Costa", "Diallo", "Endo", "Fischer", "Garcia", "Haddad", "Ito", "Jansen", "Kaya"];
/** One of twenty members is an administrator, one is a guest. */
// biome-ignore format: rows of ten show the distribution
const roleMix: readonly (Role | null)[] = [
  "admin", "read", "edit", "read", "comment", "read", "create", "read", "edit", "review",
  "read", "comment", "read", "edit", "read", "create", "read", "review", "read", null,
];
const day = 24 * 3600 * 1000;

function addMembers(organization: Organization, count: number, now: Date): string[] {
  const start = now.getTime() - 365 * day;
  const taken = new Set([...organization.members.values()].map(({ email }) => email?.toLowerCase()));
  return Array.from({ length: count }, (_, index) => {
    // It looks random, and is the same in each run.
    const id = createHash("sha256").update(String(index)).digest("hex").slice(0, 20);
    const person = personOf(index, id, organization.id, start + ((now.getTime() - start) * index) / count);
    refuseTaken("member", person.email ?? id, taken.has(person.email));
    organization.members.set(id, person);
    return id;
  });
}

function personOf(index: number, id: string, organizationId: string, joined: number): MemberRecord {
  const first = firstNames[index % firstNames.length] as string;
  const last = lastNames[index % lastNames.length] as string;
  return {
    id,
    displayName: `${first[0]?.toUpperCase()}${first.slice(1)} ${last}`,
    email: `${first}.${String(index + 1).padStart(4, "0")}@${organizationId.toLowerCase()}.test`,
    role: roleMix[index % roleMix.length] as Role | null,
    disabled: index % 50 === 49,
    sso: index % 3 === 0,
    joinedAt: new Date(joined).toISOString(),
    // Every fifth member was never seen.
    ...(index % 5 !== 4 && { lastSeenAt: new Date(joined + (index % 97) * 60_000).toISOString() }),
    spaces: {},
  };
}

const teamSize = 10;

function addTeams(state: State, organization: Organization, count: number, users: readonly string[]): void {
  for (let number = 1; number <= count; number++) {
    const name = String(number).padStart(4, "0");
    const sequence = ++state.sequence;
    const { createdAt } = organization;
    const id = `team_${name}`;
    refuseTaken("team", id, organization.teams.has(id));
    const team = { id, title: `Team ${name}`, createdAt, sequence, additions: 0, members: new Map() };
    organization.teams.set(id, team);
    for (let place = 0; place < Math.min(teamSize, users.length); place++) {
      const user = users[((number - 1) * teamSize + place) % users.length] as string;
      putInTeam(team, user, place === 0 ? "owner" : "member");
    }
  }
}

function addSites(state: State, organization: Organization, count: number, now: Date): void {
  const spaces = [...organization.spaces.keys()];
  for (let number = 1; number <= count; number++) {
    const name = String(number).padStart(4, "0");
    const space = spaces[number % Math.max(1, spaces.length)];
    const seed = { id: `site_${name}`, title: `Site ${name}`, basename: `site-${name}`, spaces: space ? [space] : [] };
    refuseTaken("site", seed.id, organization.sites.has(seed.id));
    const site = siteOf(seed, organization, { state, createdAt: now.toISOString() });
    organization.sites.set(site.id, site);
  }
}
