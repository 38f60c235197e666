import type { Site } from "../api/sites";
import type { State } from "./state";

/** The two versions of the service that are known; they differ in properties (service-api-facts.md). */
export type Version = "0.146" | "0.202";

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
}

export const defaultReadings: Readings = { lastPage: "absent", count: "total", deleteStatus: "205", checkoutFor: [] };

/** What every route works with. */
export interface Service {
  readonly state: State;
  readonly version: Version;
  readonly readings: Readings;
  readonly now: () => Date;
  /** Address that the emulator listens on, known once it listens. */
  url: string;
}

/** Address of the service's user interface in answers; `.example` is reserved, so nobody is there. */
export const appUrl = "https://app.docs.example";
