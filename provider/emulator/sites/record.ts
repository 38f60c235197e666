import type { AdaptiveJsonSchema, Site, siteTypes, siteVisibilities } from "../../api/groups/sites";

export interface SiteRecord {
  readonly id: string;
  readonly sequence: number;
  type: (typeof siteTypes)[number];
  title: string;
  visibility: (typeof siteVisibilities)[number];
  published: boolean;
  readonly createdAt: string;
  agentsContext: "included" | "excluded";
  icon?: Site["icon"];
  hostname?: string | undefined;
  basename?: string | undefined;
  /** Host and path, as in requests. */
  proxy?: string | undefined;
  adaptiveContent?: { enabled: boolean } | undefined;
  ads?: Site["ads"];
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

export interface SiteSpaceNode {
  readonly type: "site-space";
  readonly id: string;
  readonly space: string;
  title: string;
  path: string;
  default: boolean;
  /** Expression over the claims of a visitor. */
  condition?: string | undefined;
}

export interface SectionNode {
  readonly type: "site-section";
  readonly id: string;
  title: string;
  path: string;
  description?: string | undefined;
  icon?: string | undefined;
  default: boolean;
  condition?: string | undefined;
  siteSpaces: SiteSpaceNode[];
}

export interface GroupNode {
  readonly type: "site-section-group";
  readonly id: string;
  title: string;
  icon?: string | undefined;
  children: (SectionNode | GroupNode)[];
}

declare module "../store/state" {
  interface Organization {
    readonly sites: Map<string, SiteRecord>;
  }
}
