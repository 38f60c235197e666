import { expect, test } from "vitest";
import { few, members, org, peopleSeed, teamOf } from "./people";
import { idOfItem, startEmulated } from "./support";

const seed = peopleSeed(few);
const now = () => new Date("2026-11-21T12:00:00Z");
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(idOfItem);

test("a member has all properties that the service shows", async () => {
  const { call, url } = await startEmulated({ seed, now });
  const { status, body } = await call("GET", `${members}/bea`);
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "member",
    id: "bea",
    role: "admin",
    user: {
      object: "user",
      id: "bea",
      displayName: "Bea Berg",
      email: "Bea@Acme.test",
      urls: { location: `${url}/v1/users/bea` },
    },
    disabled: false,
    joinedAt: "2026-10-22T12:00:01.000Z",
    lastSeenAt: "2026-11-01T00:00:00.000Z",
    sso: false,
    spaces: 2,
    teams: 0,
  });
  const guest = (await call("GET", `${members}/dan`)).body;
  expect(guest).toMatchObject({ role: null, spaces: 1, teams: 0 });
  expect(guest.user).not.toHaveProperty("email");
  expect(guest).not.toHaveProperty("lastSeenAt");
});

test.each([
  ["", ["dan", "cem", "bea", "ada"]],
  ["order=desc", ["dan", "cem", "bea", "ada"]],
  ["order=asc", ["ada", "bea", "cem", "dan"]],
  ["sort=joinedAt&order=asc", ["ada", "bea", "cem", "dan"]],
  // Only those who were seen.
  ["sort=lastSeenAt", ["cem", "bea"]],
  ["sort=lastSeenAt&order=asc", ["bea", "cem"]],
  ["role=admin", ["bea", "ada"]],
  ["role=read", ["cem"]],
  ["role=create", []],
  ["role=guest", ["dan"]],
  ["search=abb", ["ada"]],
  ["search=BERG", ["bea"]],
  ["search=acme.test", ["bea", "ada"]],
  ["search=.", ["cem", "bea", "ada"]],
  ["search=.*", []],
  ["search=a-b", []],
  ["search=", ["dan", "cem", "bea", "ada"]],
  ["search=a&role=admin&order=asc&sort=lastSeenAt", ["bea"]],
])("the list with %s has the right members, in order", async (query, expected) => {
  const { call } = await startEmulated({ seed });
  const answer = await call("GET", `${members}?${query}`);
  expect([answer.status, ids(answer), answer.body.count]).toEqual([200, expected, expected.length]);
});

test("the newer version sorts by name", async () => {
  const { call } = await startEmulated({ seed, version: "0.202" });
  expect(ids(await call("GET", `${members}?sort=name&order=asc`))).toEqual(["ada", "bea", "cem", "dan"]);
});

test("a removal that is only requested changes nothing", async () => {
  const emulator = await startEmulated({ seed, readings: { memberRemoval: "requested" } });
  expect((await emulator.call("DELETE", `${members}/cem`)).status).toBe(202);
  expect(await teamOf(emulator, "writers")).toEqual({ ada: "owner", cem: "member" });
});

test("a ping records when the user of the token was seen", async () => {
  const { call } = await startEmulated({ seed, now });
  expect((await call("POST", `${org}/ping`)).status).toBe(200);
  expect((await call("GET", `${members}/ada`)).body.lastSeenAt).toBe("2026-11-21T12:00:00.000Z");
  expect(ids(await call("GET", `${members}?sort=lastSeenAt`))).toEqual(["ada", "cem", "bea"]);
});

test("a caller who is lowered may only read, and one who is removed finds nothing", async () => {
  const emulator = await startEmulated({ seed, caller: "ada", readLag: { all: 10_000 } });
  const { call } = emulator;
  expect((await call("PATCH", `${members}/bea`, { role: "edit" })).status).toBe(200);
  expect((await call("PATCH", `${members}/ada`, { role: "edit" })).body.role).toBe("edit");
  const message = '"ada", who owns the token, has the role edit; an administrator may do this';
  for (const [method, path] of [
    ["PATCH", `${members}/bea`],
    ["DELETE", `${members}/bea`],
    ["POST", `${org}/sites`],
  ] as const) {
    expect((await call(method, path, {})).body).toEqual({ error: { code: 403, message } });
  }
  expect([(await call("GET", members)).status, (await call("POST", `${org}/ping`)).status]).toEqual([200, 200]);
  emulator.state.organizations.get("acme")?.members.delete("ada");
  const absent = { error: { code: 404, message: 'there is no organization "acme"' } };
  expect((await call("GET", members)).body).toEqual(absent);
  expect((await call("PATCH", `${members}/bea`, {})).body).toEqual(absent);
});

test("the state may be changed directly, as at the service's own user interface", async () => {
  const emulator = await startEmulated({ seed });
  const { call, state } = emulator;
  const acme = state.organizations.get("acme");
  const ada = acme?.members.get("ada");
  if (!acme || !ada) throw new Error("there is no ada");
  Object.assign(ada, { role: "read", displayName: "Zoe", lastSeenAt: "2026-11-03T00:00:00.000Z" });
  acme.members.delete("cem");
  expect(ids(await call("GET", `${members}?sort=lastSeenAt`))).toEqual(["ada", "bea"]);
  expect((await call("GET", `${members}/ada`)).body).toMatchObject({ role: "read", teams: 1 });
  expect(await teamOf(emulator, "writers")).toEqual({ ada: "owner" });
  acme.teams.delete("writers");
  expect((await call("GET", `${members}/ada`)).body.teams).toBe(0);
  acme.members.clear();
  expect((await call("GET", members)).body).toEqual({ items: [], count: 0 });
});
