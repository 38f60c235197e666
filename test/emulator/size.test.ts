import { expect, test } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { members, org, peopleSeed, teamOf } from "./people";
import { idOfItem, startEmulated } from "./support";

const seed = peopleSeed({ members: [{ userId: "ada", role: "admin" }] });

test("members, teams and sites are generated in addition to the seed, the same in each run", async () => {
  const size = { members: 100, teams: 10, sites: 5 };
  const now = () => new Date("2026-11-21T12:00:00Z");
  const [one, other] = [await startEmulated({ seed, size, now }), await startEmulated({ seed, size, now })];
  const list = async ({ call }: typeof one, path: string) => (await call("GET", `${path}?limit=1000`)).body.items;
  const people = await list(one, members);
  expect(people).toHaveLength(101);
  expect(people.map(idOfItem)).toEqual((await list(other, members)).map(idOfItem));
  const generated = people.filter(({ id }: { id: string }) => id !== "ada");
  for (const { id, user } of generated) {
    expect(id).toMatch(/^\w{20}$/);
    expect(user.email).toMatch(/^[a-z]+\.\d{4}@acme\.test$/);
  }
  const roles = new Set(generated.map(({ role }: { role: string | null }) => role));
  expect([...roles].sort()).toEqual(["admin", "comment", "create", "edit", "read", "review", null].sort());
  expect(generated.some(({ disabled }: { disabled: boolean }) => disabled)).toBe(true);
  expect(generated.filter(({ teams }: { teams: number }) => teams === 1)).toHaveLength(100);
  expect(Object.values(await teamOf(one, "team_0007")).sort()).toEqual([...Array(9).fill("member"), "owner"]);
  expect((await list(one, `${org}/sites`)).map(idOfItem)).toEqual([1, 2, 3, 4, 5].map((number) => `site_000${number}`));
});

test.each([
  [{ size: { members: -1 } }, "size.members: found -1; use 0 to 1000000"],
  [{ size: { teams: 1.5 } }, "size.teams: found 1.5"],
  [{ seed: peopleSeed({ teams: [{ id: "team_0001" }] }), size: { teams: 1 } }, 'the seed has team "team_0001"'],
])("%j is refused", async (options, message) => {
  await expect(startEmulator({ seed, ...options })).rejects.toThrow(message);
});
