import { randomBytes } from "node:crypto";
import type { AdaptiveJsonSchema, Site, siteTypes, siteVisibilities } from "../../api/groups/sites";
import type { SpaceContent } from "../content/model";
import type { PeopleState } from "../members/seeding";

/**
 * Everything the emulator remembers: plain objects in maps, so that it can be written to a file. Records keep what the
 * service would keep; what it answers is derived from them (routes/*-answer.ts). Tests may change records directly, as
 * somebody at the service's own user interface would.
 */
export interface State {
  /** Counts up with each record, so that lists have an order that survives removals. */
  sequence: number;
  readonly organizations: Map<string, Organization>;
}

export interface Organization extends PeopleState {
  readonly id: string;
  title: string;
  readonly createdAt: string;
  readonly spaces: Map<string, SpaceRecord>;
  readonly sites: Map<string, SiteRecord>;
}

export interface SpaceRecord extends SpaceContent {
  readonly id: string;
  readonly sequence: number;
  title: string;
  emoji: string;
  readonly createdAt: string;
  updatedAt: string;
}

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
  /** Host and path, as a client writes it. */
  proxy?: string | undefined;
  adaptiveContent?: { enabled: boolean } | undefined;
  ads?: Site["ads"];
  adaptiveSchema?: { jsonSchema: AdaptiveJsonSchema; updatedAt: string } | undefined;
  /** Keys of the links that open a share-link site. */
  shareKeys: string[];
  /** Publishing answers with a payment session. */
  needsUpgrade: boolean;
  /** Site spaces alone, or sections and groups of them; the order is the site's. */
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

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** An id as the service gives them: a prefix and 20 random letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join("")}`;
}
