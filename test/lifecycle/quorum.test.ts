import { afterEach, describe, expect, it } from "vitest";
import { failureOf } from "../support/failure";
import type { Properties } from "../support/protocol-provider";
import { startLyingBench } from "./contract";

/** Somebody must remain who can manage an organization or a team, also if the service lies or others act meanwhile. */

let bench: Awaited<ReturnType<typeof startLyingBench>>;
afterEach(() => bench.stop());

const organizationId = "acme";
const administratorsLive = async () => {
  const { items } = await bench.client.listMembers({ organizationId, query: { role: "admin" } });
  return items.map(({ user }) => user.id).sort();
};
const ownersOf = async (teamId: string) => {
  const { items } = await bench.client.listTeamMembers({ organizationId, teamId });
  return items.flatMap(({ organization, team }) => (team.role === "owner" ? [organization.user.id] : [])).sort();
};
const demote = (userId: string, role: "read" | null = "read") =>
  bench.client.updateMember({ organizationId, userId, body: { role } });

describe("the last administrator", () => {
  it.each([
    ["MemberRole", { user: "user_ada", role: "edit" }],
    ["MemberRoles", { roles: { user_ada: "edit" } }],
  ])("of a service that ignores the filter keeps the role: %s", async (resource, inputs) => {
    bench = await startLyingBench(resource);
    await demote("user_bea");
    bench.takeWrites();
    bench.lying.on("listMembers", ({ request }) => {
      request.query.delete("role");
    });
    expect((await failureOf(bench.create(inputs))).message).toMatch(/user_ada\) is the last administrator/);
    expect(bench.takeWrites()).toEqual([]);
  });

  it.each([
    ["MemberRole", { user: "user_ada", role: "edit" }],
    ["MemberRole", { user: "user_ada", role: "guest" }],
    ["MemberRoles", { roles: { user_ada: "edit" } }],
  ])("gets the role back if the other one loses it at the same time: %s %j", async (resource, inputs) => {
    bench = await startLyingBench(resource);
    bench.lying.on(
      "updateMember",
      async ({ forward }) => {
        await demote("user_bea");
        return forward();
      },
      1,
    );
    const { message } = await failureOf(bench.create(inputs));
    expect(message).toHaveWording("the last administrator, restored");
    expect(await administratorsLive()).toEqual(["user_ada"]);
  });

  it.each([
    ["MemberRole", { user: "user_ada", role: "edit" }],
    ["MemberRoles", { roles: { user_ada: "edit" } }],
  ])("keeps the role if the other one cannot sign in: %s", async (resource, inputs) => {
    bench = await startLyingBench(resource);
    bench.changePerson("user_bea", { disabled: true });
    expect((await failureOf(bench.create(inputs))).message).toMatch(/user_ada\) is the last administrator/);
    expect(bench.takeWrites()).toEqual([]);
  });

  it("keeps a role that was given after the run has read the person", async () => {
    bench = await startLyingBench("MemberRole");
    const { id, properties } = await bench.created({ user: "user_ines", role: "read" });
    await bench.provider.read(id, properties);
    await bench.client.updateMember({ organizationId, userId: "user_ines", body: { role: "admin" } });
    for (const userId of ["user_ada", "user_bea"]) await demote(userId);
    bench.takeWrites();
    const update = bench.update(id, properties, { user: "user_ines", role: "comment" });
    expect((await failureOf(update)).message).toMatch(/user_ines\) is the last administrator/);
    expect(bench.takeWrites()).toEqual([]);
  });

  it("gets the role back if it is unknown whether another one remains", async () => {
    bench = await startLyingBench("MemberRole");
    let isWritten = false;
    bench.lying.on("updateMember", async ({ forward }) => {
      const answer = await forward();
      isWritten = true;
      return answer;
    });
    bench.lying.on("getMember", ({ forward }) =>
      isWritten ? { status: 400, body: { error: { code: 400, message: "Not now" } } } : forward(),
    );
    const { message } = await failureOf(bench.create({ user: "user_ada", role: "edit" }));
    expect(message).toHaveWording("the last administrator, perhaps, restored");
    expect(await administratorsLive()).toEqual(["user_ada", "user_bea"]);
  });

  it("is named if the role cannot be restored", async () => {
    bench = await startLyingBench("MemberRole");
    let nth = 0;
    bench.lying.on("updateMember", async ({ forward }) => {
      nth++;
      if (nth > 1) return { status: 403, body: { error: { code: 403, message: "No" } } };
      await demote("user_bea");
      return forward();
    });
    const { message } = await failureOf(bench.create({ user: "user_ada", role: "edit" }));
    expect(message).toHaveWording("the last administrator, not restored");
  });

  it("becomes a guest before a removal, because a removed member cannot be restored", async () => {
    bench = await startLyingBench("MemberRole");
    const { id, properties } = await bench.created({ user: "user_ada", role: "admin", onRelease: "remove" });
    bench.lying.on("updateMember", ({ forward }) => demote("user_bea").then(forward), 1);
    await expect(bench.provider.delete(id, properties)).rejects.toThrow(/last administrator/);
    expect(await administratorsLive()).toEqual(["user_ada"]);
    await bench.client.updateMember({ organizationId, userId: "user_bea", body: { role: "admin" } });
    bench.takeWrites();
    await bench.provider.delete(id, properties);
    expect(bench.takeWrites().map(([method]) => method)).toEqual(["PATCH", "DELETE"]);
  });
});

