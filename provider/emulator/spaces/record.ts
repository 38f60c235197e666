import type { ChangeRequestStatus } from "../../api/groups/change-requests";
import type { Computed, ContentRef, Cover, Layout, Variables } from "../../api/groups/revisions";
import type { RichText } from "../../api/groups/shared";

/**
 * Content of a space at one point in time. It is immutable: an edit creates a new one that shares all unchanged pages, so a
 * revision costs little more than its changes.
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
  /** Body of a document page; for the syntax of links see links.ts. */
  readonly markdown: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  readonly icon?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly noIndex?: boolean | undefined;
  readonly noRobotsIndex?: boolean | undefined;
  /** Differences from the default layout. */
  readonly layout?: Partial<Layout> | undefined;
  readonly cover?: Partial<Cover> | undefined;
  readonly variables?: Variables | undefined;
  /** Target of a link page. */
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
  /** Text of the file, if it has one; for the syntax of links see links.ts. */
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
  /** Id of the change request whose merge created the revision. */
  readonly mergedFrom?: string | undefined;
  readonly createdAt: string;
  readonly content: Content;
}

export interface ChangeRequestRecord {
  readonly id: string;
  /** Number of the change request, increasing within the space. */
  readonly number: number;
  readonly sequence: number;
  status: ChangeRequestStatus;
  subject: string;
  description?: RichText | undefined;
  /** Id of a user, who may have left the organization or may never have been a member. */
  readonly createdBy: string;
  readonly createdAt: string;
  updatedAt: string;
  revision: string;
  readonly revisionInitial: string;
  revisionMergedAncestor?: string | undefined;
  revisionMerged?: string | undefined;
  /** Revision that the last merge brought into the space: the base of a further merge or update. */
  mergedContent?: string | undefined;
  mergedBy?: string | undefined;
  mergedAt?: string | undefined;
  /** Number of open comments. */
  comments: number;
  /** Ids of the users who changed the content. */
  contributors: string[];
  requestedReviewers: string[];
  conversationsIssuesCluster?: string | undefined;
}

/** Git repository with which a space is synchronized. */
export interface GitSync {
  readonly repoName: string;
  readonly provider: "github" | "gitlab" | "github-legacy";
  readonly url: string;
  readonly branch: string;
  updatedAt: string;
}

/** Content of a space, apart from its settings. */
export interface SpaceContent {
  /** Id of the current revision of its primary content. */
  revision: string;
  /** Revisions of the space and of its change requests. */
  readonly revisions: Map<string, RevisionRecord>;
  readonly changeRequests: Map<string, ChangeRequestRecord>;
  /** Number of the latest change request. */
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
