import type { ChangeRequestStatus } from "../../api/groups/change-requests";
import type { Computed, ContentRef, Cover, Layout, Variables } from "../../api/groups/revisions";
import type { RichText } from "../../api/groups/shared";

/**
 * Content of a space at one moment. It is never changed: an edit makes a new one that shares all pages that stay as
 * they were, so a revision costs little more than what it changed.
 */
export interface Content {
  readonly pages: readonly PageRecord[];
  readonly files: readonly FileRecord[];
  readonly reusableContents: readonly ReusableContentRecord[];
  readonly variables: Variables;
}

export interface PageRecord {
  readonly id: string;
  readonly type: "document" | "group" | "link" | "computed";
  readonly title: string;
  readonly slug: string;
  /** Body of a document page; links.ts says how it links. */
  readonly markdown: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  readonly icon?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly noIndex?: boolean | undefined;
  readonly noRobotsIndex?: boolean | undefined;
  /** Where it differs from the usual one. */
  readonly layout?: Partial<Layout> | undefined;
  readonly cover?: Partial<Cover> | undefined;
  readonly variables?: Variables | undefined;
  /** What a link page points at. */
  readonly target?: ContentRef | undefined;
  /** Source of a computed page. */
  readonly computed?: Computed | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pages: readonly PageRecord[];
}

export interface FileRecord {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly dimensions?: { readonly width: number; readonly height: number } | undefined;
  /** Text with links, of a file that has one; links.ts says how it links. */
  readonly markdown?: string | undefined;
}

export interface ReusableContentRecord {
  readonly id: string;
  readonly title: string;
  readonly markdown: string;
  readonly computed?: Computed | undefined;
}

export interface RevisionRecord {
  readonly id: string;
  readonly parents: readonly string[];
  readonly type: "edits" | "merge" | "update";
  /** Id of the change request whose merge made it. */
  readonly mergedFrom?: string | undefined;
  readonly createdAt: string;
  readonly content: Content;
}

export interface ChangeRequestRecord {
  readonly id: string;
  /** Counts up within the space. */
  readonly number: number;
  readonly sequence: number;
  status: ChangeRequestStatus;
  subject: string;
  description?: RichText | undefined;
  /** Id of a user, who need not be a member (any more). */
  readonly createdBy: string;
  readonly createdAt: string;
  updatedAt: string;
  revision: string;
  readonly revisionInitial: string;
  revisionMergedAncestor?: string | undefined;
  revisionMerged?: string | undefined;
  /** Revision that a further merge or update starts from, because a merge has brought it into the space. */
  mergedContent?: string | undefined;
  mergedBy?: string | undefined;
  mergedAt?: string | undefined;
  /** Comments that are open. */
  comments: number;
  /** Users who changed its content. */
  contributors: string[];
  requestedReviewers: string[];
  conversationsIssuesCluster?: string | undefined;
}

/** Where a space is synchronized with. */
export interface GitSync {
  readonly repoName: string;
  readonly provider: "github" | "gitlab" | "github-legacy";
  readonly url: string;
  readonly branch: string;
  updatedAt: string;
}

/** What a space holds besides its settings. */
export interface SpaceContent {
  /** Id of the current revision of its primary content. */
  revision: string;
  /** Revisions of the space and of its change requests. */
  readonly revisions: Map<string, RevisionRecord>;
  readonly changeRequests: Map<string, ChangeRequestRecord>;
  /** Number that the latest change request got. */
  lastNumber: number;
  gitSync?: GitSync | undefined;
}

export interface SpaceRecord extends SpaceContent {
  readonly id: string;
  readonly sequence: number;
  title: string;
  emoji: string;
  readonly createdAt: string;
  updatedAt: string;
}

declare module "../store/state" {
  interface Organization {
    readonly spaces: Map<string, SpaceRecord>;
  }
}
