import { validateHeaderName, validateHeaderValue } from "node:http";
import { z } from "zod";
import { endpoints, type RowName } from "../../api/endpoints";
import { checkInput } from "../http/errors";
import { milliseconds } from "../store/state";

const most = 1_000_000;
const rowNames = Object.keys(endpoints) as [RowName, ...RowName[]];

function canBeSent(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    // The caller knows the headers, so the message does not name the invalid one.
    return false;
  }
}

/** A fault to inject: a delay, and at most one of a status, a reset and a damaged body. */
export const fault = z
  .strictObject({
    row: z.enum([...rowNames, "*"]).describe("Name of the row that fails; `*` for all rows."),
    times: z.number().int().min(1).max(most).optional().describe("Number of requests that fail, 1 by default."),
    skip: z.number().int().min(0).max(most).optional().describe("Number of requests that pass first, 0 by default."),
    delay: milliseconds.describe("Milliseconds by which the answer is delayed."),
    status: z.number().int().min(200).max(599).optional().describe("Status to answer; the change is not made."),
    headers: z
      .record(z.string(), z.string())
      .refine(canBeSent, "use names and values that HTTP allows")
      .optional()
      .describe("Headers of the answer; requires `status`."),
    body: z
      .unknown()
      .optional()
      .describe("Body of the answer: a text is sent as it is, other values as JSON; requires `status`."),
    reset: z.enum(["before", "after"]).optional().describe("Resets the connection before or after the change is made."),
    damage: z
      .enum(["cut", "malformed"])
      .optional()
      .describe("`cut` ends the body in the middle, `malformed` sends invalid JSON. The change is made."),
  })
  .refine(({ status, reset, damage }) => [status, reset, damage].filter((kind) => kind !== undefined).length <= 1, {
    error: "use only one of status, reset and damage",
  })
  .refine((one) => [one.delay, one.status, one.reset, one.damage].some((kind) => kind !== undefined), {
    error: "use delay, status, reset or damage",
  })
  .refine(({ status, headers, body }) => status !== undefined || (headers === undefined && body === undefined), {
    error: "headers and body need a status",
  });
export type Fault = z.output<typeof fault>;

export class Faults {
  private waiting: { fault: Fault; skip: number; times: number }[] = [];

  /** Adds a fault from a program or a request; throws a 400 if it is invalid. */
  add(asked: unknown): Fault {
    const accepted = checkInput(fault, asked);
    this.waiting.push({ fault: accepted, skip: accepted.skip ?? 0, times: accepted.times ?? 1 });
    return accepted;
  }

  /** Returns the fault for the next request of the row, if any, and counts it as injected. */
  take(row: RowName): Fault | undefined {
    for (const one of this.waiting) {
      if (one.fault.row !== row && one.fault.row !== "*") continue;
      if (one.skip > 0) {
        one.skip--;
        continue;
      }
      one.times--;
      if (one.times === 0) this.waiting = this.waiting.filter((other) => other !== one);
      return one.fault;
    }
    return undefined;
  }

  /** Faults that are still to be injected, with the remaining `times` and `skip`. */
  pending(): Fault[] {
    return this.waiting.map(({ fault, skip, times }) => ({ ...fault, skip, times }));
  }

  clear(): Fault[] {
    const pendingFaults = this.pending();
    this.waiting = [];
    return pendingFaults;
  }
}
