import { isEmail } from "../people/user";
import { counted, type SafeText, safeText, some, trusted } from "../text/safe-text";
import { isAccess } from "./declarations";
import type { Audit } from "./report";

/** The limits of the audit that a reader must know. */
export function notesOf(audit: Audit): SafeText[] {
  const { guests, ignored, waiting, hidden, hiddenEmails, emptyStacks, foreignResources, gone } = audit;
  const unresolved = gone.some((one) => isAccess(one) && isEmail(one.id));
  const note = (count: number, text: SafeText): SafeText[] => (count > 0 ? [text] : []);
  return [
    ...note(
      guests,
      safeText`${trusted(counted(guests, "guest has", "guests have"))} no role, and ${trusted(guests === 1 ? "is" : "are")} not counted.`,
    ),
    ...note(
      ignored,
      safeText`${trusted(counted(ignored, "membership is", "memberships are"))} ignored by a team (${trusted("ignore")}), and ${trusted(ignored === 1 ? "counts" : "count")} as declared.`,
    ),
    ...note(
      waiting,
      safeText`${trusted(counted(waiting, "declared membership waits", "declared memberships wait"))} for people who have not joined.`,
    ),
    ...note(
      unresolved ? hiddenEmails : 0,
      safeText`${trusted(counted(hiddenEmails, "member hides", "members hide"))} the e-mail, and may be a declared person whose e-mail no member seems to have.`,
    ),
    ...note(
      hidden,
      safeText`${trusted(counted(hidden, "declaration is", "declarations are"))} secret in the state, and not compared.`,
    ),
    ...note(emptyStacks.length, safeText`Nothing of this organization is in the state of ${some(emptyStacks)}.`),
    ...note(
      foreignResources,
      safeText`${trusted(counted(foreignResources, "resource"))} of other organizations ${trusted(foreignResources === 1 ? "is" : "are")} left out.`,
    ),
  ];
}
