import type { Site } from "../../api/groups/sites";
import type { Organization, State } from "./state";

/** The two versions of the service that are known; they differ in properties (service-api-facts.md). */
export const versions = ["0.146", "0.202"] as const;
export type Version = (typeof versions)[number];

/** What the API document leaves open, each with the values that a service might choose. */
export interface Readings {
  /** `next` on the last page of a list. */
  readonly lastPage: "absent" | "null" | "empty";
  /** `count` of a list: of all its items, of those on the page, or not there. */
  readonly count: "total" | "page" | "absent";
  /** Status of a DELETE that deleted something; with nothing to delete it is 204 in any case. */
  readonly deleteStatus: "205" | "204";
  /** Site types whose publishing asks for a payment first. */
  readonly checkoutFor: readonly Site["type"][];
  /** What adding an e-mail that no member has to a team does: it is kept until that person joins, ignored, or refused. */
  readonly strangers: "invite" | "ignore" | "400";
  /** Users whose e-mail no answer shows: all of them, or those with these user ids or e-mails. */
  readonly hiddenEmails: boolean | readonly string[];
  /** Whether a DELETE removes a member, or only asks the administrators for it (202, in newer versions). */
  readonly memberRemoval: "deleted" | "requested";
  /** What a merged change request does with another status, a merge or an update: what others do, or it refuses. */
  readonly afterMerge: "allowed" | "409";
  /** What links and backlinks show as the place of their content. */
  readonly linkContext: "revision" | "changeRequest";
  /** Whether the answer to a ping holds a token with claims. */
  readonly visitorClaims: "token" | "absent";
}

export const defaultReadings: Readings = {
  lastPage: "absent",
  count: "total",
  deleteStatus: "205",
  checkoutFor: [],
  strangers: "invite",
  hiddenEmails: false,
  memberRemoval: "deleted",
  afterMerge: "allowed",
  linkContext: "revision",
  visitorClaims: "token",
};

/** What every route works with. */
export interface Service {
  readonly state: State;
  readonly version: Version;
  readonly readings: Readings;
  readonly now: () => Date;
  /** Id of the user whose token it is. */
  readonly caller?: string | undefined;
  /** Told after each request that may have changed the state. */
  readonly changed?: (() => void) | undefined;
  /** Address that the emulator listens on, known once it listens. */
  url: string;
}

/** Address of the service's user interface in answers; `.example` is reserved, so nobody is there. */
export const appUrl = "https://app.docs.example";

/** Where a record is, for its answer. */
export interface Place {
  readonly organization: Organization;
  readonly service: Service;
}