describe("an outdated list", () => {
  /** Answers with what the list was at first. Of members, only filtered lists. */
  const freeze = (row: "listMembers" | "listTeamMembers") => {
    let first: { status: number; body: unknown } | undefined;
    bench.lying.on(row, async ({ request, forward }) => {
      if (row === "listMembers" && !request.query.has("role")) return forward();
      const { status, body } = await forward();
      first ??= { status, body };
      return first;
    });
  };

  it("does not make an administrator of a person that the same process has lowered", async () => {
    bench = await startLyingBench("MemberRole");
    freeze("listMembers");
    const [ada, bea] = ["user_ada", "user_bea"].map((user) => ({ user, role: "edit" }));
    for (const inputs of [ada, bea]) await bench.check(inputs ?? {});
    const ended = await Promise.allSettled([ada, bea].map((inputs) => bench.provider.create(inputs ?? {})));
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await administratorsLive()).toHaveLength(1);
  });

  it("does not make an owner of a person that the same process has lowered", async () => {
    bench = await startLyingBench("TeamMembership");
    const teamId = "team_writers";
    await bench.client.putTeamMember({ organizationId, teamId, userId: "user_dana", body: { role: "owner" } });
    const users = ["user_cem", "user_dana"];
    const owners = [];
    for (const user of users) owners.push(await bench.create({ teamId, user, role: "owner" }));
    await bench.anotherRun();
    freeze("listTeamMembers");
    for (const user of users) await bench.check({ teamId, user, role: "member" });
    const lowered = owners.map(({ id, properties }, index) =>
      failureOf(bench.provider.update(id, properties, { teamId, user: users[index], role: "member" })),
    );
    // The list never shows the change that was made, so it could not be checked.
    const messages = (await Promise.all(lowered)).map(({ message }) => message).sort();
    expect(messages).toEqual([
      expect.stringMatching(/is the last owner/),
      expect.stringMatching(/still show the role/),
    ]);
    expect(await ownersOf(teamId)).toHaveLength(1);
  });
});

