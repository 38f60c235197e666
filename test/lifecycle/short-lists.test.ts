import { afterEach, describe, expect, it } from "vitest";
import type { Properties } from "../support/protocol-provider";
import { startLyingBench } from "./contract";

/** Paging by offset omits somebody if another one leaves between two pages: a list alone proves nobody gone. */

let bench: Awaited<ReturnType<typeof startLyingBench>>;
afterEach(() => bench.stop());

const organizationId = "acme";
const omitMember = (userIds: readonly string[], times?: number) =>
  bench.lying.on(
    "listMembers",
    async ({ forward }) => {
      const answer = await forward();
      const items = answer.body.items.filter(({ id }) => !userIds.includes(id));
      return { ...answer, body: { ...answer.body, items } };
    },
    times,
  );
const omitTeammate = (...userIds: readonly string[]) =>
  bench.lying.on("listTeamMembers", async ({ forward }) => {
    const answer = await forward();
    const items = answer.body.items.filter(({ organization }) => !userIds.includes(organization.user.id));
    return { ...answer, body: { ...answer.body, items } };
  });
const asked = (row: Parameters<typeof bench.lying.requests>[0]) => bench.lying.requests(row).length;

describe("an incomplete list of members", () => {
  const roles = { user_ada: "admin", user_cem: "create", user_dana: "create", user_femi: "review", user_ines: "edit" };

  it("drops nobody from MemberRoles, and costs one read for each missing person", async () => {
    bench = await startLyingBench("MemberRoles");
    const { id, properties } = await bench.created({ roles });
    bench.lying.forget();
    omitMember(["user_femi"]);
    const read = await bench.provider.read(id, properties);
    expect(read?.properties).toEqual(properties);
    expect(asked("getMember")).toBe(1);
    // A destroy after it restores the role, which an empty state would not know.
    await bench.provider.delete(id, read?.properties ?? {});
    expect(bench.takeWrites()).toContainEqual(["PATCH", "/v1/orgs/acme/members/user_femi", { role: "edit" }]);
  });

  it("drops none of many MemberRole", async () => {
    bench = await startLyingBench("MemberRole");
    const made: { id: string; properties: Properties }[] = [];
    for (const [user, role] of Object.entries(roles)) made.push(await bench.create({ user, role }));
    await bench.anotherRun();
    omitMember(["user_femi", "user_ines"]);
    const read = await Promise.all(made.map(({ id, properties }) => bench.provider.read(id, properties)));
    expect(read.map((one) => one?.properties)).toEqual(made.map(({ properties }) => properties));
  });

  it("is read a second time if it omits many, and a person that both omit is gone", async () => {
    bench = await startLyingBench("MemberRoles", { organizationId, size: { members: 1500 } });
    const some = [...bench.organization.members.values()].filter(({ role }) => role === "read").slice(0, 300);
    const declared = { roles: Object.fromEntries(some.map(({ id }) => [id, "read"])) };
    const { id, properties } = await bench.created(declared);
    bench.lying.forget();
    // Both pages of the first list; the second list has everybody.
    omitMember(
      some.slice(0, 150).map((one) => one.id),
      2,
    );
    expect((await bench.provider.read(id, properties))?.properties).toEqual(properties);
    expect([asked("listMembers"), asked("getMember")]).toEqual([4, 0]);
  });
});

