import { expect } from "vitest";
import type { PartialFailure } from "./provider-process";

/** The error of a call that must fail. */
export const failureOf = (call: PromiseLike<unknown>): Promise<PartialFailure> =>
  Promise.resolve(call).then(
    () => expect.unreachable("it succeeded"),
    (error) => error,
  );
