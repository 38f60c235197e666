import { releaseRole } from "./release";

/** A role, in the organization or in a team, that may have a last day. */
export interface EndingRole<Role, Next> {
  readonly role: Role;
  /** The last day in UTC, such as 2027-01-31, and what follows. */
  readonly expires?: { readonly on: string; readonly then: Next } | undefined;
}

export const roleAt = <Role, Next>({ role, expires }: EndingRole<Role, Next>, now: Date): Role | Next =>
  expires && daysLeft(expires.on, now) < 0 ? expires.then : role;

const day = 86_400_000;

/** Calendar days in UTC: 0 on the last day, negative after it. */
export const daysLeft = (on: string, now: Date): number =>
  Math.round(Date.parse(on) / day) - Math.floor(now.getTime() / day);

/** What becomes of a role when its grant ends with `restore`. */
export const restoreAfter = (role: string, previous: string, allowRaise: boolean) =>
  releaseRole(role, previous, { option: "restore", allowRaise });
