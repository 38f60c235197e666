import type { ChangeRequestStatus } from "../../api/groups/change-requests";
import type { ContentRef, File, ReusableContent, Variables } from "../../api/groups/revisions";
import type { RichText } from "../../api/groups/shared";

/**
 * Content of a space at one point in time. It is immutable: an edit creates a new one that shares all unchanged pages, so a
 * revision costs little more than its changes.
 */
export interface Content {
  /** Pages of all levels; siblings are in their order. */
  readonly pages: readonly PageRecord[];
  readonly files: readonly FileRecord[];
  readonly reusableContents: readonly ReusableContentRecord[];
  readonly variables: Variables;
}

export interface PageRecord {
  readonly id: string;
  /** Id of the page above it; `undefined` at the top level. */
  readonly parent: string | undefined;
  readonly type: "document" | "group" | "link";
  readonly title: string;
  readonly slug: string;
  /** Body of a document page; for the syntax of links see links.ts. */
  readonly markdown: string;
  readonly description?: string | undefined;
  readonly emoji?: string | undefined;
  readonly hidden?: boolean | undefined;
  /** Target of a link page. */
  readonly target?: ContentRef | undefined;
}

export type FileRecord = Readonly<Pick<File, "id" | "name" | "contentType" | "size">>;
export type ReusableContentRecord = Readonly<Pick<ReusableContent, "id" | "title">>;

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

/** Content of a space, apart from its settings. */
export interface SpaceContent {
  /** Id of the current revision of its primary content. */
  revision: string;
  /** Revisions of the space and of its change requests. */
  readonly revisions: Map<string, RevisionRecord>;
  readonly changeRequests: Map<string, ChangeRequestRecord>;
  /** Number of the latest change request. */
  lastNumber: number;
}

export interface SpaceRecord extends SpaceContent {
  readonly id: string;
  readonly sequence: number;
  title: string;
  emoji: string;
  readonly createdAt: string;
  updatedAt: string;
}
