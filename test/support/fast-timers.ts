import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { afterAll, vi } from "vitest";

/** Makes the pauses of a test file shorter by this factor: those between attempts, and those in which the service may catch up. */
export function shortenPauses(factor: number): void {
  const { setTimeout: sleep } = timers;
  vi.spyOn(timers, "setTimeout").mockImplementation((milliseconds, ...more) =>
    sleep(Number(milliseconds) / factor, ...more),
  );
  // Also for modules that have imported the function by its name.
  syncBuiltinESMExports();
  afterAll(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}
