import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../provider/api/client";
import { settled } from "../support/clock";
import { failureOf } from "../support/failure";
import { shortenPauses } from "../support/fast-timers";
import type { Properties } from "../support/protocol-provider";
import { lifecycleContract, startBench } from "./contract";

const team = { organizationId: "acme", teamId: "team_writers" };
const path = "/v1/orgs/acme/teams/team_writers/members";
type Role = "owner" | "member";

shortenPauses(20);

const set = (userId: string, role: Role) => (client: Client) =>
  client.putTeamMember({ ...team, userId, body: { role } });
const writers = { user_cem: "owner", user_dana: "member", "Femi@acme.test": "member" };

lifecycleContract({
  resource: "TeamMembers",
  // Everybody who is in the team of the emulator's own organization, so that creating it changes nothing.
  inputs: { teamId: "team_writers", members: writers, exclusive: true, ignore: ["*@bot.test"] },
  properties: [],
});

describe("TeamMembers", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  const start = async (options: Parameters<typeof startBench>[1] = {}) => {
    bench = await startBench("TeamMembers", options);
  };
  beforeEach(() => start());
  afterEach(() => bench.stop());

  const people = async () => {
    const all = await bench.client.listTeamMembers(team).all();
    return Object.fromEntries(all.map(({ organization, team }) => [organization.user.id, team.role]));
  };
  const declare = (members: Properties, options: Properties = {}) => ({ teamId: "team_writers", members, ...options });
  /** The team as it is, managed by an earlier run. */
  const managed = async (options: Properties = {}) => {
    const { properties } = await bench.create(declare(writers, options));
    await bench.anotherRun();
    bench.takeWrites();
    return properties;
  };

  it("takes over a team without a write if nothing differs, with people by id or by e-mail in any case", async () => {
    const { id, properties } = await bench.create(declare(writers));
    expect(id).toBe("team_writers");
    expect(properties).toMatchObject({
      members: writers,
      userIds: { "femi@acme.test": "user_femi" },
      pending: [],
      found: [],
    });
    expect(bench.takeWrites()).toEqual([]);
  });

  it("makes a change with one write, and reads the list once before and once after it", async () => {
    const state = await managed();
    bench.emulator.resetRequests();
    const members = { user_cem: "member", user_ines: "owner", "hugo@acme.test": "member", user_dana: "member" };
    await bench.update("team_writers", state, declare(members));
    // A bulk answer proves neither a removal nor that an owner remains.
    expect(bench.emulator.requests()).toMatchObject({ listTeamMembers: 2, updateTeamMembers: 1 });
    expect(bench.takeWrites()).toEqual([
      [
        "PUT",
        path,
        {
          add: ["user_hugo", "user_ines", "user_cem"],
          memberships: { user_ines: { role: "owner" }, user_hugo: { role: "member" }, user_cem: { role: "member" } },
          remove: ["user_femi"],
        },
      ],
    ]);
    expect(await people()).toEqual({
      user_cem: "member",
      user_dana: "member",
      user_hugo: "member",
      user_ines: "owner",
    });
  });

  it.each([
    [
      "a changed role",
      set("user_dana", "owner"),
      { user_dana: "owner" },
      ["PUT", `${path}/user_dana`, { role: "member" }],
    ],
    ["somebody new", set("user_ines", "member"), { "ines@acme.test": "member" }, ["DELETE", `${path}/user_ines`]],
  ] as const)("shows %s as drift of members, and corrects it with one write", async (_, drift, shown, write) => {
    const state = await managed();
    await drift(bench.client);
    bench.takeWrites();
    const read = await bench.provider.read("team_writers", state);
    expect(read?.inputs).toEqual(declare({ ...writers, ...shown }));
    expect((await bench.provider.diff("team_writers", read?.properties ?? {}, declare(writers))).changes).toBe(true);
    await bench.anotherRun();
    const after = await bench.update("team_writers", read?.properties ?? {}, declare(writers));
    expect(bench.takeWrites()).toEqual([write]);
    expect(await people()).toEqual({ user_cem: "owner", user_dana: "member", user_femi: "member" });
    expect(settled(after)).toEqual(settled(state));
  });

  it("adds a person who was removed outside Pulumi", async () => {
    const state = await managed();
    await bench.client.removeTeamMember({ ...team, userId: "user_femi" });
    bench.takeWrites();
    const read = await bench.provider.read("team_writers", state);
    expect(read?.inputs).toEqual(declare({ user_cem: "owner", user_dana: "member" }));
    await bench.anotherRun();
    await bench.update("team_writers", read?.properties ?? {}, declare(writers));
    expect(bench.takeWrites()).toEqual([["PUT", `${path}/user_femi`, { role: "member" }]]);
  });

  describe("unmanaged members", () => {
    it("stop a creation that would remove them, and are named", async () => {
      const found = bench.create(declare({ user_cem: "owner" }));
      await expect(found).rejects.toHaveWording("TeamMembers that would remove unmanaged members");
      expect(bench.takeWrites()).toEqual([]);
      await bench.create(declare({ user_cem: "owner" }, { exclusive: true }));
      expect(await people()).toEqual({ user_cem: "owner" });
    });

    it("stay if no preview has shown them, are named, and are drift at the next refresh", async () => {
      const state = await managed();
      await set("user_ines", "member")(bench.client);
      const members = { ...writers, user_hugo: "member" };
      const after = await bench.update("team_writers", state, declare(members));
      expect(after.members).toEqual(members);
      expect(await people()).toHaveProperty("user_ines");
      await bench.told(/no preview has shown/, "a member that no preview has shown");
      await bench.anotherRun();
      expect((await bench.provider.read("team_writers", after))?.inputs).toEqual(
        declare({ ...members, "ines@acme.test": "member" }),
      );
    });

    it("stay if a pattern ignores them, in any case, by e-mail or id", async () => {
      const ignore = ["DANA@*", "user_femi"];
      const { properties } = await bench.create(declare({ user_cem: "owner" }, { ignore }));
      expect(bench.takeWrites()).toEqual([]);
      expect((await bench.provider.read("team_writers", properties))?.inputs).toEqual(
        declare({ user_cem: "owner" }, { ignore }),
      );
    });

    it("are not removed at the creation either if they hide an e-mail that is declared or ignored", async () => {
      bench.changePerson("user_dana", { email: undefined });
      const refuses = async (more: object, members: Record<string, string>) => {
        const created = bench.create(declare({ user_cem: "owner", ...members }, { exclusive: true, ...more }));
        await expect(created).rejects.toThrow(/user_dana.* hide .* id/);
        expect(bench.takeWrites()).toEqual([]);
      };
      await refuses({}, { "dana@acme.test": "member" });
      await refuses({ ignore: ["*@acme.test"] }, {});
    });

    it("are never removed because of a hidden e-mail", async () => {
      const state = await managed({ ignore: ["*@contractor.test"] });
      bench.changePerson("user_ines", { email: undefined });
      await set("user_ines", "member")(bench.client);
      const read = await bench.provider.read("team_writers", state);
      expect(read?.properties.members).toHaveProperty("user_ines", "member");
      const ignore = ["*@contractor.test"];
      bench.takeWrites();
      await expect(bench.update("team_writers", read?.properties ?? {}, declare(writers, { ignore }))).rejects.toThrow(
        /user_ines.* hide .* id/,
      );
      expect(bench.takeWrites()).toEqual([]);
      // Declared by id, the person is taken over.
      const kept = await bench.update(
        "team_writers",
        read?.properties ?? {},
        declare({ ...writers, user_ines: "member" }, { ignore }),
      );
      expect(kept.found).toEqual([]);
    });

    it("stay at destroy if only a refresh has found them, and are removed if they were declared since", async () => {
      const state = await managed();
      await set("user_ines", "member")(bench.client);
      const read = await bench.provider.read("team_writers", state);
      const refreshed = read?.properties ?? {};
      const declared = declare({ ...writers, "Ines@acme.test": "member" });
      expect((await bench.provider.diff("team_writers", refreshed, declared)).changes).toBe(true);
      const taken = await bench.update("team_writers", refreshed, declared);
      expect(taken.found).toEqual([]);
      await bench.anotherRun();
      await bench.provider.delete("team_writers", refreshed);
      expect(await people()).toEqual({ user_ines: "member" });
      await bench.anotherRun();
      await bench.provider.delete("team_writers", taken);
      expect(await people()).toEqual({});
    });
  });

  it.each(["invite", "ignore", "400"] as const)(
    "keeps the e-mail of a non-member pending, if the service does: %s",
    async (reading) => {
      await bench.stop();
      await start({ readings: { strangers: reading } });
      const members = { ...writers, "Zoe@acme.test": "member", user_hugo: "member" };
      const { properties } = await bench.create(declare(members));
      expect(properties).toMatchObject({ members, pending: ["zoe@acme.test"] });
      expect(await people()).toHaveProperty("user_hugo");
      await bench.told(/zoe@acme.test: no member of .* shows this e-mail.*; the membership in team .* is pending/);
      bench.takeWrites();
      await bench.anotherRun();
      const read = await bench.provider.read("team_writers", properties);
      expect(read?.properties).toEqual(properties);
      expect(await bench.update("team_writers", properties, declare(members))).toEqual(properties);
      expect(bench.takeWrites()).toEqual([]);

      const zoe = bench.emulator.join({ email: "zoe@acme.test" });
      await bench.anotherRun();
      const joined = await bench.provider.read("team_writers", properties);
      const differs = await bench.provider.diff("team_writers", joined?.properties ?? {}, declare(members));
      expect(differs.changes).toBe(reading !== "invite");
      const after = await bench.update("team_writers", joined?.properties ?? {}, declare(members));
      expect(bench.takeWrites()).toHaveLength(reading === "invite" ? 0 : 1);
      expect(after).toMatchObject({ members, pending: [] });
      expect(await people()).toHaveProperty(zoe.id, "member");
    },
  );

  it("does not withdraw an e-mail if a person with a hidden e-mail is now named by id", async () => {
    await bench.stop();
    await start({ readings: { strangers: "ignore" } });
    bench.changePerson("user_jun", { email: undefined });
    const { properties } = await bench.create(declare({ ...writers, "jun@acme.test": "member" }));
    expect(properties.pending).toEqual(["jun@acme.test"]);
    await bench.anotherRun();
    bench.takeWrites();
    const members = { ...writers, user_jun: "member" };
    expect(await bench.update("team_writers", properties, declare(members))).toMatchObject({ members, pending: [] });
    expect(bench.takeWrites()).toEqual([["PUT", `${path}/user_jun`, { role: "member" }]]);
    expect(await people()).toHaveProperty("user_jun", "member");
  });

  it("names the people that the service refuses, adds the others, and then removes nobody", async () => {
    const state = await managed();
    const members = { user_cem: "owner", user_dana: "member", user_ines: "member", user_nobody: "member" };
    const failure = await failureOf(bench.update("team_writers", state, declare(members)));
    expect(failure.message).toMatch(/user_nobody: no member/);
    expect(failure.message).not.toMatch(/user_ines:/);
    // Femi is still in the team, so the state still has her: the next update removes her.
    expect(failure.partial?.properties.members).toEqual({
      user_cem: "owner",
      user_dana: "member",
      user_ines: "member",
      "femi@acme.test": "member",
    });
    expect(await people()).toMatchObject({ user_femi: "member", user_ines: "member" });
  });

  it("adds no more than 1,000 people in one call", async () => {
    const state = await managed();
    const joined = Array.from({ length: 1001 }, (_, index) => bench.emulator.join({ userId: `user_new_${index}` }));
    const members = { ...writers, ...Object.fromEntries(joined.map(({ id }) => [id, "member"])) };
    await bench.update("team_writers", state, declare(members));
    expect(bench.takeWrites().map(([method]) => method)).toEqual(["PUT", "PUT"]);
    expect(Object.keys(await people())).toHaveLength(1004);
  });

  it("names all non-members after few requests", async () => {
    const state = await managed();
    const nobodies = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`user_no_${index}`, "member"]));
    const members = { ...writers, ...nobodies, user_ines: "member" };
    bench.emulator.resetRequests();
    await expect(bench.update("team_writers", state, declare(members))).rejects.toThrow(
      /user_no_0, .* and 10 more: no member/,
    );
    expect(bench.takeWrites()).toHaveLength(2);
    expect(await people()).toMatchObject({ user_femi: "member", user_ines: "member" });
  });

  it("reports one answer of the service for many people once", async () => {
    const state = await managed();
    const members = { user_cem: "owner", user_ines: "member", user_jun: "member", user_hugo: "member" };
    bench.emulator.fault({ row: "updateTeamMembers", status: 400, times: 1 });
    bench.emulator.fault({ row: "updateTeamMembers", status: 403, times: 1 });
    const failure = await failureOf(bench.update("team_writers", state, declare(members)));
    expect(failure.message.match(/answered 403/g)).toHaveLength(1);
    expect(failure.message.split("\n")[0]).toHaveWording("TeamMembers after a failed change");
    expect(failure.message).toMatch(/user_hugo, user_ines, user_jun|user_ines, user_jun, user_hugo/);
  });

  describe("the e-mail of a non-member in a failed change", () => {
    const failing = async (state: Properties, members: Properties) => {
      const failure = await failureOf(bench.update("team_writers", state, declare(members)));
      await bench.anotherRun();
      return failure.partial?.properties ?? {};
    };
    const invited = () => {
      return [...bench.organization.invitations].flatMap(([email, teams]) => (teams.size > 0 ? [email] : []));
    };
    const withZoe = { ...writers, "zoe@acme.test": "member" };

    it("is withdrawn by the next update, if it was refused or its answer lost", async () => {
      for (const fault of [{ status: 503 }, { status: 403 }, { reset: "after" as const }]) {
        const { properties } = await bench.created(declare(withZoe));
        bench.emulator.fault({ row: "updateTeamMembers", times: 10, ...fault });
        const kept = await failing(properties, writers);
        bench.emulator.clearFaults();
        expect(kept).toMatchObject({ pending: ["zoe@acme.test"], members: withZoe });
        expect((await bench.provider.diff("team_writers", kept, declare(writers))).changes).toBe(true);
        expect(await bench.update("team_writers", kept, declare(writers))).toMatchObject({ pending: [] });
        expect(invited()).toEqual([]);
        await bench.anotherRun();
      }
    });

    it("is sent again if it is unknown whether it was sent, or withdrawn", async () => {
      const state = await managed();
      bench.emulator.fault({ row: "updateTeamMembers", times: 10, reset: "after" });
      const kept = await failing(state, withZoe);
      bench.emulator.clearFaults();
      expect(kept).toMatchObject({ pending: ["zoe@acme.test"], members: writers });
      expect(invited()).toEqual(["zoe@acme.test"]);
      for (const members of [withZoe, writers])
        expect((await bench.provider.diff("team_writers", kept, declare(members))).changes).toBe(true);
      bench.takeWrites();
      const asked = await bench.update("team_writers", kept, declare(withZoe));
      expect(asked).toMatchObject({ pending: ["zoe@acme.test"], members: withZoe });
      expect(bench.takeWrites()).toHaveLength(1);
      await bench.anotherRun();
      expect(await bench.update("team_writers", kept, declare(writers))).toMatchObject({ pending: [] });
      expect(invited()).toEqual([]);
    });

    it("can have its role lowered before the person has joined", async () => {
      const { properties } = await bench.created(declare({ ...writers, "zoe@acme.test": "owner" }));
      const lowered = await bench.update("team_writers", properties, declare(withZoe));
      expect(lowered).toMatchObject({ members: withZoe, pending: ["zoe@acme.test"] });
      expect((await bench.provider.diff("team_writers", lowered, declare(withZoe))).changes).toBe(false);
    });

    it("is recorded if it was sent beside a refused person, and withdrawn at destroy", async () => {
      const kept = await failing(await managed(), { ...withZoe, user_nobody: "member" });
      expect(kept).toMatchObject({ pending: ["zoe@acme.test"], members: withZoe });
      expect(invited()).toEqual(["zoe@acme.test"]);
      const again = await bench.update("team_writers", kept, declare(withZoe));
      expect(again).toMatchObject({ pending: ["zoe@acme.test"] });
      await bench.anotherRun();
      await bench.provider.delete("team_writers", again);
      expect(invited()).toEqual([]);
    });
  });

  it("keeps a person in the state whose removal failed, and removes the person with the next update", async () => {
    const state = await managed();
    const fewer = { user_cem: "owner", user_dana: "member" };
    bench.emulator.fault({ row: "removeTeamMember", status: 403, times: 1 });
    const failure = await failureOf(bench.update("team_writers", state, declare(fewer)));
    const kept = failure.partial?.properties ?? {};
    expect((await bench.provider.diff("team_writers", kept, declare(fewer))).changes).toBe(true);
    bench.takeWrites();
    await bench.update("team_writers", kept, declare(fewer));
    expect(bench.takeWrites()).toEqual([["DELETE", `${path}/user_femi`]]);
  });

  it("is destroyed without people if the team is gone", async () => {
    const { id, properties } = await bench.create(declare({}, { exclusive: true, allowNoOwner: true }));
    bench.organization.teams.delete("team_writers");
    await bench.anotherRun();
    expect(await bench.provider.read(id, properties)).toBeUndefined();
    await bench.provider.delete(id, properties);
  });

  it("keeps a last owner in a run of a program, unless that is allowed, and not when the stack is destroyed", async () => {
    const state = await managed();
    const fewer = { user_dana: "member", "Femi@acme.test": "member" };
    await expect(bench.update("team_writers", state, declare(fewer))).rejects.toHaveWording("no owner left");
    await expect(bench.provider.delete("team_writers", state)).rejects.toThrow(/would have no owner/);
    expect(bench.takeWrites()).toEqual([]);
    await bench.update("team_writers", state, declare(fewer, { allowNoOwner: true }));
    expect(await people()).toEqual({ user_dana: "member", user_femi: "member" });
  });

  it("removes the declared people at destroy with one write, or leaves them", async () => {
    const left = await managed({ onRelease: "leave" });
    await bench.provider.delete("team_writers", left);
    expect(bench.takeWrites()).toEqual([]);
    const state = await managed();
    await bench.provider.delete("team_writers", state);
    expect(bench.takeWrites()).toEqual([["PUT", path, { remove: ["user_cem", "user_dana", "user_femi"] }]]);
    await bench.provider.delete("team_writers", state);
    expect(bench.takeWrites()).toEqual([]);
  });

  it("does nothing for people who have left the organization, and adds people who come back, under any id", async () => {
    const members = { user_cem: "owner", "Dana@acme.test": "member", user_femi: "member" };
    const state = await managed();
    const first = await bench.update("team_writers", state, declare(members));
    for (const userId of ["user_dana", "user_femi"])
      await bench.client.removeMember({ organizationId: "acme", userId });
    await bench.anotherRun();
    const left = (await bench.provider.read("team_writers", first))?.properties ?? {};
    const absent = ["dana@acme.test", "user_femi"];
    expect(left).toMatchObject({ members, absent, userIds: { "dana@acme.test": "user_dana" }, pending: [] });
    expect((await bench.provider.diff("team_writers", left, declare(members))).changes).toBe(false);
    bench.takeWrites();
    const raised = declare({ ...members, user_femi: "owner" });
    const after = await bench.update("team_writers", left, raised);
    expect(after).toMatchObject({ ...raised, absent });
    expect(bench.takeWrites()).toEqual([]);

    bench.emulator.join({ userId: "user_femi", role: null });
    bench.emulator.join({ userId: "user_dana_2", email: "dana@acme.test", role: null });
    await bench.anotherRun();
    const back = (await bench.provider.read("team_writers", after))?.properties ?? {};
    expect(back).toMatchObject({ members: { user_cem: "owner" }, userIds: { "dana@acme.test": "user_dana_2" } });
    await bench.update("team_writers", back, raised);
    expect(await people()).toEqual({ user_cem: "owner", user_dana_2: "member", user_femi: "owner" });
  });

  it("keeps an undeclared person who hides the e-mail while a line of somebody who has left may mean the person", async () => {
    const state = await managed();
    await bench.client.removeMember({ organizationId: "acme", userId: "user_femi" });
    bench.changePerson("user_jun", { email: undefined });
    await set("user_jun", "member")(bench.client);
    await bench.anotherRun();
    const left = (await bench.provider.read("team_writers", state))?.properties ?? {};
    expect(left).toMatchObject({ absent: ["femi@acme.test"], found: ["user_jun"] });
    await bench.update("team_writers", left, declare(writers));
    await bench.told(/may be declared people who left/, "a person in a team who may be back");
    expect(await people()).toHaveProperty("user_jun");
    await bench.update("team_writers", left, declare({ user_cem: "owner", user_dana: "member" }));
    expect(await people()).toEqual({ user_cem: "owner", user_dana: "member" });
  });

  it("leaves people in the team that other resources of the run manage", async () => {
    const state = await managed();
    await bench.check(declare({ "dana@acme.test": "member", user_femi: "member", user_cem: "owner" }));
    await bench.provider.delete("team_writers", state);
    expect(bench.takeWrites()).toEqual([]);
    await bench.told(/user_cem, user_dana, user_femi stay in team/);
  });

  it.each([
    [{ members: { "A@acme.test": "member", "a@acme.test": "owner" } }, "TeamMembers with two spellings of an e-mail"],
    [{ members: { user_cem: "admin" } }, "TeamMembers with a role of an organization"],
    [{ members: { "cem@x.test": "member" }, ignore: ["*@X.test"] }, "TeamMembers with a member who is ignored"],
    [{ members: {}, onRelease: "restore" }, "TeamMembers with a release of a role"],
  ])("refuses %j at preview", async (inputs, title) => {
    const { failures } = await bench.check({ teamId: "team_writers", ...inputs });
    expect(failures.map(({ reason }) => reason).join()).toHaveWording(title);
  });

  it("is gone if the team is, and not if only one answer of the service says so", async () => {
    const state = await managed();
    bench.emulator.fault({ row: "listTeamMembers", status: 404, times: 1 });
    await expect(bench.provider.read("team_writers", state)).rejects.toHaveWording("a team in no list");
    bench.organization.teams.delete("team_writers");
    await bench.anotherRun();
    expect(await bench.provider.read("team_writers", state)).toBeUndefined();
    await bench.provider.delete("team_writers", state);
  });
});
