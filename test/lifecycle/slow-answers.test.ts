import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { startLyingBench } from "./contract";

/** A service that is slow, or that limits requests in the middle of a series of writes: everything ends, in the right order. */

/** Milliseconds: a fifth of what a run has by default. The answers are as much faster. */
const patience = 600;
let bench: Awaited<ReturnType<typeof startLyingBench>>;
afterEach(() => bench.stop());

const organizationId = "acme";
const rolesOf = async (userIds: readonly string[]) =>
  Promise.all(
    userIds.map(async (userId): Promise<[string, string | null]> => {
      return [userId, (await bench.client.getMember({ organizationId, userId })).role];
    }),
  );
const administrators = () =>
  [...bench.organization.members.values()].filter(({ role }) => role === "admin").map(({ id }) => id);
/** Ada alone administers. A run declares that she hands over to ines, and roles of 20 other people in between. */
async function handOver() {
  await bench.client.updateMember({ organizationId, userId: "user_bea", body: { role: "read" } });
  const others = Array.from({ length: 20 }, (_, index) => bench.emulator.join({ userId: `user_${index}` }).id);
  const declared = [
    { user: "user_ada", role: "edit" },
    ...others.map((user) => ({ user, role: "comment" })),
    { user: "user_ines", role: "admin" },
  ];
  for (const one of declared) await bench.check(one);
  return declared;
}
const rolesIn = (declared: readonly { user: string; role: string }[]) => declared.map(({ user, role }) => [user, role]);

describe("the last administrator", () => {
  it("waits for another person to become administrator if that answer is slow", async () => {
    bench = await startLyingBench("MemberRole", { patience });
    const declared = await handOver();
    // Longer than `patience`, for which a refusal waits.
    bench.lying.on("getMember", ({ request }) => (request.path.endsWith("user_ines") ? sleep(900) : undefined));
    const [ada, ines] = [declared[0] ?? {}, declared.at(-1) ?? {}];
    const lowered = bench.provider.create(ada);
    await sleep(20);
    await Promise.all([lowered, bench.provider.create(ines)]);
    expect(administrators()).toEqual(["user_ines"]);
  });

  it("can be handed over among many calls at once, even if every answer is slow", async () => {
    bench = await startLyingBench("MemberRole", { patience });
    const declared = await handOver();
    // 60 to 150 ms, so answers overtake each other.
    for (const row of ["getMember", "listMembers", "updateMember"] as const)
      bench.lying.on(row, ({ nth }) => sleep(60 + ((nth * 7) % 10) * 10));
    await Promise.all(declared.map((one) => bench.provider.create(one)));
    expect(await rolesOf(declared.map(({ user }) => user))).toEqual(rolesIn(declared));
    expect(administrators()).toEqual(["user_ines"]);
  });
});

describe("a service that answers 429 with Retry-After in a series of writes", () => {
  /** Some requests of the row are refused, and not carried out. */
  const limited = (row: "updateMember" | "updateTeamMembers" | "putTeamMember" | "removeTeamMember") =>
    bench.lying.on(row, async ({ nth, forward }) => {
      if ([1, 4, 9].includes(nth)) return { status: 429, headers: { "retry-after": "1" }, body: {} };
      if (row === "updateMember") expect(administrators()).not.toEqual([]);
      return forward();
    });
  const forwarded = () => bench.lying.writes().filter((one) => one.forwarded);

  it("gets every role once, and nobody is lowered before the other person is raised", async () => {
    bench = await startLyingBench("MemberRole", { patience });
    const declared = await handOver();
    bench.lying.forget();
    limited("updateMember");
    await Promise.all(declared.map((one) => bench.provider.create(one)));
    expect(await rolesOf(declared.map(({ user }) => user))).toEqual(rolesIn(declared));
    const written = forwarded().map(({ path }) => path.split("/").at(-1));
    expect(written.toSorted()).toEqual(declared.map(({ user }) => user).sort());
    expect(written.indexOf("user_ines")).toBeLessThan(written.indexOf("user_ada"));
    expect(bench.lying.writes().length).toBeGreaterThan(declared.length);
  });

  it("gets the owner of a team replaced, and nobody is removed before", async () => {
    bench = await startLyingBench("TeamMembership", { patience });
    const teamId = "team_writers";
    const made = await bench.created({ teamId, user: "user_cem", role: "owner" });
    for (const row of ["putTeamMember", "updateTeamMembers", "removeTeamMember"] as const) limited(row);
    const news = { teamId, user: "user_ines", role: "owner" };
    bench.lying.forget();
    const after = await bench.update(made.id, made.properties, news);
    expect(after).toMatchObject({ user: "user_ines", role: "owner", userId: "user_ines" });
    expect(forwarded().map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual([
      "PUT user_ines",
      "DELETE user_cem",
    ]);
  });
});
