/**
 * A change of `user` first gives the access to the new person and then releases the previous one, so a state may contain both
 * for a while. The state has room for one previous person. If an earlier change failed before it released its person, that
 * person is released last, and the person in between is released first.
 */
export interface UserChange<Person> {
  /** Released last. */
  readonly releasing: Person;
  /** Released before the new person gets anything. */
  readonly releaseNow?: Person;
}

export function planUserChange<Person>(
  previous: Person,
  /** The person that an earlier, failed change did not release. */
  left: Person | undefined,
  /** Whether the new person is that one, who then is not released at all. */
  isDeclaredAgain: boolean,
): UserChange<Person> {
  if (left === undefined || isDeclaredAgain) return { releasing: previous };
  return { releasing: left, releaseNow: previous };
}
