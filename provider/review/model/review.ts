import type { Words } from "../../text/words";
import type { Declarations } from "./declarations";
import type { GrantEnd } from "./grant-ends";
import type { Moved } from "./moved";
import type { PersonReview } from "./person-review";
import type { ResourceChange } from "./properties";
import type { Risk } from "./risk";
import type { SignIn } from "./sign-ins";

/** Why a preview was refused, or what it warns of. */
export interface Message {
  readonly text: string;
  /** `Site handbook`, where it is about one resource. */
  readonly resource?: string;
}

/**
 * What a preview means for people, as `docs-org review --format json` prints it. `version` grows when a reader of the
 * version before could misunderstand it; properties may be added without that.
 */
export interface Review {
  readonly version: 1;
  readonly project: string;
  readonly stack: string;
  readonly organizations: readonly string[];
  readonly verdict: Verdict;
  /** The preview failed, for these reasons; everything else is what it had found until then. */
  readonly refusals: readonly Message[];
  readonly warnings: readonly Message[];
  /** Whether drift was looked for. */
  readonly refreshed: boolean;
  /** Only a part of the stack was looked at: `--target` or `--exclude`. */
  readonly partial: boolean;
  /** The most dangerous first. */
  readonly risks: readonly Risk[];
  readonly people: readonly PersonReview[];
  readonly signIns: readonly SignIn[];
  /** Grants that end otherwise from now on, although nobody gains or loses anything today. */
  readonly grantEnds: readonly GrantEnd[];
  /** Resources that give access and are created, replaced or deleted; what that does to people stands with them. */
  readonly accessResources: readonly Pick<ResourceChange, "urn" | "type" | "name" | "id" | "operation">[];
  /** Resources that hand their people to others. */
  readonly moved: readonly Moved[];
  /** Titles of teams by id, as far as they are known. */
  readonly teams: Readonly<Record<string, string>>;
  readonly sites: readonly ResourceChange[];
  readonly translations: readonly ResourceChange[];
  readonly others: readonly ResourceChange[];
  /** What the resources declare that change. */
  readonly declarations: Declarations;
}

export interface Verdict {
  /** `refused`: the preview failed; `risky`: look at the risks; `changes`: nothing risky; `none`: nothing changes. */
  readonly kind: "refused" | "risky" | "changes" | "none";
  readonly text: string;
  /** The same text, values apart from words. */
  readonly words: Words;
  readonly gains: number;
  readonly loses: number;
  readonly risks: number;
}

/** What a review is made of before it is judged. */
export type Content = Omit<Review, "version" | "project" | "stack" | "organizations" | "verdict" | "risks">;
