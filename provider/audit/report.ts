import type { Kind, SectionName, Sections, UnmanagedOf } from "../organization/sections";
import type { TeamName } from "../organization/sections/teams";
import type { End } from "../review/model/ends";
import type { Coverage } from "./coverage";
import type { AuditedDeclaration } from "./declarations";
import type { Shared } from "./shared";

/** Live objects that no stack manages, the most important first in each list. */
export type Unmanaged = {
  readonly [Name in SectionName as Sections[Name]["audit"]["kind"]]: readonly UnmanagedOf<Sections[Name]>[];
};

export interface AuditVerdict {
  /** `conflicting`: everything is declared, but something by several stacks, or something does not exist. */
  readonly kind: "complete" | "conflicting" | "unmanaged";
  readonly text: string;
}

/** A subject that a state declares and that is not live. */
export interface Gone extends Pick<AuditedDeclaration, "kind" | "id" | "name" | "by"> {
  readonly team?: TeamName;
}

/**
 * The live and the unmanaged objects of an organization, as `docs-org audit --format json` prints them. `version` grows when
 * a reader of the previous version could misunderstand it; properties may be added without that.
 */
export interface Audit {
  readonly version: 1;
  readonly organization: string;
  readonly stacks: readonly string[];
  readonly verdict: AuditVerdict;
  readonly coverage: Readonly<Record<Kind, Coverage>> & { readonly total: Coverage };
  /** Members without a role, who need no declaration. */
  readonly guests: number;
  /** Memberships that no resource declares but the `ignore` of a team matches. They count as declared. */
  readonly ignored: number;
  readonly unmanaged: Unmanaged;
  /** Subjects that several stacks declare: each stack undoes the changes of the other. */
  readonly shared: readonly Shared[];
  readonly gone: readonly Gone[];
  /** What begins or ends soon, by the states and the live SAML providers. */
  readonly ends: readonly End[];
  /** Roles and memberships that are declared by e-mail, of people who have not joined yet. */
  readonly waiting: number;
  /** Declarations that cannot be compared, because the state has them as secrets. */
  readonly hidden: number;
  readonly hiddenEmails: number;
  /** Stacks that manage nothing of this organization. */
  readonly emptyStacks: readonly string[];
  /** Resources in the states that belong to other organizations. */
  readonly foreignResources: number;
}
