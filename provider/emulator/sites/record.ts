import type { SiteSection, SiteSectionGroup, SiteSpace } from "../../api/groups/site-structure";
import type { AdaptiveJsonSchema, Site, siteTypes, siteVisibilities } from "../../api/groups/sites";

type Settings = "id" | "title" | "published" | "icon" | "hostname" | "basename" | "adaptiveContent" | "ads";

export interface SiteRecord extends Pick<Site, Settings> {
  readonly sequence: number;
  type: (typeof siteTypes)[number];
  visibility: (typeof siteVisibilities)[number];
  readonly createdAt: string;
  agentsContext: "included" | "excluded";
  /** Host and path, as in requests. */
  proxy?: string | undefined;
  adaptiveSchema?: { jsonSchema: AdaptiveJsonSchema; updatedAt: string } | undefined;
  /** Keys of the links that open a share-link site. */
  shareKeys: string[];
  /** Either only site spaces, or sections and groups of sections, in the order of the site. */
  structure: StructureNode[];
}

export type StructureNode = SiteSpaceNode | SectionNode | GroupNode;

export interface SiteSpaceNode extends Pick<SiteSpace, "id" | "title" | "path" | "condition"> {
  readonly type: "site-space";
  readonly space: string;
  default: boolean;
}

type SectionSettings = "id" | "title" | "path" | "description" | "icon" | "condition";

export interface SectionNode extends Pick<SiteSection, SectionSettings> {
  readonly type: "site-section";
  default: boolean;
  siteSpaces: SiteSpaceNode[];
}

export interface GroupNode extends Pick<SiteSectionGroup, "id" | "title" | "icon"> {
  readonly type: "site-section-group";
  children: (SectionNode | GroupNode)[];
}

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

export function siteSpacesIn(site: Pick<SiteRecord, "structure">): Placed<SiteSpaceNode>[] {
  return [...nodesIn(site.structure)].filter((placed) => placed.node.type === "site-space") as Placed<SiteSpaceNode>[];
}

export function sectionsIn(site: Pick<SiteRecord, "structure">): Placed<SectionNode>[] {
  return [...nodesIn(site.structure)].filter((placed) => placed.node.type === "site-section") as Placed<SectionNode>[];
}

export function makeDefault<Node extends { default: boolean }>(nodes: readonly Node[], chosen: Node | undefined): void {
  for (const node of nodes) node.default = node === chosen;
}
