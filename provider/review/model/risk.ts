import type { Place } from "../../access-plan/place";
import type { Severity } from "../../lifecycle/review";
import type { RiskKind } from "../../lifecycle/risk-kinds";
import { markForeign } from "../../text/foreign";
import { plain, type SafeText } from "../../text/safe-text";

export interface Risk {
  readonly kind: RiskKind;
  readonly severity: Severity;
  /** The id of a person or team, or the name of a resource. */
  readonly subject: string;
  readonly text: string;
  /** The same text with values apart from words: values are not trusted. */
  readonly words: SafeText;
  /**
   * The listed change that shows the risk by itself: the place in which the person's access changes, or the URN of a resource.
   * Texts and pages mark that change with the severity, and do not list the risk once more.
   */
  readonly change?: Place | string;
}

export function risk(
  kind: RiskKind,
  severity: Severity,
  subject: string,
  sentence: SafeText,
  change?: Risk["change"],
): Risk {
  const text = markForeign(sentence);
  return { kind, severity, subject, text: plain(text), words: text, ...(change && { change }) };
}
