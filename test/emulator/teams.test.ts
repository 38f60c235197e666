import { expect, test } from "vitest";
import { few, members, peopleSeed, teamMembers, teamOf } from "./people";
import { startEmulated } from "./support";

const seed = peopleSeed(few);
const writers = teamMembers("writers");

test("the list has members with their role in the team and permissions, in the order of joining the team", async () => {
  const emulator = await startEmulated({ seed });
  const { status, body } = await emulator.call("GET", writers);
  expect(status).toBe(200);
  const ada = (await emulator.call("GET", `${members}/ada`)).body;
  expect(body.items[0]).toEqual({ organization: ada, team: { role: "owner" }, permissions: { view: true } });
  expect(body.count).toBe(2);
  await emulator.call("PUT", `${writers}/bea`);
  await emulator.call("PUT", `${writers}/ada`, { role: "member" });
  expect(Object.entries(await teamOf(emulator, "writers"))).toEqual([
    ["ada", "member"],
    ["cem", "member"],
    ["bea", "member"],
  ]);
});

test.each([
  [
    "ids and e-mails",
    { add: ["bea", "dan"], remove: ["CEM@OTHER.TEST"] },
    { ada: "owner", bea: "member", dan: "member" },
  ],
  ["an e-mail in any case", { add: ["BEA@acme.test"] }, { ada: "owner", cem: "member", bea: "member" }],
  ["add by id, remove by e-mail", { add: ["cem"], remove: ["cem@other.test"] }, { ada: "owner" }],
  ["a role by e-mail", { memberships: { "cem@other.test": { role: "owner" } } }, { ada: "owner", cem: "owner" }],
  ["one user twice", { add: ["bea", "bea@acme.test", "bea"] }, { ada: "owner", cem: "member", bea: "member" }],
])("a bulk update: %s", async (_, body, expected) => {
  const emulator = await startEmulated({ seed });
  const answer = await emulator.call("PUT", writers, body);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(await teamOf(emulator, "writers")).toEqual(expected);
  // Twice is the same as once.
  expect((await emulator.call("PUT", writers, body)).status).toBe(204);
  expect(await teamOf(emulator, "writers")).toEqual(expected);
});

test("a person joins over HTTP, once", async () => {
  const { call, join } = await startEmulated({ seed });
  const zoe = { email: "zoe@acme.test", role: "edit" };
  expect(await call("POST", "/_emulator/members", zoe)).toMatchObject({ status: 201, body: zoe });
  expect((await call("POST", "/_emulator/members", { email: "ADA@acme.test" })).status).toBe(409);
  expect(() => join({ email: "ADA@acme.test" })).toThrow('"ada" is a member');
});
