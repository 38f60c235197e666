import type { PersonReview } from "./access";

/** A resource that hands people to another one: it is renamed, moved into a component, or made part of another. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  /** Number of places of people that stay as they are. */
  readonly unchanged: number;
  /** Number of places that change as well. */
  readonly changed: number;
}

export function movedIn(people: readonly Pick<PersonReview, "access">[]): Moved[] {
  const moves = new Map<string, Moved>();
  for (const { from, to, effect } of people.flatMap(({ access }) => access).filter(({ moved }) => moved)) {
    const names = { from: from.join(", "), to: to.join(", ") };
    const key = JSON.stringify(names);
    const entry = moves.get(key) ?? { ...names, unchanged: 0, changed: 0 };
    const counted = effect === "none" ? "unchanged" : "changed";
    moves.set(key, { ...entry, [counted]: entry[counted] + 1 });
  }
  return [...moves.values()].sort((a, b) => a.from.localeCompare(b.from, "en") || a.to.localeCompare(b.to, "en"));
}
