import type { Message } from "../../report/report";
import type { SafeText } from "../../text/safe-text";
import type { PersonReview } from "./access";
import type { Approval } from "./approvals";
import type { DeclaredChange } from "./declarations";
import type { End } from "./ends";
import type { GrantEnd } from "./grant-ends";
import type { Moved } from "./moved-resources";
import type { PassedOn } from "./people";
import type { ResourceChange } from "./properties";
import type { Risk } from "./risk";

/**
 * The changes of a preview for people, as `docs-org review --format json` prints them. `version` grows when a reader of the
 * previous version could misunderstand it; properties may be added without that.
 */
export interface Review {
  readonly version: 1;
  readonly project: string;
  readonly stack: string;
  readonly organizations: readonly string[];
  /** The address of the service, if the preview or the environment names it. */
  readonly origin?: string;
  readonly verdict: Verdict;
  /** The reasons of a failed preview. The rest of the review is then incomplete. */
  readonly refusals: readonly Message[];
  readonly warnings: readonly Message[];
  readonly refreshed: boolean;
  /** Whether the preview covers only a part of the stack: `--target` or `--exclude`. */
  readonly partial: boolean;
  /** Organizations that are declared without guards. */
  readonly unguarded: readonly string[];
  /** The most dangerous first. */
  readonly risks: readonly Risk[];
  readonly people: readonly PersonReview[];
  /** E-mails that belong to another person than when the stack last ran. */
  readonly passedOn: readonly PassedOn[];
  /** Grants with a changed end or release. */
  readonly grantEnds: readonly GrantEnd[];
  /** Resources that hand their people to others. */
  readonly moved: readonly Moved[];
  readonly teams: Readonly<Record<string, string>>;
  readonly saml: readonly ResourceChange[];
  readonly sites: readonly ResourceChange[];
  readonly translations: readonly ResourceChange[];
  readonly others: readonly ResourceChange[];
  /** Approvals that the file asks for. */
  readonly approvals: readonly Approval[];
  /** What begins or ends soon, if it was asked for. */
  readonly ends: readonly End[];
  /** All changing resources, those that give access included, with what they declare. */
  readonly changes: readonly DeclaredChange[];
}

export interface Verdict {
  /** `refused`: the preview failed; `risky`: look at the risks; `changes`: nothing risky; `none`: nothing changes. */
  readonly kind: "refused" | "risky" | "changes" | "none";
  readonly text: string;
  /** The same text, values apart from words. */
  readonly words: SafeText;
  readonly gains: number;
  readonly loses: number;
  /** People with changes outside Pulumi that this up only sets back. */
  readonly setBack: number;
  readonly risks: number;
}

export type Content = Omit<Review, "version" | "project" | "stack" | "organizations" | "origin" | "verdict" | "risks">;
