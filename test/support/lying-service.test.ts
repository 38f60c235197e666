import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { RowName } from "../../provider/api/endpoints";
import { emulate } from "../emulator/support";
import { cut, type Hook, LyingService } from "./lying-service";

/** Milliseconds that the client waits for the end of an answer. */
const patience = 400;
const members = "/v1/orgs/acme/members";
const people = ["ada", "eli", "fay"].map((name, index) => ({
  userId: `user_${name}`,
  email: `${name}@acme.test`,
  role: index === 0 ? ("admin" as const) : ("edit" as const),
}));

async function behindLies() {
  const emulator = await emulate({ seed: { organizations: { acme: { members: people, sites: [{ id: "site_1" }] } } } });
  const lying = await LyingService.start(emulator.url);
  onTestFinished(() => lying.close());
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(lying.url + path, { method, headers, signal: AbortSignal.timeout(patience), ...sent });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  const roleOf = (id: string) => emulator.state.organizations.get("acme")?.members.get(id)?.role;
  return { emulator, lying, call, roleOf };
}

test("without a hook, all requests pass, including other paths", async () => {
  const { emulator, lying, call } = await behindLies();
  const [behind, direct] = [
    await call("GET", `${members}?role=admin`),
    await emulator.call("GET", `${members}?role=admin`),
  ];
  expect(behind.body).toEqual(direct.body);
  expect(behind.body.items).toHaveLength(1);
  expect((await call("GET", `${members}/nobody`)).status).toBe(404);
  expect((await call("DELETE", "/v1/orgs/acme/sites/site_1")).status).toBe(205);
  expect((await call("GET", "/_emulator/requests")).body).toEqual({ listMembers: 2, getMember: 1, deleteSite: 1 });
  expect(lying.writes()).toEqual([
    {
      row: "deleteSite",
      method: "DELETE",
      path: "/v1/orgs/acme/sites/site_1",
      query: {},
      body: undefined,
      forwarded: true,
    },
  ]);
});

test("a request is changed before it is forwarded", async () => {
  const { emulator, lying, call } = await behindLies();
  lying.on("listMembers", ({ request }) => request.query.delete("role"));
  lying.on("updateMember", ({ request }) => {
    request.path = request.path.replace("eli", "fay");
    request.body.role = "read";
  });
  expect((await call("GET", `${members}?role=admin&limit=10`)).body.items).toHaveLength(3);
  expect((await call("PATCH", `${members}/user_eli`, { role: "comment" })).body.id).toBe("user_fay");
  expect(emulator.log.map(({ query, body }) => query ?? body)).toEqual([{ limit: "10" }, {}]);
  expect(lying.requests().map(({ query }) => query)).toEqual([{ role: "admin", limit: "10" }, {}]);
  expect(lying.requests("updateMember")[0]).toMatchObject({ path: `${members}/user_eli`, body: { role: "comment" } });
});

test("success is answered although nothing is forwarded, as often as the test says", async () => {
  const { emulator, lying, call, roleOf } = await behindLies();
  lying.on("removeMember", () => ({ status: 204 }), 1);
  const remove = lying.on("updateMember", () => ({ status: 200, body: { role: "admin" } }));
  expect((await call("PATCH", `${members}/user_eli`, { role: "read" })).body).toEqual({ role: "admin" });
  expect((await call("DELETE", `${members}/user_eli`)).status).toBe(204);
  expect([roleOf("user_eli"), emulator.log]).toEqual(["edit", []]);
  expect(lying.writes().map(({ row, forwarded }) => [row, forwarded])).toEqual([
    ["updateMember", false],
    ["removeMember", false],
  ]);
  remove();
  await call("PATCH", `${members}/user_eli`, { role: "read" });
  expect(roleOf("user_eli")).toBe("read");
  expect((await call("DELETE", `${members}/user_eli`)).status).toBe(205);
});

/** Whether the write was applied although the client got no answer, and how long the client waited. */
const broken: [string, Hook<"updateMember">, string, "fast" | "slow"][] = [
  ["cut before", () => cut, "edit", "fast"],
  ["cut after", ({ forward }) => forward().then(() => cut), "read", "fast"],
  ["cut within", async ({ forward }) => ({ ...(await forward()), manner: "cut" }), "read", "fast"],
  ["trickling", async ({ forward }) => ({ ...(await forward()), manner: { every: 100 } }), "read", "slow"],
  ["stalled", async ({ forward }) => ({ ...(await forward()), manner: "stall" }), "read", "slow"],
  ["endless", async ({ forward }) => ({ ...(await forward()), manner: "endless" }), "read", "slow"],
  ["late", ({ forward }) => sleep(2 * patience).then(forward), "edit", "slow"],
];

test.each(broken)("an answer that is %s", async (_, hook, role, pace) => {
  const { lying, call, roleOf } = await behindLies();
  lying.on("updateMember", hook, 1);
  const before = performance.now();
  await expect(call("PATCH", `${members}/user_eli`, { role: "read" })).rejects.toThrow();
  expect(performance.now() - before > patience - 50 ? "slow" : "fast").toBe(pace);
  expect(roleOf("user_eli")).toBe(role);
});

test("a hook that throws cuts the connection, and close reports it", async () => {
  const emulator = await emulate();
  const lying = await LyingService.start(emulator.url);
  lying.on("getMember" satisfies RowName, () => {
    throw new Error("the test itself is wrong");
  });
  await expect(fetch(`${lying.url}${members}/user_ada`)).rejects.toThrow();
  await expect(lying.close()).rejects.toThrow("the test itself is wrong");
});