describe("an incomplete list of a team", () => {
  const teamId = "team_writers";
  const members = { user_cem: "owner", user_dana: "member", user_femi: "member" };

  it("drops nobody from TeamMembers, and the people's own teams have the role", async () => {
    bench = await startLyingBench("TeamMembers");
    const { id, properties } = await bench.created({ teamId, members });
    bench.lying.forget();
    omitTeammate("user_cem");
    expect((await bench.provider.read(id, properties))?.properties).toEqual(properties);
    expect(asked("listMemberTeams")).toBe(1);
    await bench.provider.delete(id, properties);
    expect(bench.organization.teams.get(teamId)?.members.size).toBe(0);
  });

  it("drops no TeamMembership, and a destroy still removes the person", async () => {
    bench = await startLyingBench("TeamMembership");
    const { id, properties } = await bench.created({ teamId, user: "user_dana", role: "member" });
    omitTeammate("user_dana");
    expect((await bench.provider.read(id, properties))?.properties).toEqual(properties);
    await bench.anotherRun();
    bench.takeWrites();
    await bench.provider.delete(id, properties);
    expect(bench.takeWrites()).toEqual([["DELETE", `/v1/orgs/acme/teams/${teamId}/members/user_dana`]]);
  });

  it("removes nobody whose membership is declared by e-mail instead of by id", async () => {
    bench = await startLyingBench("TeamMembership");
    const names = ["cem", "dana", "femi", "gita", "hugo", "ines", "jun"];
    const made = [];
    for (const name of names) made.push(await bench.create({ teamId, user: `user_${name}` }));
    await bench.anotherRun();
    bench.takeWrites();
    omitMember(["user_dana"]);
    const news = names.map((name) => ({ teamId, user: `${name}@acme.test` }));
    for (const one of news) await bench.check(one);
    await Promise.all(
      made.map(({ id, properties }, index) => bench.provider.update(id, properties, news[index] ?? {})),
    );
    expect(bench.takeWrites()).toEqual([]);
  });

  it("keeps a declared person whose e-mail another person in the team has now", async () => {
    bench = await startLyingBench("TeamMembers");
    const declared = { teamId, members: { "cem@acme.test": "owner", "dana@acme.test": "member", user_femi: "member" } };
    const { id, properties } = await bench.created(declared);
    await bench.client.putTeamMember({ organizationId, teamId, userId: "user_jun", body: { role: "member" } });
    bench.changePerson("user_dana", { email: "dana.new@acme.test" });
    bench.changePerson("user_jun", { email: "dana@acme.test" });
    const read = await bench.provider.read(id, properties);
    expect(read?.properties).toMatchObject({
      members: { ...declared.members, user_jun: "member" },
      userIds: { "dana@acme.test": "user_dana" },
      found: ["user_jun"],
    });
    bench.takeWrites();
    const news = { teamId, members: { ...declared.members, "dana@acme.test": "owner" } };
    await bench.update(id, properties, news);
    expect(bench.takeWrites()).toEqual([["PUT", `/v1/orgs/acme/teams/${teamId}/members/user_dana`, { role: "owner" }]]);
  });

  it("still shows people who have left", async () => {
    bench = await startLyingBench("TeamMembership");
    const { id, properties } = await bench.created({ teamId, user: "user_dana", role: "member" });
    await bench.client.removeTeamMember({ organizationId, teamId, userId: "user_dana" });
    expect(await bench.provider.read(id, properties)).toBeUndefined();
  });
});

describe("one e-mail of two members", () => {
  /** A search that finds everybody, user_hugo with another e-mail. */
  const giveHugo = (email: string) =>
    bench.lying.on("listMembers", async ({ request, forward }) => {
      request.query.delete("search");
      const answer = await forward();
      for (const { user } of answer.body.items) if (user.id === "user_hugo") user.email = email;
      return answer;
    });

  it.each([
    ["MemberRole", { user: "ines@acme.test", role: "admin" }],
    ["MemberRoles", { roles: { "ines@acme.test": "admin" } }],
    ["TeamMembership", { teamId: "team_writers", user: "ines@acme.test" }],
  ])("is an error that names both: %s", async (resource, inputs) => {
    bench = await startLyingBench(resource);
    giveHugo("INES@acme.test");
    await expect(bench.create(inputs)).rejects.toThrow(
      /2 members of .* have the e-mail .*: user_(ines|hugo) and user_/,
    );
    expect(bench.lying.writes()).toEqual([]);
  });

  it("does not include an e-mail that only looks the same", async () => {
    bench = await startLyingBench("MemberRole");
    // The Kelvin sign, which `toLowerCase` makes a k.
    giveHugo("\u212Aofi@acme.test");
    const { properties } = await bench.create({ user: "KOFI@acme.test", role: "edit" });
    expect(properties.userId).toBe("user_kofi");
  });
});
