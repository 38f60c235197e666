import type { Giver } from "../access/assignments";
import type { RecordedAssignment } from "../access-plan/input";
import type { Properties } from "../run/properties";
import { type SafeText, safeText } from "../text/safe-text";
import type { RiskKind } from "./risk-kinds";

/** Inputs and outputs of a resource, as a preview or a state shows them at one point in time. A mark replaces each secret. */
export interface ResourceSnapshot {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export type Operation = "create" | "update" | "replace" | "delete" | "same";

/** A property that differs, with values that are safe to show: masked, and certificates as fingerprints. */
export interface PropertyChange {
  readonly name: string;
  /** Absent if the property was not declared, or the resource did not exist. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** The recorded value, if the live one was changed outside Pulumi. */
  readonly recorded?: unknown;
  /** The property is an option of the package: a change of it sends nothing to the service. */
  readonly option: boolean;
  /** The property selects the people that are managed. The review shows the effect for each person. */
  readonly selection?: true;
  /** URNs of the resources that determine a value that is known only during the up. */
  readonly sources?: readonly string[];
}

export interface Titled {
  readonly name: string;
  /** The name that people use for it: a title, a label, languages. */
  readonly title?: string;
  /** Other resources have the same type and name, so `name` includes the parents. */
  readonly shared?: true;
}

export function titleWords({ title, name, shared }: Titled): SafeText {
  if (title === undefined || title === name) return safeText`${name}`;
  return shared ? safeText`${title} (${name})` : safeText`${title}`;
}

export interface ReviewedChange extends Titled {
  readonly operation: Operation;
  /** The recorded resource; absent if nothing was refreshed, or the resource is new. */
  readonly recorded: ResourceSnapshot | undefined;
  /** The live resource that the refresh has read; without a refresh, the recorded one. */
  readonly live: ResourceSnapshot | undefined;
  readonly declared: Properties | undefined;
  readonly properties: readonly PropertyChange[];
  /** The option because of which the engine only removes it from the state if it is deleted or replaced. */
  readonly retained: string | undefined;
  /** Name of a new resource of the same type with the same title. */
  readonly successor?: string;
}

export type Severity = "high" | "medium";

/** A risk of a change. */
export interface Finding {
  readonly kind: RiskKind;
  readonly severity: Severity;
  readonly text: SafeText;
}

/** How a review describes a resource. Without it, a change is listed by type and name among the other resources. */
export interface ReviewPart {
  /** The noun before its title: `site`, or `adaptive schema of` for a part of a site. */
  readonly noun?: string;
  /** The part of the review that lists its changes. */
  readonly section?: "saml" | "sites" | "translations";
  /** The name that people use for it; by default its `title` or `label`. Values may be masked. */
  readonly title?: (properties: Properties) => unknown;
  /**
   * The access that declared or recorded properties give. Values may be masked. A review shows the effect on people, and only the
   * options among its properties.
   */
  readonly access?: (properties: Properties, giver: Giver) => RecordedAssignment[];
  readonly risks?: (change: ReviewedChange) => Finding[];
  /** By input, how to show values that a reader cannot understand. */
  readonly shown?: Readonly<Record<string, (value: string) => string>>;
}
