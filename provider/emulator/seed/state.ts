import { spaceContentOf } from "../content/seeding";
import { peopleStateOf } from "../members/seeding";
import { slugOf, uniqueSlug } from "../store/slugs";
import {
  type GroupNode,
  newId,
  type Organization,
  type SectionNode,
  type SiteRecord,
  type SiteSpaceNode,
  type SpaceRecord,
  type State,
} from "../store/state";
import type { Seed, SeedOrganization, SeedSection, SeedSite, SeedSiteSpace, SeedSpace } from "./seed";

/** Made what a seed says nobody of, where there is no administrator. */
const unknownAuthor = "user_unknown";

const month = 30 * 24 * 3600 * 1000;

/** The state that a seed describes. What was there at the start was not made just now: it is a month old. */
export function stateOf(seed: Seed, now: Date): State {
  const state: State = { sequence: 0, organizations: new Map() };
  const createdAt = new Date(now.getTime() - month).toISOString();
  for (const [id, organization] of Object.entries(seed.organizations)) {
    state.organizations.set(id, organizationOf(id, organization, { state, createdAt }));
  }
  return state;
}

interface Context {
  readonly state: State;
  readonly createdAt: string;
}

function organizationOf(id: string, seed: SeedOrganization, context: Context): Organization {
  const author = seed.members?.find(({ role }) => role === "admin")?.userId ?? unknownAuthor;
  const spaces = (seed.spaces ?? []).map((space) => spaceOf(space, context, author));
  const spacesById = new Map(spaces.map((space) => [space.id, space]));
  const next = () => ++context.state.sequence;
  const organization: Organization = {
    id,
    title: seed.title ?? id,
    createdAt: seed.createdAt ?? context.createdAt,
    spaces: spacesById,
    sites: new Map(),
    ...peopleStateOf(seed, { next, createdAt: context.createdAt, spaces: spacesById }),
  };
  for (const one of seed.sites ?? []) {
    const site = siteOf(one, organization, context);
    organization.sites.set(site.id, site);
  }
  return organization;
}

function spaceOf(seed: SeedSpace, { state, createdAt }: Context, author: string): SpaceRecord {
  const { id, title, emoji = "1f4c4", createdAt: at = createdAt, ...content } = seed;
  const next = () => ++state.sequence;
  return { id, sequence: next(), title, emoji, createdAt: at, ...spaceContentOf(content, { at, next, author }) };
}

export function siteOf(seed: SeedSite, organization: Organization, context: Context): SiteRecord {
  const { spaces = [], sections, adaptiveSchema, ...settings } = seed;
  const createdAt = seed.createdAt ?? context.createdAt;
  return {
    type: "basic",
    title: "Untitled",
    visibility: "public",
    published: false,
    agentsContext: "included",
    shareKeys: [],
    needsUpgrade: false,
    ...settings,
    id: seed.id ?? newId("site"),
    sequence: ++context.state.sequence,
    createdAt,
    ...(adaptiveSchema && { adaptiveSchema: { jsonSchema: adaptiveSchema, updatedAt: createdAt } }),
    structure: sections ? sectionsOf(sections, organization) : siteSpacesOf(spaces, organization),
    responses: [],
  };
}

/** Nodes for spaces, the first of them being the default unless another one says so. */
export function siteSpacesOf(uses: readonly (string | SeedSiteSpace)[], { spaces }: Organization): SiteSpaceNode[] {
  const slugs = new Set<string>();
  const nodes = uses.map((use): SiteSpaceNode => {
    const { space, ...given }: SeedSiteSpace = typeof use === "string" ? { space: use } : use;
    const title = given.title ?? spaces.get(space)?.title ?? space;
    const path = given.path ?? uniqueSlug(title, slugs);
    return { type: "site-space", id: newId("sitespace"), default: false, ...given, space, title, path };
  });
  return withDefault(nodes);
}

function sectionsOf(seeds: readonly SeedSection[], organization: Organization): (SectionNode | GroupNode)[] {
  const nodes = seeds.map((seed) => nodeOf(seed, organization));
  withDefault(sectionsIn(nodes));
  return nodes;
}

function nodeOf(seed: SeedSection, organization: Organization): SectionNode | GroupNode {
  const { title, icon, spaces = [], sections } = seed;
  if (sections) {
    const children = sections.map((inner) => nodeOf(inner, organization));
    return { type: "site-section-group", id: seed.id ?? newId("group"), title, icon, children };
  }
  return {
    type: "site-section",
    id: seed.id ?? newId("section"),
    title,
    path: seed.path ?? slugOf(title),
    description: seed.description,
    icon,
    default: seed.default ?? false,
    condition: seed.condition,
    siteSpaces: siteSpacesOf(spaces, organization),
  };
}

function sectionsIn(nodes: readonly (SectionNode | GroupNode)[]): SectionNode[] {
  return nodes.flatMap((node) => (node.type === "site-section" ? [node] : sectionsIn(node.children)));
}

/** Exactly one of them is the default. */
function withDefault<Node extends { default: boolean }>(nodes: Node[]): Node[] {
  const chosen = nodes.find((node) => node.default) ?? nodes[0];
  for (const node of nodes) node.default = node === chosen;
  return nodes;
}
