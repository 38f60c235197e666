import { type SeedingContext, siteOf } from "../sites/seeding";
import type { SpaceRecord } from "../spaces/record";
import { spaceContentOf } from "../spaces/seeding";
import type { Organization, State } from "../store/state";
import type { SeedOrganization, SeedSpace } from "./organization";
import { peopleStateOf } from "./people";
import type { Seed } from "./seed";

/** Author of content without an author in the seed, in an organization without an administrator. */
const unknownAuthor = "user_unknown";

const month = 30 * 24 * 3600 * 1000;

/** Builds the state that a seed describes. Its objects are 30 days old by default. */
export function stateOf(seed: Seed, now: Date): State {
  const state: State = { sequence: 0, organizations: new Map() };
  const context = {
    createdAt: new Date(now.getTime() - month).toISOString(),
    next: () => ++state.sequence,
  };
  for (const [id, organization] of Object.entries(seed.organizations)) {
    state.organizations.set(id, organizationOf(id, organization, context));
  }
  return state;
}

function organizationOf(id: string, seed: SeedOrganization, context: SeedingContext): Organization {
  const author = seed.members?.find(({ role }) => role === "admin")?.userId ?? unknownAuthor;
  const spaces = (seed.spaces ?? []).map((space) => spaceOf(space, context, author));
  const spacesById = new Map(spaces.map((space) => [space.id, space]));
  const organization: Organization = {
    id,
    title: seed.title ?? id,
    createdAt: seed.createdAt ?? context.createdAt,
    spaces: spacesById,
    sites: new Map(),
    ...peopleStateOf(seed, { ...context, spaces: spacesById }),
  };
  for (const one of seed.sites ?? []) {
    const site = siteOf(one, organization, context);
    organization.sites.set(site.id, site);
  }
  return organization;
}

function spaceOf(seed: SeedSpace, { next, createdAt }: SeedingContext, author: string): SpaceRecord {
  const { id, title, emoji = "1f4c4", createdAt: at = createdAt, ...content } = seed;
  return { id, sequence: next(), title, emoji, createdAt: at, ...spaceContentOf(content, { at, next, author }) };
}
