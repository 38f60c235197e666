import { validateHeaderName, validateHeaderValue } from "node:http";
import { z } from "zod";
import { endpoints, type RowName } from "../../api/endpoints";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { badRequest } from "../http/errors";

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
    // Which one it is, the one who set them sees.
    return false;
  }
}

/** What shall go wrong: a delay, and at most one of a status, a reset and a damaged body. */
export const fault = z
  .strictObject({
    row: z.enum([...rowNames, "*"]).describe("Name of the row that fails; `*` for all of them."),
    times: z.number().int().min(1).max(most).optional().describe("How often, 1 when left out."),
    skip: z.number().int().min(0).max(most).optional().describe("Requests for the row that pass before it starts."),
    // More than a timer can hold would be no delay at all.
    delay: z
      .number()
      .min(0)
      .max(2 ** 31 - 1)
      .optional()
      .describe("Milliseconds that the answer comes late."),
    status: z.number().int().min(200).max(599).optional().describe("Answer with this status; nothing is changed."),
    headers: z
      .record(z.string(), z.string())
      .refine(canBeSent, "use names and values that HTTP allows")
      .optional()
      .describe("Headers of the answer with `status`."),
    body: z.unknown().optional().describe("Body of the answer with `status`: a text as it is, all else as JSON."),
    reset: z.enum(["before", "after"]).optional().describe("Reset the connection before or after the change is made."),
    damage: z
      .enum(["cut", "malformed"])
      .optional()
      .describe("End the body in the middle, or send a whole body that is not JSON. The change is made."),
  })
  .refine(({ status, reset, damage }) => [status, reset, damage].filter((kind) => kind !== undefined).length <= 1, {
    error: "use only one of status, reset and damage",
  })
  .refine((one) => [one.delay, one.status, one.reset, one.damage].some((kind) => kind !== undefined), {
    error: "use delay, status, reset or damage",
  })
  .refine(({ status, headers, body }) => status !== undefined || (headers === undefined && body === undefined), {
    error: "headers and body belong to a status",
  });
export type Fault = z.output<typeof fault>;

/** Faults that were asked for and have not happened as often as they should. */
export class Faults {
  private waiting: { fault: Fault; skip: number; times: number }[] = [];

  /** Takes a fault that a program or a request asks for, and refuses what is none. */
  add(asked: unknown): Fault {
    const wrong = mistakesIn(fault, asked);
    if (wrong.length > 0) throw badRequest(inOneLine(wrong));
    const accepted = fault.parse(asked);
    this.waiting.push({ fault: accepted, skip: accepted.skip ?? 0, times: accepted.times ?? 1 });
    return accepted;
  }

  /** The fault that the next request for the row meets, if any; it counts as happened. */
  take(row: RowName): Fault | undefined {
    for (const one of this.waiting) {
      if (one.fault.row !== row && one.fault.row !== "*") continue;
      if (one.skip > 0) {
        one.skip--;
        continue;
      }
      if (--one.times === 0) this.waiting = this.waiting.filter((other) => other !== one);
      return one.fault;
    }
    return undefined;
  }

  /** What has still to happen, with what is left of `times` and `skip`. */
  pending(): Fault[] {
    return this.waiting.map(({ fault, skip, times }) => ({ ...fault, skip, times }));
  }

  /** Forgets all faults and tells which were still pending. */
  clear(): Fault[] {
    const left = this.pending();
    this.waiting = [];
    return left;
  }
}