describe("a person who is counted on and loses the role outside Pulumi, after the run has read everything", () => {
  const teamId = "team_writers";
  const setOwner = (userId: string, role: "owner" | "member") =>
    bench.client.putTeamMember({ organizationId, teamId, userId, body: { role } });
  const membership = { teamId, user: "user_cem", role: "owner" };
  /** The team apart from user_dana, who is an owner as well. */
  const people = (more: object) => ({ teamId, members: { user_femi: "member", ...more }, ignore: ["user_dana"] });
  const ines = { MemberRole: { user: "user_ines" }, MemberRoles: { roles: { user_ines: "read" } } };
  const elsewhere = { teamId: "team_engineers", user: "user_ines", members: { user_bea: "owner" } };

  it.each([
    ["MemberRole", { user: "user_ada", role: "admin" }, { user: "user_ada", role: "edit" }],
    ["MemberRole", { user: "user_ada", role: "admin", onRelease: "guest" }],
    ["MemberRole", { user: "user_ada", role: "admin", onRelease: "remove" }],
    ["MemberRoles", { roles: { user_ada: "admin", user_cem: "edit" } }, { roles: { user_ada: "edit" } }],
    ["TeamMembership", membership, { ...membership, role: "member" }],
    ["TeamMembership", membership],
    ["TeamMembers", people({ user_cem: "owner" }), people({ user_cem: "member" })],
    ["TeamMembers", people({ user_cem: "owner" }), people({})],
    ["TeamMembers", people({ user_cem: "owner" })],
  ] as const)("does not count: %s %j, then %j", async (resource, inputs, news?: Properties) => {
    bench = await startLyingBench(resource);
    await setOwner("user_dana", "owner");
    const { id, properties } = await bench.created(inputs);
    expect(await bench.provider.read(id, properties)).toBeDefined();
    // The run declares something, so it is not a destroy, and it has lowered another administrator already.
    if (resource === "MemberRole" || resource === "MemberRoles") {
      await bench.client.updateMember({ organizationId, userId: "user_ines", body: { role: "admin" } });
      await bench.create({ role: "read", ...ines[resource] });
    } else await bench.check(elsewhere);
    await demote("user_bea");
    await setOwner("user_dana", "member");
    bench.takeWrites();
    const work = news ? bench.update(id, properties, news) : bench.provider.delete(id, properties);
    expect((await failureOf(work)).message).toMatch(/last administrator|last owner/);
    // TeamMembers compares a list that may be some seconds old; the check after the write restores the role.
    expect(bench.takeWrites().length > 0).toBe(resource === "TeamMembers");
    expect(await administratorsLive()).toEqual(["user_ada"]);
    expect(await ownersOf(teamId)).toEqual(["user_cem"]);
  });
});

describe("the last owner of a team", () => {
  const teamId = "team_writers";
  const setOwner = (userId: string, role: "owner" | "member") =>
    bench.client.putTeamMember({ organizationId, teamId, userId, body: { role } });
  /** user_cem and user_dana own the team, and the resource manages user_cem at least. */
  const owned = async (resource: string, inputs: Properties) => {
    bench = await startLyingBench(resource);
    await setOwner("user_dana", "owner");
    return bench.created(inputs);
  };
  const membership = { teamId, user: "user_cem", role: "owner" };
  const members = { user_cem: "owner", user_dana: "owner", user_femi: "member" };

  it("of a TeamMembership is restored if the other one is lowered at the same time", async () => {
    const { id, properties } = await owned("TeamMembership", membership);
    bench.lying.on("putTeamMember", ({ forward }) => setOwner("user_dana", "member").then(forward), 1);
    const { message } = await failureOf(bench.update(id, properties, { ...membership, role: "member" }));
    expect(message).toHaveWording("the last owner, restored");
    expect(await ownersOf(teamId)).toEqual(["user_cem"]);
  });

  it("of a TeamMembership is added again if the other one is lowered during the removal", async () => {
    const { id, properties } = await owned("TeamMembership", membership);
    await bench.check({ teamId: "team_engineers", user: "user_eli" });
    bench.lying.on("removeTeamMember", ({ forward }) => setOwner("user_dana", "member").then(forward), 1);
    expect((await failureOf(bench.provider.delete(id, properties))).message).toMatch(/last owner .* restored/);
    expect(await ownersOf(teamId)).toEqual(["user_cem"]);
  });

  it.each([
    ["lowered", { user_cem: "member", user_dana: "owner", user_femi: "member" }],
    ["removed", { user_dana: "owner", user_femi: "member" }],
  ])("of TeamMembers is restored if the other one loses the role while this one is %s", async (_, left) => {
    const { id, properties } = await owned("TeamMembers", { teamId, members });
    const race = () => setOwner("user_dana", "member");
    for (const row of ["putTeamMember", "removeTeamMember", "updateTeamMembers"] as const)
      bench.lying.on(row, ({ forward }) => race().then(forward), 1);
    const { message } = await failureOf(bench.update(id, properties, { teamId, members: left }));
    expect(message).toMatch(/^Cem .* last owner .* restored/);
    expect(await ownersOf(teamId)).toEqual(["user_cem"]);
  });

  it.each([
    ["TeamMembership", membership, { ...membership, role: "member" }],
    ["TeamMembers", { teamId, members }, { teamId, members: { ...members, user_cem: "member" } }],
  ])("is not a person who cannot sign in: %s", async (resource, inputs, news) => {
    const { id, properties } = await owned(resource, inputs);
    bench.changePerson("user_dana", { disabled: true });
    await expect(bench.update(id, properties, news)).rejects.toThrow(
      /Cem Costa, .* is the last owner|removes or lowers Cem Costa, /,
    );
    expect(bench.takeWrites()).toEqual([]);
  });

  it("stays if TeamMembers leave the program, and the error says what to do", async () => {
    bench = await startLyingBench("TeamMembers");
    const declared = { teamId, members: { user_cem: "owner", user_dana: "member", user_femi: "member" } };
    const { id, properties } = await bench.created(declared);
    await bench.check({ teamId: "team_engineers", members: { user_bea: "owner" } });
    await expect(bench.provider.delete(id, properties)).rejects.toHaveWording("the last owner, undeclared");
    expect(bench.takeWrites()).toEqual([]);
  });
});

