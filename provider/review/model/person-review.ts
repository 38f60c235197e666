import type { Access } from "./access";

/** The access of one person, changed or not. */
export interface PersonReview {
  /** The user id if the state has it, otherwise the e-mail in lower case. */
  readonly id: string;
  readonly name: string;
  readonly userId?: string;
  /** All ids and e-mails of this person that the preview has. */
  readonly keys: readonly string[];
  /** The preview hides the person: the value is a secret, or known only during the up. */
  readonly hidden: boolean;
  /** The person gains access and cannot sign in, as far as a component has looked. */
  readonly disabled?: true;
  readonly access: readonly Access[];
}
