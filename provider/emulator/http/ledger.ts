import type { RowName } from "../../api/endpoints";

/** Rows of the table that the emulator does not serve, each with its reason. */
export const unserved = {} as const satisfies Partial<Record<RowName, string>>;

/** Where the emulator and the real service are known, or must be expected, to differ. */
export interface Difference {
  /** Rows that it shows in. */
  readonly rows: readonly (RowName | "*")[];
  readonly service: string;
  readonly emulator: string;
  readonly reason: string;
}