describe("a token that takes the rights of its own user", () => {
  const inTeam = { teamId: "team_writers" };
  const refusal = (code: 401 | 403) => ({ status: code, body: { error: { code, message: "forbidden" } } });

  it.each([
    ["MemberRole", { user: "user_ada", role: "edit" }, "updateMember", "getMember", { role: "edit" }],
    ["MemberRoles", { roles: { user_ada: "edit" } }, "updateMember", "getMember", { roles: { user_ada: "edit" } }],
    [
      "TeamMembership",
      { ...inTeam, user: "user_cem", role: "member" },
      "putTeamMember",
      "listTeamMembers",
      { role: "member" },
    ],
    [
      "TeamMembers",
      { ...inTeam, members: { user_cem: "member", user_dana: "owner" }, exclusive: true },
      "updateTeamMembers",
      "listTeamMembers",
      { members: { user_cem: "member", user_dana: "owner" } },
    ],
  ] as const)("does what is declared, says so, and leaves nothing to the next token: %s", async (...args) => {
    const [resource, inputs, write, list, state] = args;
    bench = await startLyingBench(resource);
    await bench.client.putTeamMember({ organizationId, ...inTeam, userId: "user_dana", body: { role: "owner" } });
    let lost = false;
    bench.lying.on(write, async ({ forward }) => {
      const answer = await forward();
      lost = true;
      return answer;
    });
    bench.lying.on(list, ({ forward }) => (lost ? refusal(list === "getMember" ? 401 : 403) : forward()));
    const failure = await failureOf(bench.create(inputs));
    const [who, what = ""] = failure.message.split(": the change was carried out, ");
    expect(who).toMatch(/user_(ada|cem)/);
    expect(what.replace(/an (administrator|owner)/, "a ROLE")).toHaveWording("a change that the token cannot check");
    expect(failure.message).not.toMatch(/stays|still has/);
    expect(failure.partial?.properties).toMatchObject(state);

    // Another token.
    lost = false;
    bench.lying.on(write, ({ forward }) => forward());
    await bench.anotherRun();
    bench.takeWrites();
    const { id = "", properties = {} } = failure.partial ?? {};
    expect(await bench.provider.read(id, properties)).toMatchObject({ inputs: state });
    await bench.update(id, properties, inputs);
    expect(bench.takeWrites()).toEqual([]);
  });
});
