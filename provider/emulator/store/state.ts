/**
 * Everything that the emulator stores: plain objects in maps, so that past states can be kept for reads that lag. Records hold what the
 * service would store; answers are derived from them (answer.ts of each feature). Tests may change records directly, like a
 * person who uses the service's user interface.
 */
export interface State {
  /** Number of the last record; increases with each one, so that lists keep their order after deletions. */
  sequence: number;
  readonly organizations: Map<string, Organization>;
}

/** Each feature declares its own properties here, in its `record.ts`. */
export interface Organization {
  readonly id: string;
  title: string;
  readonly createdAt: string;
}
