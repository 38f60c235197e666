import { createHash } from "node:crypto";
import type { Role } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import type { SeedMember, SeedTeam } from "../members/seed";
import type { SeedSite } from "../sites/seed";
import type { SeedOrganization } from "./seed";

/** Numbers of objects to generate in addition to the seed, each 0 to 1,000,000. */
export interface Size {
  readonly members?: number;
  readonly teams?: number;
  readonly sites?: number;
}

/** Adds generated members, teams and sites to a checked seed, the same in each run. Checking a seed of this size would be slow. */
export function withCrowd(seed: SeedOrganization, id: string, size: Size, now: Date): SeedOrganization {
  const { members = 0, teams = 0, sites = 0 } = size;
  const start = now.getTime() - 365 * day;
  const joinedAt = (index: number) => start + ((now.getTime() - start) * index) / members;
  const newMembers = numbersTo(members).map((number) => personOf(number - 1, id, joinedAt(number - 1)));
  const newTeams = numbersTo(teams).map((number) => teamOf(number, newMembers));
  const spaces = seed.spaces?.map((space) => space.id) ?? [];
  const newSites = numbersTo(sites).map((number) => siteOf(number, spaces, now));
  return {
    ...seed,
    members: addCrowd("member", "email", seed.members, newMembers),
    teams: addCrowd("team", "id", seed.teams, newTeams),
    sites: addCrowd("site", "id", seed.sites, newSites),
  };
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The items of the seed, followed by the generated ones; throws if one of each has the same key. */
function addCrowd<Item>(kind: string, key: keyof Item, seeded: Item[] = [], crowd: readonly Item[]): Item[] {
  const generated = new Set(crowd.map((one) => String(one[key])));
  const taken = seeded.find((one) => generated.has(String(one[key]).toLowerCase()));
  if (!taken) return [...seeded, ...crowd];
  throw new DocsError(`the seed has ${kind} "${taken[key]}", which the option size also generates; rename it`);
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

function personOf(index: number, organizationId: string, joined: number): SeedMember {
  const first = firstNames[index % firstNames.length] as string;
  const last = lastNames[index % lastNames.length] as string;
  return {
    // It looks random, and is the same in each run.
    userId: createHash("sha256").update(String(index)).digest("hex").slice(0, 20),
    displayName: `${first[0]?.toUpperCase()}${first.slice(1)} ${last}`,
    email: `${first}.${nameOf(index + 1)}@${organizationId.toLowerCase()}.test`,
    role: roleMix[index % roleMix.length] as Role | null,
    disabled: index % 50 === 49,
    sso: index % 3 === 0,
    joinedAt: new Date(joined).toISOString(),
    // Every fifth member was never seen.
    ...(index % 5 !== 4 && { lastSeenAt: new Date(joined + (index % 97) * 60_000).toISOString() }),
  };
}

const teamSize = 10;

const nameOf = (number: number) => String(number).padStart(4, "0");

function teamOf(number: number, people: readonly SeedMember[]): SeedTeam {
  const places = numbersTo(Math.min(teamSize, people.length));
  const users = places.map((place) => people[((number - 1) * teamSize + place - 1) % people.length]?.userId ?? "");
  const members = Object.fromEntries(users.map((user, index) => [user, index === 0 ? "owner" : "member"] as const));
  return { id: `team_${nameOf(number)}`, title: `Team ${nameOf(number)}`, members };
}

function siteOf(number: number, spaces: readonly string[], now: Date): SeedSite {
  const name = nameOf(number);
  const space = spaces[number % spaces.length];
  return {
    id: `site_${name}`,
    title: `Site ${name}`,
    basename: `site-${name}`,
    spaces: space === undefined ? [] : [space],
    createdAt: now.toISOString(),
  };
}
