import { nothing } from "./holdings";
import type { Content, PersonReview } from "./review";
import { type Risk, risk } from "./risks";
import { words } from "./words";

/** Grants that last longer from now on. Nobody gains anything today, which is why it must be said. */
export function grantRisks({ people }: Content): Risk[] {
  return people.flatMap((person) => {
    const { id, name, noteBefore: before, expires, access } = person;
    if (before?.expires === undefined || !lastsLonger(before.expires, expires)) return [];
    const stays = access.some(({ after, released }) => after !== nothing && after !== before.then && !released);
    if (!stays) return [];
    const text =
      expires === undefined
        ? words`the grant of ${name} has no end any more (${before.expires} until now)`
        : words`the grant of ${name} ends on ${expires} instead of ${before.expires}`;
    return [risk("grant-extended", "medium", id, text)];
  });
}

/** Days as text are in their order. */
const lastsLonger = (before: string, after: string | undefined) => after === undefined || after > before;

/** Until when somebody has something, for a comparison. */
export function endOf({ expires, then }: Pick<PersonReview, "expires" | "then">): string {
  return expires === undefined ? "without an end" : `until ${expires}, then ${then ?? nothing}`;
}
