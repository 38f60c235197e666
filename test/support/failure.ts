import { expect } from "vitest";
import type { PartialFailure } from "./protocol-provider";

export const failureOf = (call: PromiseLike<unknown>): Promise<PartialFailure> =>
  Promise.resolve(call).then(
    () => expect.unreachable("it succeeded"),
    (error) => error,
  );
