import { describe, expect, it } from "vitest";
import { WriteCoalescer } from "../../../provider/api/cache/write-coalescer";
import { ApiError, ConnectionError } from "../../../provider/api/http/errors";

interface Change {
  readonly key: string;
  readonly value?: number;
}

/** A service that completes a call on request; `refuse` decides which calls fail, and how. */
function heldService({ refuse, most = 1000 }: { refuse?: (keys: string[]) => Error | undefined; most?: number } = {}) {
  const calls: Change[][] = [];
  const held: (() => void)[] = [];
  const batch = new WriteCoalescer<Change>({
    keyOf: ({ key }) => key,
    most,
    send: async (changes) => {
      calls.push([...changes]);
      await new Promise<void>((resolve) => held.push(resolve));
      const error = refuse?.(changes.map(({ key }) => key));
      if (error) throw error;
    },
  });
  const idle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    batch,
    write: (...keys: string[]) => Promise.allSettled(keys.map((key) => batch.write({ key }))),
    calls: () => calls.map((changes) => changes.map(({ key }) => key)),
    values: () => calls.map((changes) => changes.map(({ value }) => value)),
    /** Answers the call that is under way; what follows from that has happened when it returns. */
    async answer() {
      await idle();
      held.shift()?.();
      await idle();
    },
    async answerAll() {
      for (await idle(); held.length > 0; await idle()) held.shift()?.();
    },
  };
}

const refusing = (status: number, ...wrong: string[]) => ({
  refuse: (keys: string[]) => (keys.some((key) => wrong.includes(key)) ? apiError(status, keys) : undefined),
});
const apiError = (status: number, keys: string[]) => new ApiError(`change ${keys.join(" and ")}`, status, "no");
const outcomes = (results: readonly PromiseSettledResult<void>[]) =>
  results.map((result) => (result.status === "fulfilled" ? "done" : (result.reason as Error).message));

describe("a batch", () => {
  it("sends changes that arrive together in one call", async () => {
    const service = heldService();
    const written = service.write("a", "b", "c");
    await service.answerAll();
    expect(outcomes(await written)).toEqual(["done", "done", "done"]);
    expect(service.calls()).toEqual([["a", "b", "c"]]);
  });

  it("sends changes that arrive during a call in the next one, and never two calls at once", async () => {
    const service = heldService();
    const written = [service.write("a")];
    for (const key of ["b", "c", "d"]) {
      await Promise.resolve();
      written.push(service.write(key));
    }
    expect(service.calls()).toEqual([["a"]]);
    await service.answer();
    expect(service.calls()).toEqual([["a"], ["b", "c", "d"]]);
    await service.answerAll();
    expect(outcomes((await Promise.all(written)).flat())).toEqual(["done", "done", "done", "done"]);
  });

  it("is as fast after a pause as at the start", async () => {
    const service = heldService();
    void service.write("a");
    await service.answerAll();
    void service.write("b");
    await Promise.resolve();
    expect(service.calls()).toEqual([["a"], ["b"]]);
  });

  it("keeps a second change of the same subject for the next call, in order", async () => {
    const service = heldService();
    const written = [1, 2, 3].map((value) => service.batch.write({ key: "a", value }));
    const other = service.batch.write({ key: "b", value: 4 });
    await service.answerAll();
    await Promise.all([...written, other]);
    expect(service.values()).toEqual([[1, 4], [2], [3]]);
  });

  it("puts at most the allowed number of changes into a call", async () => {
    const service = heldService({ most: 2 });
    const written = service.write("a", "b", "c", "d", "e");
    await service.answerAll();
    await written;
    expect(service.calls()).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  });
});

describe("a refused call", () => {
  it.each([400, 404, 409, 412, 422])("with %i is split until the wrong changes are known", async (status) => {
    const service = heldService(refusing(status, "b", "g"));
    const written = service.write("a", "b", "c", "d", "e", "f", "g", "h");
    await service.answerAll();
    const refusal = (key: string) => apiError(status, [key]).message;
    expect(outcomes(await written)).toEqual([
      "done",
      refusal("b"),
      "done",
      "done",
      "done",
      "done",
      refusal("g"),
      "done",
    ]);
    const carriedOut = service.calls().filter((keys) => !keys.includes("b") && !keys.includes("g"));
    expect(carriedOut.flat().sort()).toEqual(["a", "c", "d", "e", "f", "h"]);
  });

  it("takes two calls for each halving, not one for each change", async () => {
    const keys = Array.from({ length: 64 }, (_, nth) => `key_${nth}`);
    const service = heldService(refusing(400, "key_40"));
    const written = service.write(...keys);
    await service.answerAll();
    expect(outcomes(await written).filter((outcome) => outcome !== "done")).toHaveLength(1);
    expect(service.calls()).toHaveLength(1 + 2 * Math.log2(64));
  });

  it.each([
    ["401", new ApiError("change people", 401, "who are you")],
    ["403", new ApiError("change people", 403, "you may not")],
    ["500", new ApiError("change people", 500, "oops", true)],
    ["a lost connection", new ConnectionError("change people", "the connection was reset", { unclear: true })],
  ])("with %s fails for all of its changes, and is not repeated", async (_, error) => {
    const service = heldService({ refuse: () => error });
    const written = service.write("a", "b", "c");
    await service.answerAll();
    expect(outcomes(await written)).toEqual([error.message, error.message, error.message]);
    expect(service.calls()).toEqual([["a", "b", "c"]]);
  });

  it("does not affect later changes", async () => {
    const service = heldService(refusing(403, "a"));
    const written = service.write("a");
    await Promise.resolve();
    const next = service.write("b");
    await service.answerAll();
    expect(outcomes([...(await written), ...(await next)])).toEqual([apiError(403, ["a"]).message, "done"]);
  });
});
