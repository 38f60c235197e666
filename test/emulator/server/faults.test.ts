import { expect, test } from "vitest";
import { eventsIn, manySites, sites, startEmulated } from "../support";

test("a status with headers and a body, as often as set", async () => {
  const emulator = await startEmulated({ seed: manySites(1) });
  const { call } = emulator;
  emulator.fault({ row: "getSite", status: 503, times: 2, headers: { "retry-after": "7" }, body: { any: ["thing"] } });
  for (const left of [1, 0]) {
    const { status, headers, body } = await call("GET", `${sites}/site_1`);
    expect([status, headers.get("retry-after"), body]).toEqual([503, "7", { any: ["thing"] }]);
    expect(emulator.pendingFaults().map(({ times }) => times)).toEqual(left > 0 ? [left] : []);
  }
  expect((await call("GET", `${sites}/site_1`)).status).toBe(200);
});

test("without a body, the body is that of the service; a text stays a text", async () => {
  const { call, fault } = await startEmulated({ seed: manySites(1) });
  fault({ row: "*", status: 500 });
  fault({ row: "*", status: 502, body: "<h1>Bad gateway</h1>", headers: { "content-type": "text/html" } });
  expect((await call("GET", sites)).body).toEqual({
    error: { code: 500, message: expect.stringContaining("asked for") },
  });
  const page = await call("GET", sites);
  expect([page.status, page.text, page.headers.get("content-type")]).toEqual([
    502,
    "<h1>Bad gateway</h1>",
    "text/html",
  ]);
});

test("a fault waits for its row and skips the set number of requests", async () => {
  const { call, fault } = await startEmulated({ seed: manySites(1) });
  fault({ row: "getSite", status: 500, skip: 1 });
  const statuses = [];
  for (const path of ["", "/site_1", "/site_1", "/site_1"]) statuses.push((await call("GET", sites + path)).status);
  expect(statuses).toEqual([200, 200, 500, 200]);
});

test.each([
  ["before", 0],
  ["after", 1],
] as const)("a connection reset %s the change leaves %i new sites", async (reset, size) => {
  const { call, fault, state, log } = await startEmulated({ seed: manySites(0) });
  fault({ row: "createSite", reset });
  await expect(call("POST", sites, { title: "Docs" })).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  expect(state.organizations.get("acme")?.sites.size).toBe(size);
  expect(log).toMatchObject([{ row: "createSite", body: { title: "Docs" }, status: 0 }]);
});

test("a cut body ends early, and a malformed one is not JSON; both times, the change is made", async () => {
  const { call, fault, state, log } = await startEmulated({ seed: manySites(0) });
  fault({ row: "createSite", damage: "cut" });
  fault({ row: "createSite", damage: "malformed" });
  await expect(call("POST", sites)).rejects.toThrow("terminated");
  const { status, text, body } = await call("POST", sites);
  expect([status, body]).toEqual([201, undefined]);
  expect(text).toMatch(/^\{"object":"site"/);
  expect(state.organizations.get("acme")?.sites.size).toBe(2);
  expect(log.map((entry) => entry.status)).toEqual([201, 201]);
});

test("an answer without a body can be damaged", async () => {
  const { call, fault, state } = await startEmulated({ seed: manySites(2) });
  fault({ row: "deleteSite", damage: "cut" });
  fault({ row: "deleteSite", damage: "malformed" });
  await expect(call("DELETE", `${sites}/site_1`)).rejects.toThrow();
  expect((await call("DELETE", `${sites}/site_2`)).text).toBe("");
  expect(state.organizations.get("acme")?.sites.size).toBe(0);
});

test("a delay is possible alone and with another fault", async () => {
  const { call, fault } = await startEmulated({ seed: manySites(1) });
  fault({ row: "getSite", delay: 120 });
  fault({ row: "getSite", delay: 120, status: 500 });
  for (const status of [200, 500]) {
    const start = performance.now();
    expect((await call("GET", `${sites}/site_1`)).status).toBe(status);
    expect(performance.now() - start).toBeGreaterThan(115);
  }
});

test("streams end early, or send invalid JSON", async () => {
  const { call, fault } = await startEmulated();
  const ask = () =>
    call("POST", `${sites}/site_product/ai/response`, { input: [{ role: "user", content: "rollback" }] });
  fault({ row: "streamAiResponse", damage: "cut" });
  fault({ row: "streamAiResponse", damage: "malformed" });
  fault({ row: "streamAiResponse", reset: "after" });
  fault({ row: "streamAiResponse", status: 503 });
  await expect(ask()).rejects.toThrow("terminated");
  const { text } = await ask();
  expect(text).toMatch(/^data: \{"type":"response_start"/);
  expect(() => eventsIn(text)).toThrow();
  await expect(ask()).rejects.toThrow();
  expect((await ask()).status).toBe(503);
  expect(eventsIn((await ask()).text).at(-1)?.type).toBe("response_finish");
});

test("over HTTP: added, listed, and removed with the pending ones", async () => {
  const { url, call, pendingFaults } = await startEmulated({ seed: manySites(1) });
  const control = async (method: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/_emulator/faults`, {
      method,
      ...(body && { headers, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  expect((await control("POST", { row: "getSite", status: 503, times: 3 })).status).toBe(201);
  expect((await call("GET", `${sites}/site_1`)).status).toBe(503);
  const pending = { items: [{ row: "getSite", status: 503, times: 2, skip: 0 }] };
  expect(await control("GET")).toEqual({ status: 200, body: pending });
  expect(await control("DELETE")).toEqual({ status: 200, body: pending });
  expect(await control("GET")).toEqual({ status: 200, body: { items: [] } });
  expect(pendingFaults()).toEqual([]);
  expect((await call("GET", `${sites}/site_1`)).status).toBe(200);
});

test.each([
  [{ row: "getSites", status: 500 }, 'did you mean "getSite"?'],
  [{ row: "getSite" }, "use delay, status, reset or damage"],
  [{ row: "getSite", status: 500, reset: "after" }, "use only one of status, reset and damage"],
  [{ row: "getSite", delay: 1, headers: {} }, "headers and body need a status"],
  [{ row: "getSite", status: 500, times: 0 }, "times: found 0; use 1 to 1000000"],
  [{ row: "getSite", reset: "later" }, "reset: "],
  [{ row: "getSite", status: 503, headers: { "x y": "1" } }, "use names and values that HTTP allows"],
  [{ row: "getSite", delay: 3_000_000_000 }, "use 0 to 2147483647"],
  [{ row: "getSite", staus: 500 }, 'staus: there is no such property; did you mean "status"?'],
])("the fault %j is refused", async (wrong, message) => {
  const { call, fault, pendingFaults } = await startEmulated();
  const { status, body } = await call("POST", "/_emulator/faults", wrong);
  expect([status, body.error.code]).toEqual([400, 400]);
  expect(body.error.message).toContain(message);
  expect(() => fault(wrong as never)).toThrow(message);
  expect(pendingFaults()).toEqual([]);
});

test("faults can be set at the start", async () => {
  const { call, clearFaults } = await startEmulated({
    seed: manySites(1),
    faults: [{ row: "*", status: 500, times: 5 }],
  });
  expect((await call("GET", sites)).status).toBe(500);
  expect(clearFaults()).toMatchObject([{ times: 4 }]);
  expect((await call("GET", sites)).status).toBe(200);
});
