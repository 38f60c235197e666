import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Limiter } from "../../../provider/api/http/limiter";

beforeEach(() => {
  vi.useFakeTimers({ loopLimit: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service that accepts a number of requests per second, and answers others with Retry-After. */
function limitedService(limiter: Limiter, perSecond: number, latency: number, refusalLatency = latency) {
  let [tokens, refilled] = [perSecond, Date.now()];
  const served = { taken: 0, refused: 0 };
  async function request(): Promise<void> {
    for (;;) {
      const accepted = await limiter.run(async (begun) => {
        tokens = Math.min(perSecond, tokens + ((Date.now() - refilled) / 1000) * perSecond);
        refilled = Date.now();
        const refused = tokens < 1;
        if (!refused) tokens--;
        await new Promise((resolve) => setTimeout(resolve, refused ? refusalLatency : latency));
        if (refused) {
          served.refused++;
          limiter.limited(1000, begun);
          return false;
        }
        served.taken++;
        limiter.accepted();
        return true;
      });
      if (accepted) return;
    }
  }
  return { request, served };
}

/** A request that is repeated until the service accepts it. */
function repeated(limiter: Limiter, latency: number, retryAfter: number, takes: () => boolean) {
  return async function request(): Promise<void> {
    const taken = await limiter.run(async (begun) => {
      await new Promise((resolve) => setTimeout(resolve, latency));
      const taken = takes();
      if (taken) limiter.accepted();
      else limiter.limited(retryAfter, begun);
      return taken;
    });
    if (!taken) await request();
  };
}

describe("the limiter", () => {
  it("sends everything in order until the service limits it", async () => {
    const limiter = new Limiter();
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((nth) => limiter.run(async () => void order.push(nth))));
    expect(order).toEqual([1, 2, 3]);
  });

  it.each([
    [20, 8, 5, 5],
    [20, 64, 50, 50],
    [5, 8, 20, 20],
    [100, 64, 10, 10],
    [5, 20, 200, 5],
    [20, 64, 500, 5],
  ])(
    "takes %i a second with %i at once, and latencies of %i ms and of %i ms to a refusal, with few refusals",
    async (rate, atOnce, latency, refusalLatency) => {
      const limiter = new Limiter();
      const { request, served } = limitedService(limiter, rate, latency, refusalLatency);
      const total = Math.max(1000, rate * 50);
      let begun = 0;
      const worker = async () => {
        while (begun < total) {
          begun += 1;
          await request();
        }
      };
      const start = Date.now();
      const all = Promise.all(Array.from({ length: atOnce }, worker));
      await vi.runAllTimersAsync();
      await all;
      expect(served.taken).toBe(total);
      expect(served.refused / total).toBeLessThan(0.03);
      // Because the limit is not known, it may take a fifth longer than with all of it in use.
      expect((Date.now() - start) / 1000).toBeLessThan((1.2 * total) / rate + 2);
    },
  );

  it("waits for the next window if the service counts by the minute without saying when it ends", async () => {
    const limiter = new Limiter();
    const counted = new Map<number, number>();
    let refused = 0;
    const request = repeated(limiter, 50, 1_000, () => {
      const minute = Math.floor(Date.now() / 60_000);
      counted.set(minute, (counted.get(minute) ?? 0) + 1);
      const takes = (counted.get(minute) ?? 0) <= 100;
      if (!takes) refused++;
      return takes;
    });
    const start = Date.now();
    const all = Promise.all(Array.from({ length: 500 }, request));
    await vi.runAllTimersAsync();
    await all;
    // The fifth window ends it: four must pass, and half a minute may be lost after each.
    expect((Date.now() - start) / 60_000).toBeLessThan(6);
    expect(refused).toBeLessThan(200);
  });

  it.each([0, 1_000])("forgets a single refusal soon (Retry-After %i ms)", async (retryAfter) => {
    const limiter = new Limiter();
    let refused = false;
    const request = repeated(limiter, 20, retryAfter, () => {
      const takes = refused;
      refused = true;
      return takes;
    });
    const start = Date.now();
    const all = Promise.all(Array.from({ length: 400 }, request));
    await vi.runAllTimersAsync();
    await all;
    expect(Date.now() - start).toBeLessThan(4_000);
  });

  it("reports every 10 s how many requests wait and how long", async () => {
    const lines: string[] = [];
    const limiter = new Limiter({ notice: (line) => lines.push(line) });
    const { request } = limitedService(limiter, 5, 5);
    const all = Promise.all(Array.from({ length: 200 }, request));
    await vi.runAllTimersAsync();
    await all;
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeLessThanOrEqual(5);
    expect(lines[0]?.replace(/\d+/g, "N")).toHaveWording("a wait for the limit");
  });

  it("removes an aborted request from the queue, and no other", async () => {
    const limiter = new Limiter();
    limiter.limited(60_000, 1);
    const stop = new AbortController();
    const aborted = limiter.run(async () => "never", stop.signal).catch((reason: Error) => reason.name);
    const stayed = limiter.run(async () => "served");
    stop.abort();
    await expect(aborted).resolves.toBe("AbortError");
    await vi.runAllTimersAsync();
    await expect(stayed).resolves.toBe("served");
  });
});
