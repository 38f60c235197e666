import type { Severity } from "../../lifecycle/review";
import { plain, type Words } from "../../text/words";

export interface Risk {
  /** What kind of risk it is: stays the same in later versions. */
  readonly kind: string;
  readonly severity: Severity;
  /** What it is about: the id of a person or team, or the name of a resource. */
  readonly subject: string;
  readonly text: string;
  /** The same text, values apart from words: what a value holds is not to be trusted. */
  readonly words: Words;
}

/** A risk, as the files that find them write it. */
export function risk(kind: string, severity: Severity, subject: string, text: Words): Risk {
  return { kind, severity, subject, text: plain(text), words: text };
}
