/**
 * Everything the emulator remembers: plain objects in maps, so that it can be written to a file. Records keep what the
 * service would keep; what it answers is derived from them (routes/*-answer.ts). Tests may change records directly, as
 * somebody at the service's own user interface would.
 */
export interface State {
  /** Counts up with each record, so that lists have an order that survives removals. */
  sequence: number;
  readonly organizations: Map<string, Organization>;
}

/** Each feature adds what it keeps, in its `record.ts`. */
export interface Organization {
  readonly id: string;
  title: string;
  readonly createdAt: string;
}
