import { expect } from "vitest";
import type { PartialFailure } from "./provider-process";

/** The error of a call that has to fail. */
export const failureOf = (call: PromiseLike<unknown>): Promise<PartialFailure> =>
  Promise.resolve(call).then(
    () => expect.unreachable("it succeeded"),
    (error) => error,
  );
