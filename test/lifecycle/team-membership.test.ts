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

lifecycleContract({
  resource: "TeamMembership",
  inputs: { teamId: "team_writers", user: "user_hugo", role: "member" },
  properties: [
    {
      name: "role",
      to: "owner",
      writes: [["PUT", `${path}/user_hugo`, { role: "owner" }]],
      corrects: [["PUT", `${path}/user_hugo`, { role: "member" }]],
      drift: set("user_hugo", "owner"),
    },
  ],
  vanish: (client) => client.removeTeamMember({ ...team, userId: "user_hugo" }),
});

describe("TeamMembership", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  const start = async (options: Parameters<typeof startBench>[1] = {}) => {
    bench = await startBench("TeamMembership", options);
  };
  beforeEach(() => start());
  afterEach(() => bench.stop());

  const people = async () => {
    const all = await bench.client.listTeamMembers(team).all();
    return Object.fromEntries(all.map(({ organization, team }) => [organization.user.id, team.role]));
  };
  const ines = { teamId: "team_writers", user: "user_ines", role: "member" };

  it("takes over an existing membership without a write, by id or by e-mail in any case", async () => {
    await bench.create({ teamId: "team_writers", user: "user_dana", role: "member" });
    const { properties } = await bench.create({ teamId: "team_writers", user: "CEM@acme.test" });
    expect(properties).toMatchObject({ user: "CEM@acme.test", userId: "user_cem", pending: false });
    expect(bench.takeWrites()).toEqual([]);
  });

  it("adds one person with one write, and removes nobody else", async () => {
    const before = await people();
    const { id, properties } = await bench.created({ ...ines, user: "Ines@acme.test" });
    expect(await people()).toEqual({ ...before, user_ines: "member" });
    await bench.provider.delete(id, properties);
    expect(bench.takeWrites()).toEqual([["DELETE", `${path}/user_ines`]]);
    expect(await people()).toEqual(before);
  });

  it("does not change an undeclared role", async () => {
    const { id, properties } = await bench.create({ teamId: "team_writers", user: "user_ines" });
    expect(await people()).toMatchObject({ user_ines: "member" });
    await set("user_ines", "owner")(bench.client);
    await bench.anotherRun();
    const read = await bench.provider.read(id, properties);
    expect(read?.inputs).toEqual({ teamId: "team_writers", user: "user_ines" });
  });

  it("names a person who is not a member, and leaves nothing at the service", async () => {
    await expect(bench.create({ ...ines, user: "user_nobody" })).rejects.toThrow(/user_nobody is not a member/);
    expect(await people()).not.toHaveProperty("user_nobody");
  });

  it("has no effect on a person who has left the organization, and adds the person who comes back with another id", async () => {
    const byEmail = { ...ines, user: "ines@acme.test" };
    const { id, properties } = await bench.create(byEmail);
    await bench.client.removeMember({ organizationId: "acme", userId: "user_ines" });
    const read = async (state: Properties) => {
      await bench.anotherRun();
      return (await bench.provider.read(id, state))?.properties ?? {};
    };
    const left = await read(properties);
    expect(left).toEqual({ ...properties, absent: true });
    bench.takeWrites();
    const other = "owner";
    const after = await bench.update(id, left, { ...byEmail, role: other });
    expect(after).toMatchObject({ role: other, absent: true });
    expect(bench.takeWrites()).toEqual([]);
    bench.emulator.join({ userId: "user_ines_2", email: "ines@acme.test", role: null });
    // The membership of the one who has left is gone, so a refresh leads to a creation.
    expect(await read(after)).toEqual({});
    expect((await bench.create({ ...byEmail, role: other })).properties).toMatchObject({ userId: "user_ines_2" });
    expect(await people()).toHaveProperty("user_ines_2", other);
  });

  it("refuses an e-mail and an id of one person without a request, if one of them is recorded", async () => {
    const byEmail = { ...ines, user: "ines@acme.test" };
    const { id, properties } = await bench.create(byEmail);
    await bench.anotherRun();
    bench.emulator.resetRequests();
    await bench.provider.check(byEmail, byEmail);
    await bench.provider.diff(id, properties, byEmail);
    await expect(bench.provider.check(undefined, ines)).rejects.toThrow(/are the same person/);
    expect(bench.emulator.log).toEqual([]);
  });

  it("refuses an e-mail and an id of one person before the first write", async () => {
    await bench.check({ ...ines, user: "ines@acme.test" });
    await expect(bench.create(ines)).rejects.toHaveWording("an e-mail and an id of one person");
    expect(bench.takeWrites()).toEqual([]);
  });

  describe.each(["invite", "ignore", "400"] as const)(
    "the e-mail of a non-member, if the service does: %s",
    (reading) => {
      beforeEach(async () => {
        await bench.stop();
        await start({ readings: { strangers: reading } });
      });
      const zoe = { teamId: "team_writers", user: "Zoe@acme.test", role: "member" };

      it("is sent once, is pending, and is in the team after the person has joined", async () => {
        const { id, properties } = await bench.created(zoe);
        expect(properties).toMatchObject({ pending: true, userId: null });
        const same = await bench.provider.read(id, properties);
        expect(same?.properties).toEqual(properties);
        expect((await bench.provider.diff(id, properties, zoe)).changes).toBe(false);
        expect(bench.takeWrites()).toEqual([]);

        bench.emulator.join({ email: "zoe@acme.test", displayName: "Zoe" });
        await bench.anotherRun();
        const read = await bench.provider.read(id, properties);
        const invited = reading === "invite";
        // Without an invitation, the person is not in the team, so the engine creates the membership again.
        expect(read?.properties).toEqual(
          invited ? { ...properties, pending: false, userId: expect.any(String) } : undefined,
        );
        const { properties: after } = invited ? { properties: read?.properties ?? {} } : await bench.create(zoe);
        expect(bench.takeWrites()).toHaveLength(invited ? 0 : 1);
        expect(await people()).toHaveProperty(String(after.userId), "member");
        expect((await bench.provider.read(id, after))?.properties).toEqual(after);
      });

      it("is withdrawn at destroy", async () => {
        const { id, properties } = await bench.created(zoe);
        await bench.provider.delete(id, properties);
        const { id: userId } = bench.emulator.join({ email: "zoe@acme.test", displayName: "Zoe" });
        expect(await people()).not.toHaveProperty(userId);
      });
    },
  );

  describe("a change of user", () => {
    it("to another spelling or to the id of the same person sends nothing", async () => {
      const { id, properties } = await bench.created({ ...ines, user: "ines@acme.test" });
      expect((await bench.provider.diff(id, properties, { ...ines, user: "Ines@acme.test" })).changes).toBe(false);
      expect(await bench.provider.diff(id, properties, ines)).toMatchObject({ changes: true, replaces: [] });
      expect(await bench.provider.update(id, properties, ines)).toMatchObject({
        user: "user_ines",
        userId: "user_ines",
      });
      expect(bench.takeWrites()).toEqual([]);
    });

    it("to another person adds the new one and then removes the previous one", async () => {
      const { id, properties } = await bench.created(ines);
      const after = await bench.provider.update(id, properties, { ...ines, user: "hugo@acme.test" });
      expect(bench.takeWrites()).toEqual([
        ["PUT", `${path}/user_hugo`, { role: "member" }],
        ["DELETE", `${path}/user_ines`],
      ]);
      expect(after).toMatchObject({ userId: "user_hugo" });
    });

    it("follows a person whose e-mail changes", async () => {
      const { id, properties } = await bench.created({ ...ines, user: "ines@acme.test" });
      bench.changePerson("user_ines", { email: "ines.new@acme.test" });
      const read = await bench.provider.read(id, properties);
      expect(read?.properties).toEqual(properties);
    });
  });

  describe("a person who hides the e-mail now", () => {
    it("stays in the team when the resource is renamed", async () => {
      const inputs = { ...ines, user: "ines@acme.test" };
      const { id, properties } = await bench.created(inputs);
      bench.changePerson("user_ines", { email: undefined });
      await bench.anotherRun();
      await bench.create(inputs);
      bench.takeWrites();
      await bench.provider.delete(id, properties);
      expect(bench.takeWrites()).toEqual([]);
      expect(await people()).toHaveProperty("user_ines");
    });

    it("stays in the team when the e-mail becomes an id", async () => {
      bench.changePerson("user_dana", { email: undefined });
      const { id, properties } = await bench.created({ ...ines, user: "dana@acme.test" });
      expect(properties.pending).toBe(true);
      const after = await bench.provider.update(id, properties, { ...ines, user: "user_dana" });
      expect(after).toMatchObject({ userId: "user_dana", pending: false });
      expect(bench.takeWrites()).toEqual([]);
      expect(await people()).toHaveProperty("user_dana");
    });

    it("is not removed for an e-mail that nobody shows, also if the program named the person by id", async () => {
      const { id, properties } = await bench.created({ ...ines, user: "user_ines" });
      bench.changePerson("user_ines", { email: undefined });
      await expect(bench.provider.update(id, properties, { ...ines, user: "ines@acme.test" })).rejects.toHaveWording(
        "a person without an e-mail who is declared by e-mail",
      );
      expect(bench.takeWrites()).toEqual([]);
    });

    it("is added by id before another e-mail replaces the e-mail", async () => {
      const { id, properties } = await bench.created({ ...ines, user: "ines@acme.test" });
      bench.changePerson("user_ines", { email: undefined });
      const news = { ...ines, user: "ines.new@acme.test" };
      await expect(bench.provider.update(id, properties, news)).rejects.toThrow(/hide their e-mail/);
      expect(bench.takeWrites()).toEqual([]);
    });
  });

  it("keeps a person in the state whose removal failed, and removes the person with the next update", async () => {
    const { id, properties } = await bench.created(ines);
    bench.emulator.fault({ row: "removeTeamMember", status: 403, times: 1 });
    const news = { ...ines, user: "user_hugo" };
    await expect(bench.provider.update(id, properties, news)).rejects.toThrow(/403/);
    bench.takeWrites();
    await bench.provider.update(id, properties, news);
    expect(bench.takeWrites()).toEqual([["DELETE", `${path}/user_ines`]]);
  });

  describe("a failed change of user", () => {
    const hugo = { ...ines, user: "user_hugo" };
    const failed = async (fault: Parameters<typeof bench.emulator.fault>[0], news: Properties = hugo) => {
      const { id, properties } = await bench.created(ines);
      await bench.check(news);
      bench.emulator.fault(fault);
      const failure = await failureOf(bench.provider.update(id, properties, news));
      bench.emulator.clearFaults();
      await bench.anotherRun();
      bench.takeWrites();
      return { id, state: failure.partial?.properties ?? {} };
    };
    const faults = [
      { row: "removeTeamMember", status: 403, times: 10 },
      { row: "putTeamMember", reset: "after", times: 10 },
      { row: "putTeamMember", status: 503, times: 10 },
    ] as const;

    it.each(faults)("is finished by the next update, or undone by it: %j", async (fault) => {
      const before = await people();
      for (const [news, there] of [
        [hugo, "user_hugo"],
        [ines, "user_ines"],
      ] as const) {
        const { id, state } = await failed(fault);
        expect((await bench.provider.diff(id, state, news)).changes).toBe(true);
        const after = await bench.update(id, state, news);
        expect(after).not.toHaveProperty("releasing");
        expect(await people()).toEqual({ ...before, [there]: "member" });
        expect((await bench.provider.diff(id, after, news)).changes).toBe(false);
        await bench.anotherRun();
        await bench.provider.delete(id, after);
        await bench.anotherRun();
      }
    });

    it.each(faults)("leaves nobody behind at destroy: %j", async (fault) => {
      const before = await people();
      const { id, state } = await failed(fault);
      const read = await bench.provider.read(id, state);
      expect(read?.properties).toMatchObject({ userId: "user_hugo", releasing: [{ userId: "user_ines" }] });
      await bench.provider.delete(id, read?.properties ?? {});
      expect(await people()).toEqual(before);
    });

    it("hands over to a third person in the end, including the role of a last owner", async () => {
      const first = { ...ines, user: "user_ines", role: "owner" };
      const { id, properties } = await bench.created(first);
      await bench.client.removeTeamMember({ ...team, userId: "user_cem" });
      bench.emulator.fault({ row: "putTeamMember", status: 404, times: 10 });
      const failure = await failureOf(bench.update(id, properties, { ...first, user: "user_gita" }));
      bench.emulator.clearFaults();
      await bench.anotherRun();
      const news = { ...first, user: "user_jun" };
      const after = await bench.update(id, failure.partial?.properties ?? {}, news);
      expect(after).toMatchObject({ userId: "user_jun" });
      expect(after).not.toHaveProperty("releasing");
      expect(await people()).toMatchObject({ user_jun: "owner" });
      expect(Object.keys(await people())).not.toContain("user_ines");
      expect(Object.keys(await people())).not.toContain("user_gita");
    });

    it("withdraws the e-mail of a non-member at destroy", async () => {
      const { id, state } = await failed(faults[0], { ...ines, user: "zoe@acme.test" });
      await bench.provider.delete(id, state);
      const zoe = bench.emulator.join({ email: "zoe@acme.test" });
      expect(await people()).not.toHaveProperty(zoe.id);
      expect(await people()).not.toHaveProperty("user_ines");
    });
  });

  it("finishes with the next update what its creation could not do, even if no declaration differs", async () => {
    bench.emulator.fault({ row: "putTeamMember", status: 403, times: 1 });
    const { role: _, ...inputs } = ines;
    const { id = "", properties = {} } = (await failureOf(bench.create(inputs))).partial ?? {};
    bench.takeWrites();
    const updated = await bench.provider.update(id, properties, inputs);
    expect(bench.takeWrites()).toEqual([["PUT", `${path}/user_ines`, { role: "member" }]]);
    expect(updated).toMatchObject({ userId: "user_ines", pending: false });
  });

  describe("the last owner", () => {
    const cem = { teamId: "team_writers", user: "user_cem", role: "owner" };

    it("stays in a run of a program, and is named", async () => {
      const { id, properties } = await bench.created(cem);
      await bench.check({ ...ines });
      await expect(bench.provider.delete(id, properties)).rejects.toHaveWording("the last owner, in TeamMembership");
      await expect(bench.provider.update(id, properties, { ...cem, role: "member" })).rejects.toThrow(/last owner/);
      expect(bench.takeWrites()).toEqual([]);
    });

    it("hands over in any order", async () => {
      const { id, properties } = await bench.created(cem);
      await bench.check({ ...ines, role: "owner" });
      const [, made] = await Promise.all([
        bench.provider.delete(id, properties),
        bench.provider.create({ ...ines, role: "owner" }),
      ]);
      expect(made.properties).toMatchObject({ role: "owner" });
      expect(await people()).toMatchObject({ user_ines: "owner" });
      expect(await people()).not.toHaveProperty("user_cem");
    });

    it("is removed if the whole stack is destroyed", async () => {
      const { id, properties } = await bench.created(cem);
      await bench.provider.delete(id, properties);
      expect(bench.takeWrites()).toEqual([["DELETE", `${path}/user_cem`]]);
    });
  });

  it("stays in the team if another resource of the run manages the membership", async () => {
    const { id, properties } = await bench.created(ines);
    await bench.check({ ...ines, user: "INES@acme.test" });
    await bench.provider.delete(id, properties);
    expect(bench.takeWrites()).toEqual([]);
    await bench.told(/stay in team/, "a place that another resource manages");
  });

  describe("a person that the state of another resource of the stack has", () => {
    const hugo = { ...ines, user: "Hugo@acme.test" };
    /** Two resources that swap their people. The first one could not remove Ines, since the second one manages her now. */
    const swapped = async () => {
      const one = await bench.create(ines);
      const other = await bench.create(hugo);
      await bench.anotherRun();
      await bench.check(hugo);
      await bench.check(ines);
      const second = await bench.provider.update(other.id, other.properties, ines);
      await bench.anotherRun();
      bench.emulator.fault({ row: "removeTeamMember", status: 403, times: 1 });
      const failure = await failureOf(bench.update(one.id, one.properties, hugo));
      await bench.anotherRun();
      bench.takeWrites();
      const first = await bench.provider.read(one.id, failure.partial?.properties ?? {});
      expect(first?.properties).toMatchObject({ userId: "user_hugo", releasing: [{ userId: "user_ines" }] });
      const read = await bench.provider.read(other.id, second);
      return {
        first: { id: one.id, properties: first?.properties ?? {} },
        second: { id: other.id, properties: read?.properties ?? {} },
      };
    };

    it("stays, although the program declares that resource later", async () => {
      const { first, second } = await swapped();
      const after = await bench.update(first.id, first.properties, hugo);
      expect(after).not.toHaveProperty("releasing");
      await bench.check(ines);
      expect((await bench.provider.diff(second.id, second.properties, ines)).changes).toBe(false);
      expect(bench.takeWrites()).toEqual([]);
      expect(await people()).toMatchObject({ user_hugo: "member", user_ines: "member" });
    });

    it.each(["first", "last", "at once"])("is removed with that resource, which is deleted %s", async (when) => {
      const { first, second } = await swapped();
      await bench.check(hugo);
      const leave = () => bench.provider.delete(second.id, second.properties);
      if (when === "first") await leave();
      await Promise.all([
        bench.provider.update(first.id, first.properties, hugo),
        ...(when === "at once" ? [leave()] : []),
      ]);
      if (when === "last") await leave();
      expect(await people()).toMatchObject({ user_hugo: "member" });
      expect(await people()).not.toHaveProperty("user_ines");
    });

    it("stays even if that resource could not be deleted before", async () => {
      const { first, second } = await swapped();
      await bench.check(hugo);
      bench.emulator.fault({ row: "removeTeamMember", status: 403, times: 1 });
      await expect(bench.provider.delete(second.id, second.properties)).rejects.toThrow(/403/);
      bench.takeWrites();
      await bench.provider.update(first.id, first.properties, hugo);
      expect(bench.takeWrites()).toEqual([]);
      expect(await people()).toHaveProperty("user_ines");
    });

    it("is removed if both resources now manage others", async () => {
      const { first, second } = await swapped();
      await bench.update(first.id, first.properties, hugo);
      await bench.update(second.id, second.properties, { ...ines, user: "user_jun" });
      expect(bench.takeWrites()).toEqual([
        ["PUT", `${path}/user_jun`, { role: "member" }],
        ["DELETE", `${path}/user_ines`],
      ]);
    });
  });

  it.each([404, 200])("is not gone with another membership if the list answers %i without people", async (status) => {
    const [one, other] = [await bench.create(ines), await bench.create({ ...ines, user: "user_hugo" })];
    await bench.client.removeTeamMember({ ...team, userId: "user_ines" });
    await bench.anotherRun();
    const body = status === 200 ? { items: [], count: 0 } : undefined;
    bench.emulator.fault({ row: "listTeamMembers", status, times: 9, ...(body && { body }) });
    const [first, second] = await Promise.allSettled([
      bench.provider.read(one.id, settled(one.properties)),
      bench.provider.read(other.id, settled(other.properties)),
    ]);
    expect(first).toEqual({ status: "fulfilled", value: undefined });
    expect(second).toMatchObject({
      status: "rejected",
      reason: expect.objectContaining({
        message: expect.stringMatching(/user_hugo is in it according to the list of that person's teams/),
      }),
    });
  });
});
