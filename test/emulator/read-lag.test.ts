import { expect, test } from "vitest";
import { readLag } from "../../provider/cli/commands/setup";
import type { EmulatorOptions, ReadLag } from "../../provider/emulator";
import { few, members, peopleSeed } from "./people";
import { startEmulated } from "./support";

/** An emulator whose clock moves only when a test moves it. */
async function lagging(readLag: ReadLag, options: EmulatorOptions = {}) {
  let time = Date.parse("2030-01-01T00:00:00Z");
  const emulator = await startEmulated({ seed: peopleSeed(few), readLag, now: () => new Date(time), ...options });
  const later = (seconds: number) => {
    time += seconds * 1000;
  };
  const role = async (id = "cem") => (await emulator.call("GET", `${members}/${id}`)).body.role;
  const listed = async (id = "cem") => {
    const { body } = await emulator.call("GET", members);
    return body.items.find((one: { id: string }) => one.id === id)?.role;
  };
  const give = (role: string, id = "cem") => emulator.call("PATCH", `${members}/${id}`, { role });
  return Object.assign(emulator, { later, role, listed, give });
}

// Expected: the role of one member and that in the list; at once, after 9 s, after 10 s.
test.each<[ReadLag, string[]]>([
  [{ lists: 10_000 }, ["admin", "read", "admin", "read", "admin", "admin"]],
  [{ all: 10_000 }, ["read", "read", "read", "read", "admin", "admin"]],
  [{ listMembers: 10_000 }, ["admin", "read", "admin", "read", "admin", "admin"]],
  [{ all: 10_000, lists: 2_000 }, ["read", "read", "read", "admin", "admin", "admin"]],
  [{ all: 10_000, getMember: 0 }, ["admin", "read", "admin", "read", "admin", "admin"]],
  [{}, ["admin", "admin", "admin", "admin", "admin", "admin"]],
])("with the lag %j, reads show a change after it", async (readLag, expected) => {
  const { give, role, listed, later } = await lagging(readLag);
  const { body, headers } = await give("admin");
  expect([body.role, headers.get("date")]).toEqual(["admin", "Tue, 01 Jan 2030 00:00:00 GMT"]);
  const seen = [await role(), await listed()];
  for (const seconds of [9, 1]) {
    later(seconds);
    seen.push(await role(), await listed());
  }
  expect(seen).toEqual(expected);
});

test("each read shows one moment, and writes act on the present", async () => {
  const { give, listed, later, call, join } = await lagging({ lists: 10_000 });
  const seen = [];
  for (const role of ["admin", "edit", "comment"]) {
    await give(role);
    later(4);
    seen.push(await listed());
  }
  for (const seconds of [2, 3, 1, 4]) {
    later(seconds);
    seen.push(await listed());
  }
  expect(seen).toEqual(["read", "read", "admin", "edit", "edit", "comment", "comment"]);
  expect((await call("DELETE", `${members}/cem`)).status).toBe(205);
  expect((await call("DELETE", `${members}/cem`)).status).toBe(204);
  expect([await listed(), (await give("read")).status]).toEqual(["comment", 404]);
  join({ userId: "new", email: "new@acme.test", role: "read" });
  expect(await listed("new")).toBeUndefined();
  later(10);
  expect([await listed(), await listed("new")]).toEqual([undefined, "read"]);
});

test("the lag changes while the emulator runs, in code and over HTTP", async () => {
  const { give, listed, setReadLag, url, later } = await lagging({});
  await give("admin");
  setReadLag({ lists: 10_000 });
  expect(await listed()).toBe("admin");
  await give("read");
  expect(await listed()).toBe("admin");
  const post = async (body: unknown) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/_emulator/read-lag`, { method: "POST", headers, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };
  expect(await post({})).toEqual([200, {}]);
  expect(await listed()).toBe("read");
  await post({ all: 5000 });
  await give("edit");
  expect(await listed()).toBe("read");
  const message = 'readLag.listMember: there is no such property; did you mean "listMembers"?';
  expect(await post({ listMember: 1 })).toEqual([400, { error: { code: 400, message } }]);
  expect(() => setReadLag({ lists: -1 })).toThrow("readLag.lists: found -1; use 0 to 2147483647");
  later(5);
  expect(await listed()).toBe("edit");
});

test("the command line has durations with units", () => {
  const given = ["lists=500ms", "all=2m", "getMember=1.5s"].reduce<ReadLag>((lag, text) => readLag(text, lag), {});
  expect(given).toEqual({ lists: 500, all: 120_000, getMember: 1500 });
});
