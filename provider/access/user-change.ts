/**
 * A change of `user` gives the access to the new person first and releases the previous one last, so a state may have both
 * for a while. It has room for one previous person: if a change that failed has left one behind, the person of the change
 * in between is released at once.
 */
export interface UserChange<Person> {
  /** Released last. */
  readonly releasing: Person;
  /** Released before the new person gets anything. */
  readonly releaseNow?: Person;
}

export function planUserChange<Person>(
  previous: Person,
  /** The person whom a change that failed has left behind. */
  left: Person | undefined,
  /** Whether the new person is the one who was left behind, and so is not released at all. */
  isDeclaredAgain: boolean,
): UserChange<Person> {
  if (left === undefined || isDeclaredAgain) return { releasing: previous };
  return { releasing: left, releaseNow: previous };
}
