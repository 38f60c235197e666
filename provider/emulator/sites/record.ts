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
  /** Whether publishing answers with a payment session. */
  needsUpgrade: boolean;
  /** Either only site spaces, or sections and groups of sections, in the order of the site. */
  structure: StructureNode[];
  /** Ids of AI responses that a further request may continue. */
  responses: string[];
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
