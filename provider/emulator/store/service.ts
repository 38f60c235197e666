import type { Site } from "../../api/groups/sites";
import type { OrganizationRecord, Past, State } from "./state";

/** The two known versions of the service: the one of the API document, and a newer one. They differ in properties. */
export const versions = ["0.146", "0.202"] as const;
export type Version = (typeof versions)[number];

/** Behaviours that the API document leaves open, each with the values that a service might choose. */
export interface Readings {
  /** Form of `next` on the last page of a list. Default: `absent`. */
  readonly lastPage: "absent" | "null" | "empty";
  /** `count` of a list: all items, the items on the page, or absent. Default: `total`. */
  readonly count: "total" | "page" | "absent";
  /** Status of a DELETE that deleted something, default 205; without anything to delete it is always 204. */
  readonly deleteStatus: "205" | "204";
  /** Site types whose publishing requires a payment first; none by default. */
  readonly checkoutFor: readonly Site["type"][];
  /** Effect of adding a non-member's e-mail to a team: kept until that person joins (default), ignored, or refused with 400. */
  readonly strangers: "invite" | "ignore" | "400";
  /** Users whose e-mail is omitted from answers: all (true), none (false, default), or a list of user ids or e-mails. */
  readonly hiddenEmails: boolean | readonly string[];
  /** Whether a DELETE removes a member (default), or only requests it from the administrators (202, in newer versions). */
  readonly memberRemoval: "deleted" | "requested";
}

/**
 * The values of readings that are a choice of texts, the default first. `checkoutFor` is a list, and `hiddenEmails` a boolean
 * or a list.
 */
export const readingValues = {
  lastPage: ["absent", "null", "empty"],
  count: ["total", "page", "absent"],
  deleteStatus: ["205", "204"],
  strangers: ["invite", "ignore", "400"],
  memberRemoval: ["deleted", "requested"],
} satisfies { readonly [Name in keyof Readings]?: readonly Readings[Name][] };

const firstValues = Object.entries(readingValues).map(([name, [first]]) => [name, first]);

export const defaultReadings: Readings = { checkoutFor: [], hiddenEmails: false, ...Object.fromEntries(firstValues) };

/** State and settings that every route gets. */
export interface Service {
  readonly state: State;
  readonly version: Version;
  readonly readings: Readings;
  readonly now: () => Date;
  /** Id of the user who owns the token, if set by option. */
  readonly caller?: string | undefined;
  /** What lagging reads show. */
  readonly past: Past;
  /** Unguessable part of addresses that need no token (PDFs). */
  readonly secret: string;
  /** Base URL of the emulator; empty until it listens. */
  url: string;
}

/** URL of the service's user interface in answers. `.example` is a reserved domain, so it cannot be reached. */
export const appUrl = "https://app.docs.example";

/** Context in which a record is answered. */
export interface RecordContext {
  readonly organization: OrganizationRecord;
  readonly service: Service;
}
