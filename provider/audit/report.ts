import type { Kind } from "../organization/sections";
import type { TeamName } from "../organization/sections/teams/audit";
import type { Coverage } from "./coverage";
import type { Declaration } from "./declarations";
import type { Shared } from "./shared";
import type { Unmanaged } from "./unmanaged";

export interface Verdict {
  /** `conflicting`: everything is declared, and something by several stacks, or without being there. */
  readonly kind: "complete" | "conflicting" | "unmanaged";
  readonly text: string;
}

/** Something that a state declares and that is not live. */
export interface Gone extends Pick<Declaration, "kind" | "id" | "name" | "by"> {
  readonly team?: TeamName;
}

/**
 * What is live in an organization and what no code declares, as `docs-org audit --format json` prints it. `version` grows
 * when a reader of the version before could misunderstand it; properties may be added without that.
 */
export interface Audit {
  readonly version: 1;
  readonly organization: string;
  /** `project/stack` of each. */
  readonly stacks: readonly string[];
  readonly verdict: Verdict;
  readonly coverage: Readonly<Record<Kind, Coverage>> & { readonly total: Coverage };
  /** Members without a role, who need no declaration. */
  readonly guests: number;
  /** Memberships that nothing declares by name, and that the `ignore` of their team leaves alone: they count as declared. */
  readonly ignored: number;
  /** The most important first, each list. */
  readonly unmanaged: Unmanaged;
  /** What several stacks declare: each would undo what the other does. */
  readonly shared: readonly Shared[];
  readonly gone: readonly Gone[];
  /** Memberships that are asked for by e-mail, of people who have not joined yet. */
  readonly waiting: number;
  /** Declarations that can not be compared, since the state has them as secrets. */
  readonly hidden: number;
  /** Members whose e-mail the service does not tell. */
  readonly hiddenEmails: number;
  /** Stacks that manage nothing of this organization. */
  readonly emptyStacks: readonly string[];
  /** Resources in the states that belong to other organizations. */
  readonly foreignResources: number;
}
