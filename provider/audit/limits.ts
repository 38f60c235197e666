import { isEmail } from "../people/user";
import { counted, type SafeText, safeText, some, trusted } from "../text/safe-text";
import { isAccess } from "./declarations";
import type { Audit } from "./report";

/** The limits of the audit that a reader must know. */
export function notesOf(audit: Audit): SafeText[] {
  const { guests, ignored, waiting, hidden, hiddenEmails, emptyStacks, foreignResources, gone } = audit;
  const unresolved = gone.some((one) => isAccess(one) && isEmail(one.id));
  const notes: [count: number, text: string][] = [
    [guests, `Not counted: ${counted(guests, "guest")} without a role.`],
    [ignored, `Counted as declared: ${counted(ignored, "membership")} that a team ignores (ignore).`],
    [waiting, `Waiting for people who have not joined: ${counted(waiting, "declared membership")}.`],
    [
      unresolved ? hiddenEmails : 0,
      `With a hidden e-mail, which may be one that no member seems to have: ${counted(hiddenEmails, "member")}.`,
    ],
    [hidden, `Not compared: ${counted(hidden, "declaration")}, secret in the state.`],
    [foreignResources, `Left out: ${counted(foreignResources, "resource")} of other organizations.`],
  ];
  const empty = safeText`Nothing of this organization is in the state of ${some(emptyStacks)}.`;
  return [
    ...notes.filter(([count]) => count > 0).map(([, text]) => trusted(text)),
    ...(emptyStacks.length > 0 ? [empty] : []),
  ];
}
