import { newId } from "../store/ids";
import { pathFrom, uniqueSlug } from "../store/slugs";
import type { Organization } from "../store/state";
import type { GroupNode, SectionNode, SiteRecord, SiteSpaceNode } from "./record";
import type { SeedSection, SeedSite, SeedSiteSpace } from "./seed";
import { makeDefault } from "./structure";

export interface SeedingContext {
  /** Time of objects that have none in the seed. */
  readonly createdAt: string;
  /** Returns the next number of the state's sequence. */
  readonly next: () => number;
}

export function siteOf(seed: SeedSite, organization: Organization, context: SeedingContext): SiteRecord {
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
    sequence: context.next(),
    createdAt,
    ...(adaptiveSchema && { adaptiveSchema: { jsonSchema: adaptiveSchema, updatedAt: createdAt } }),
    structure: sections ? sectionsOf(sections, organization) : siteSpacesOf(spaces, organization),
    responses: [],
  };
}

/** Creates site spaces. The first one is the default unless another one is marked. */
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
    path: seed.path ?? pathFrom(title),
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

/** Ensures that exactly one node is the default. */
function withDefault<Node extends { default: boolean }>(nodes: Node[]): Node[] {
  makeDefault(nodes, nodes.find((node) => node.default) ?? nodes[0]);
  return nodes;
}
