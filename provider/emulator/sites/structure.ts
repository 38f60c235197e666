import type { SpaceRecord } from "../spaces/record";
import type { Organization } from "../store/state";
import type { GroupNode, SectionNode, SiteRecord, SiteSpaceNode, StructureNode } from "./record";

/** Traverses the structure of a site. */

export interface Placed<Node extends StructureNode = StructureNode> {
  readonly node: Node;
  /** The list that contains the node, in its order. */
  readonly siblings: StructureNode[];
  readonly section?: SectionNode | undefined;
  readonly group?: GroupNode | undefined;
}

/** All nodes of a structure, each before those below it. */
export function* nodesIn(siblings: StructureNode[], above: Pick<Placed, "section" | "group"> = {}): Generator<Placed> {
  for (const node of siblings) {
    yield { node, siblings, ...above };
    if (node.type === "site-section") yield* nodesIn(node.siteSpaces, { ...above, section: node });
    if (node.type === "site-section-group") yield* nodesIn(node.children, { group: node });
  }
}

export function siteSpacesIn(site: SiteRecord): Placed<SiteSpaceNode>[] {
  return [...nodesIn(site.structure)].filter((placed) => placed.node.type === "site-space") as Placed<SiteSpaceNode>[];
}

export function sectionsIn(site: SiteRecord): Placed<SectionNode>[] {
  return [...nodesIn(site.structure)].filter((placed) => placed.node.type === "site-section") as Placed<SectionNode>[];
}

/** The distinct spaces of a site, in the order of the organization. */
export function spacesIn(site: SiteRecord, { spaces }: Organization): SpaceRecord[] {
  const shown = new Set(siteSpacesIn(site).map(({ node }) => node.space));
  return [...spaces.values()].filter(({ id }) => shown.has(id));
}

/** Makes one node the default, and no other. */
export function makeDefault<Node extends { default: boolean }>(nodes: readonly Node[], chosen: Node | undefined): void {
  for (const node of nodes) node.default = node === chosen;
}
