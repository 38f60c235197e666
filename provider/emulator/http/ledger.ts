import type { RowName } from "../../api/endpoints";

/** A known or expected difference between the emulator and the real service. */
export interface Difference {
  /** Rows that show the difference; `*` for all. */
  readonly rows: readonly (RowName | "*")[];
  readonly service: string;
  readonly emulator: string;
  readonly reason: string;
}
