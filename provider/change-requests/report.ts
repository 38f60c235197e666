import type { SemanticChange } from "../api/groups/semantic-changes";

/**
 * The open change requests of an organization or a space, as `docs-org change-requests --format json` prints them. `version`
 * grows when a reader of the previous version could misunderstand it; properties may be added without that.
 */
export interface OpenChangeRequests {
  readonly version: 1;
  readonly organization: string;
  readonly space?: string;
  /** Time of the service, from which ages are counted. */
  readonly asOf: string;
  /** `unavailable`: this version of the service has no links of pages, so no `brokenLinks` are known. */
  readonly links: "checked" | "unavailable";
  /** The oldest first. */
  readonly changeRequests: readonly OpenChangeRequest[];
  readonly pulled: readonly Pulled[];
}

export interface OpenChangeRequest {
  readonly id: string;
  /** Number in the space. */
  readonly number: number;
  /** Id of the space. */
  readonly space: string;
  readonly subject: string;
  readonly author?: { readonly id: string; readonly name: string; readonly email?: string };
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Whole days since the creation. */
  readonly ageDays: number;
  /** Whether the space has changed since the change request branched or last pulled it in. */
  readonly outdated: boolean;
  readonly comments: number;
  readonly url?: string;
  readonly changes: readonly SemanticChange[];
  /** Absent if this version of the service has no links. */
  readonly brokenLinks?: readonly BrokenLinks[];
}

export interface BrokenLinks {
  readonly page: { readonly id: string; readonly title: string; readonly path?: string };
  /** Number of links that the change request breaks or adds; all broken ones, if the service does not tell them apart. */
  readonly broken: number;
  /** Number of all broken links of the page. */
  readonly total: number;
  /** Targets of the broken links, as far as the service names them. */
  readonly targets: readonly string[];
}

export interface Pulled {
  readonly id: string;
  readonly number: number;
  readonly space: string;
  /** `conflicts`: the content was pulled in, and parts of it need repair by hand. */
  readonly result: "update" | "conflicts" | (string & {});
}

export const brokenCount = ({ brokenLinks = [] }: OpenChangeRequest): number =>
  brokenLinks.reduce((sum, { broken }) => sum + broken, 0);
