import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { RequestLog } from "../../provider/emulator/server/log";
import { RateLimit } from "../../provider/emulator/server/rows";
import { longAnswerSeed, manySites, sites, startEmulated } from "./support";

test("requests are counted and logged by row, until a reset", async () => {
  const { call, requests, resetRequests, log } = await startEmulated({ seed: manySites(1) });
  await call("GET", `${sites}?limit=5&type=basic`);
  await call("PATCH", `${sites}/site%5F1`, { title: "New" });
  await call("PATCH", `${sites}/site_1`, { title: "N" });
  await call("GET", "/v1/nothing");
  expect(requests()).toEqual({ listSites: 1, updateSite: 2 });
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(log).toEqual([
    {
      row: "listSites",
      method: "GET",
      path: sites,
      query: { limit: "5", type: "basic" },
      body: undefined,
      status: 200,
      at,
    },
    {
      row: "updateSite",
      method: "PATCH",
      path: `${sites}/site%5F1`,
      query: {},
      body: { title: "New" },
      status: 200,
      at,
    },
    { row: "updateSite", method: "PATCH", path: `${sites}/site_1`, query: {}, body: { title: "N" }, status: 400, at },
  ]);
  resetRequests();
  expect([requests(), log]).toEqual([{}, []]);
});

test("counts over HTTP need no token and are not counted", async () => {
  const { call, url } = await startEmulated({ seed: manySites(1) });
  await call("GET", sites);
  await call("GET", sites);
  const control = async (method: string) => (await fetch(`${url}/_emulator/requests`, { method })).json();
  expect(await control("GET")).toEqual({ listSites: 2 });
  expect(await control("DELETE")).toEqual({ listSites: 2 });
  expect(await control("GET")).toEqual({});
});

test("the log keeps the last 10,000 requests, and all are counted", () => {
  const log = new RequestLog();
  const request = { row: "listSites", method: "GET", query: {}, body: undefined, status: 200, at: "" } as const;
  for (let number = 0; number < 10_010; number++) log.add({ ...request, path: String(number) });
  expect([log.entries.length, log.entries[0]?.path, log.requests()]).toEqual([10_000, "10", { listSites: 10_010 }]);
});

test.each([5, 1, 0.5])("%d requests a second pass in the long run", (rate) => {
  let now = 0;
  const limit = new RateLimit(rate, () => now);
  let passed = 0;
  for (; now < 60_000; now += 10) if (limit.take() === 0) passed++;
  expect(passed).toBeGreaterThanOrEqual(60 * rate);
  // At the start, the requests of one second may pass at once.
  expect(passed).toBeLessThanOrEqual(60 * rate + Math.max(1, rate) + 1);
});

test("it listens on the loopback interface only", async () => {
  const { url } = await startEmulated();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  for (const { address } of others.filter(({ internal, family }) => !internal && family === "IPv4")) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      const socket = connect(Number(new URL(url).port), address, () => resolve(undefined));
      socket.on("error", resolve);
    });
    expect(error?.code).toBe("ECONNREFUSED");
  }
});

test("closing is quick, with connections, delayed answers and streams that are open", async () => {
  const emulator = await startEmulator({ seed: longAnswerSeed() });
  const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ input: [{ role: "user", content: "release" }] });
  const stream = await fetch(`${emulator.url}${sites}/site_1/ai/response`, { method: "POST", headers, body });
  emulator.fault({ row: "getSite", delay: 60_000 });
  const delayed = fetch(`${emulator.url}${sites}/site_1`, { headers }).catch((error: Error) => error);
  while (emulator.requests().getSite !== 1) await new Promise((resolve) => setTimeout(resolve, 5));
  const start = performance.now();
  await Promise.all([emulator.close(), emulator.close()]);
  expect(performance.now() - start).toBeLessThan(3000);
  expect(await delayed).toBeInstanceOf(Error);
  await expect(stream.text()).rejects.toThrow();
});

test("an invalid option is refused at the start", async () => {
  for (const [options, message] of [
    [{ rate: 0 }, "rate: found 0; use "],
    [{ version: "1" as never }, 'version: found "1"; use '],
    [{ port: 99_999 }, "port: found 99999; use 0 to 65535"],
    [{ latency: -1 }, "latency: found -1; use 0 to 2147483647"],
  ] as const) {
    await expect(startEmulator(options)).rejects.toThrow(message);
  }
  await expect(startEmulator({ seed: manySites(0), organizationId: "other" })).rejects.toHaveWording(
    "an unseeded organization",
  );
  await expect(
    startEmulator({ seed: { organizations: { acme: { sites: [{ titel: "x" } as never] } } } }),
  ).rejects.toHaveWording("a mistake in the options");
});
