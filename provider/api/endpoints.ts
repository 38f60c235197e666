import type { Endpoint } from "./endpoint";
import { sites } from "./sites";

/** The whole API, one row an operation. Client, emulator and tests work from this table. */
export const endpoints = { ...sites } satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type RowName = keyof Endpoints;
