import type { Place } from "./place";
import type { othersOptions, ReleaseOptions } from "./release";

/** What the access plan is computed from. It comes from a file, from resources and their state, or from a preview. */

export interface Assignment {
  readonly place: Place;
  /** The name of the person: a user id, or an e-mail in any case. */
  readonly user: string;
  /** A role, a role in a team, `sso`, `unknown` or `secret`. */
  readonly level: string;
}

export interface RecordedAssignment extends Assignment {
  /** The level that the person had before it was managed; absent if the state does not say. */
  readonly previous?: string;
  /** No program declared the person: a refresh found the person in a place in which the manager manages everybody. */
  readonly isFound?: boolean;
  /** The state says that no member has the e-mail. */
  readonly isPending?: boolean;
  /** Somebody has joined with the e-mail since, and no update has given the level yet. */
  readonly isNew?: boolean;
  /** The state says that the person has left the organization. */
  readonly isAbsent?: boolean;
}

export interface Declaration {
  readonly assignments: readonly Assignment[];
  readonly options: ReleaseOptions;
  readonly ignore?: readonly string[];
  /** If the manager begins to manage a place, it removes unmanaged members instead of refusing them. */
  readonly isExclusive?: boolean;
  /** What happens to members of the organization whose role no manager declares, except those that `ignoreOthers` matches. */
  readonly others?: Exclude<(typeof othersOptions)[number], "keep">;
  readonly ignoreOthers?: readonly string[];
  readonly allowsNoOwner?: boolean;
  /** An option, a pattern or a declared person is not visible, so nobody can tell what a release does. */
  readonly isHidden?: boolean;
}

export interface ManagerState {
  readonly assignments: readonly RecordedAssignment[];
  /** User ids by e-mail in lower case. */
  readonly userIds: Readonly<{ [email: string]: string }>;
  /** The options that apply if the manager is deleted. */
  readonly options: ReleaseOptions;
  readonly allowsNoOwner?: boolean;
  /** Why a deletion only removes the manager from the state. */
  readonly retained?: string;
}

export interface Manager {
  /** Distinguishes the manager from the others: its URN, or its place in the program. */
  readonly id: string;
  /** In a message: `MemberRoles acme-members`. */
  readonly name: string;
  /** Absent if the resource is deleted. */
  readonly declared?: Declaration;
  /** Absent if the resource is created. */
  readonly recorded?: ManagerState;
  /** The place in which it manages everybody. */
  readonly area?: Place;
}

export interface LivePerson {
  readonly userId: string;
  /** Absent if the person hides it, or if it was not read. */
  readonly email?: string | undefined;
  /** The e-mail was not read, so it may be one that a pattern matches. */
  readonly isEmailUnknown?: boolean;
  readonly isDisabled?: boolean;
  /** Further names by which a program or state calls the person. They count for release options, and for patterns if the e-mail was not read. */
  readonly names?: readonly string[];
}

export interface LivePlace {
  readonly place: Place;
  readonly levels: ReadonlyMap<string, string>;
  /** Everybody in the place was read. Otherwise, a person who is not listed may be in it. */
  readonly isComplete: boolean;
}

/** Why somebody has access, from when, and until when. */
export interface GrantTerms {
  readonly reason?: string | undefined;
  readonly from?: string | undefined;
  readonly expires?: string | undefined;
  /** What follows: a level, `restore`, or `remove`. */
  readonly then?: string | undefined;
}

/** The terms of one person in one place. They stay declared when the grant has ended. */
export interface Grant extends GrantTerms {
  readonly place: Place;
  readonly user: string;
  readonly role?: string | undefined;
}

export interface AccessInput {
  readonly people: readonly LivePerson[];
  readonly arePeopleComplete: boolean;
  readonly places: readonly LivePlace[];
  readonly managers: readonly Manager[];
  /** User ids of members whose roles are managed by resources that are not in `managers`. */
  readonly managedElsewhere?: ReadonlySet<string>;
  /** A preview has shown every unmanaged member of the places in which a manager manages everybody, so an update removes them. */
  readonly isEverybodyShown: boolean;
  readonly grants?: { readonly recorded: readonly Grant[]; readonly declared: readonly Grant[] };
}
