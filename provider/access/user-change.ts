/**
 * A change of `user` from A to B gives access to B and then releases A. Between the two steps, the state contains both. It has
 * room for one unreleased person: if the release of A fails and `user` then changes to C, B is released first, and A last.
 */
export interface UserChange<Person> {
  /** Released last. */
  readonly releasing: Person;
  /** Released before the new person gets anything. */
  readonly releaseNow?: Person;
}

export function planUserChange<Person>(
  previous: Person,
  /** The person that an earlier change could not release. */
  unreleased: Person | undefined,
  /** Whether the program declares the unreleased person again, so that there is no need for the release. */
  isDeclaredAgain: boolean,
): UserChange<Person> {
  if (unreleased === undefined || isDeclaredAgain) return { releasing: previous };
  return { releasing: unreleased, releaseNow: previous };
}
