import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../provider/api/client";
import { failureOf } from "../support/failure";
import { shortenPauses } from "../support/fast-timers";
import type { Properties } from "../support/protocol-provider";
import { lifecycleContract, startBench } from "./contract";

shortenPauses(20);

const at = (userId: string) => ({ organizationId: "acme", userId });
const path = (userId: string) => `/v1/orgs/acme/members/${userId}`;
type Role = Parameters<Client["updateMember"]>[0]["body"]["role"];
const set = (role: Role) => (client: Client, userId: string) => client.updateMember({ ...at(userId), body: { role } });

lifecycleContract({
  resource: "MemberRole",
  inputs: { user: "user_ines", role: "edit", sso: true },
  withoutDrift: { user: "the declared name stays; the id that it stood for is an output" },
  properties: [
    {
      name: "sso",
      corrects: [["POST", `${path("{id}")}/sso`]],
      // The API cannot take the mark back; somebody who left and came back has none.
      drift: async (_, userId, state) => {
        Object.assign(state.organizations.get("acme")?.members.get(userId) ?? expect.unreachable(), { sso: false });
      },
    },
    {
      name: "role",
      to: "comment",
      writes: [["PATCH", path("{id}"), { role: "comment" }]],
      corrects: [["PATCH", path("{id}"), { role: "edit" }]],
      drift: set("review"),
    },
  ],
});

describe("MemberRole", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  beforeEach(async () => {
    bench = await startBench("MemberRole");
  });
  afterEach(() => bench.stop());

  const role = async (userId: string) => (await bench.client.getMember(at(userId))).role;

  const read = async (id: string, state: Properties) => {
    await bench.anotherRun();
    return (await bench.provider.read(id, state))?.properties ?? {};
  };

  it("sends nothing if the role is already right, by id or by e-mail in any case", async () => {
    const byId = await bench.created({ user: "user_femi", role: "edit" });
    const byEmail = await bench.create({ user: "Femi@Acme.Test", role: "edit" });
    expect(byEmail.id).toBe(byId.id);
    expect(byEmail.properties).toMatchObject({ user: "Femi@Acme.Test", userId: "user_femi", previousRole: "edit" });
    expect(bench.takeWrites()).toEqual([]);
  });

  it("explains for a non-member how people become members", async () => {
    await expect(bench.create({ user: "user_stranger", role: "read" })).rejects.toHaveWording("an id of no member");
  });

  it("does nothing for a person who has left, and gives the role again if the person comes back, under any id", async () => {
    const inputs = { user: "Hugo@acme.test", role: "edit", onRelease: "remove" };
    const { id, properties } = await bench.created(inputs);
    await bench.client.removeMember(at("user_hugo"));
    const left = await read(id, properties);
    expect(left).toMatchObject({ ...inputs, userId: "user_hugo", absent: true });
    expect(left).not.toHaveProperty("previousRole");
    expect((await bench.provider.diff(id, left, inputs)).changes).toBe(false);
    bench.takeWrites();
    const raised = { ...inputs, role: "admin" };
    const after = await bench.update(id, left, raised);
    expect(after).toMatchObject({ ...raised, absent: true });
    await bench.told(/left organization/, "a person of MemberRole who has left");
    await bench.provider.delete(id, after);
    expect(bench.takeWrites()).toEqual([]);
    bench.emulator.join({ userId: "user_hugo_2", email: "hugo@acme.test", role: "read" });
    const back = await read(id, after);
    expect(back).toMatchObject({ role: "read", userId: "user_hugo_2", pending: true });
    // The role was not given yet, so nobody is released.
    await bench.provider.delete(id, back);
    expect(bench.takeWrites()).toEqual([]);
    const again = await bench.update(id, back, raised);
    expect(again).toMatchObject({ ...raised, previousRole: "read" });
    expect(again).not.toHaveProperty("pending");
    expect(bench.takeWrites()).toEqual([["PATCH", path("user_hugo_2"), { role: "admin" }]]);
  });

  it("keeps an e-mail pending that no member has, and gives the role once after somebody has joined with it", async () => {
    const inputs = { user: "new@acme.test", role: "edit" };
    const { id, properties } = await bench.create(inputs);
    expect([id, properties]).toMatchObject(["new@acme.test", { ...inputs, userId: null, pending: true }]);
    await bench.told(/is pending/, "an e-mail of MemberRole that no member has");
    expect(await read(id, properties)).toEqual(properties);
    expect((await bench.provider.diff(id, properties, inputs)).changes).toBe(false);
    await bench.provider.delete(id, properties);
    bench.emulator.join({ userId: "user_new", email: "new@acme.test", role: "comment" });
    const joined = await read(id, properties);
    expect(joined).toMatchObject({ role: "comment", userId: "user_new", pending: true });
    expect(bench.takeWrites()).toEqual([]);
    const after = await bench.update(id, joined, inputs);
    expect(after).toMatchObject({ ...inputs, previousRole: "comment" });
    expect(after).not.toHaveProperty("pending");
    expect(bench.takeWrites()).toEqual([["PATCH", path("user_new"), { role: "edit" }]]);
  });

  it("returns the e-mail and the name of the person, whose changes are no difference", async () => {
    const inputs = { user: "user_ines", role: "edit" };
    const { id, properties } = await bench.created(inputs);
    expect(properties).toMatchObject({ email: "ines@acme.test", displayName: expect.stringMatching(/^Ines /) });
    bench.changePerson("user_ines", { email: undefined, displayName: "Ines Again" });
    await bench.anotherRun();
    const { email: _, displayName: __, ...older } = properties;
    const read = await bench.provider.read(id, older);
    expect(read?.properties).toMatchObject({ email: null, displayName: "Ines Again" });
    expect((await bench.provider.diff(id, read?.properties ?? {}, inputs)).changes).toBe(false);
  });

  describe("destroy", () => {
    it.each([
      [{}, [["PATCH", path("user_ines"), { role: "read" }]]],
      [{ onRelease: "leave" }, []],
      [{ onRelease: "guest" }, [["PATCH", path("user_ines"), { role: null }]]],
      [{ onRelease: "remove" }, [["DELETE", path("user_ines")]]],
    ] as const)("with %j sends %j", async (options, writes) => {
      const { id, properties } = await bench.created({ user: "user_ines", role: "edit", ...options });
      await bench.provider.delete(id, properties);
      expect(bench.takeWrites()).toEqual(writes);
    });
  });

  describe("a change of user", () => {
    it("to another spelling or to the id of the same person sends nothing", async () => {
      const { id, properties } = await bench.created({ user: "ines@acme.test", role: "edit" });
      bench.takeWrites();
      expect((await bench.provider.diff(id, properties, { user: "Ines@Acme.test", role: "edit" })).changes).toBe(false);
      const news = { user: "user_ines", role: "edit" };
      expect(await bench.provider.diff(id, properties, news)).toMatchObject({ changes: true, replaces: [] });
      const after = await bench.provider.update(id, properties, news);
      expect(bench.takeWrites()).toEqual([]);
      expect(after).toMatchObject({ user: "user_ines", userId: "user_ines", previousRole: "read" });
    });

    it("to another person grants the role to the new one and then restores the role of the previous one", async () => {
      const { id, properties } = await bench.created({ user: "user_ines", role: "edit" });
      bench.takeWrites();
      const news = { user: "user_hugo", role: "edit" };
      await bench.check(news);
      const after = await bench.provider.update(id, properties, news);
      expect(bench.takeWrites()).toEqual([
        ["PATCH", path("user_hugo"), { role: "edit" }],
        ["PATCH", path("user_ines"), { role: "read" }],
      ]);
      expect(after).toMatchObject({ userId: "user_hugo", previousRole: "comment" });
      expect((await bench.provider.read(id, after))?.inputs).toEqual(news);
    });
  });

  describe("a change of user that cannot release the previous user", () => {
    const news = { user: "user_hugo", role: "edit" };
    const failed = async () => {
      const { id, properties } = await bench.created({ user: "user_ines", role: "edit" });
      await bench.check(news);
      bench.emulator.fault({ row: "updateMember", skip: 1, status: 403, times: 1 });
      const failure = await failureOf(bench.provider.update(id, properties, news));
      await bench.anotherRun();
      bench.takeWrites();
      return { id, properties: failure.partial?.properties ?? {} };
    };

    it("records the previous roles of both, and releases with the next update", async () => {
      const { id, properties } = await failed();
      expect(properties).toMatchObject({
        userId: "user_hugo",
        previousRole: "comment",
        releasing: [{ user: "user_ines", userId: "user_ines", role: "edit", previousRole: "read" }],
      });
      const read = await bench.provider.read(id, properties);
      const { __incomplete: _, ...complete } = properties;
      expect(read?.properties).toEqual(complete);
      expect((await bench.provider.diff(id, properties, news)).changes).toBe(true);
      const after = await bench.provider.update(id, properties, news);
      expect(bench.takeWrites()).toEqual([["PATCH", path("user_ines"), { role: "read" }]]);
      expect(after).toMatchObject({ userId: "user_hugo", previousRole: "comment" });
      expect(after).not.toHaveProperty("releasing");
      expect((await bench.provider.diff(id, after, news)).changes).toBe(false);
    });

    it("keeps the first previous role of a person who is declared again", async () => {
      const { id, properties } = await failed();
      const back = { user: "user_ines", role: "edit" };
      await bench.check(back);
      const after = await bench.provider.update(id, properties, back);
      expect(bench.takeWrites()).toEqual([["PATCH", path("user_hugo"), { role: "comment" }]]);
      expect(after).toMatchObject({ userId: "user_ines", previousRole: "read" });
      expect(after).not.toHaveProperty("releasing");
    });

    it("can continue to a third person, and restores the roles of all others", async () => {
      const { id, properties } = await failed();
      const third = { user: "user_femi", role: "create" };
      await bench.check(third);
      const after = await bench.provider.update(id, properties, third);
      expect(after).toMatchObject({ userId: "user_femi" });
      expect(after).not.toHaveProperty("releasing");
      expect(await Promise.all(["user_ines", "user_hugo", "user_femi"].map(role))).toEqual([
        "read",
        "comment",
        "create",
      ]);
    });

    it("still releases the previous user if the new one leaves the organization", async () => {
      const { id, properties } = await failed();
      await bench.client.removeMember(at("user_hugo"));
      await bench.anotherRun();
      const read = await bench.provider.read(id, properties);
      const { __incomplete: _, previousRole: __, ...others } = properties;
      expect(read?.properties).toEqual({ ...others, email: null, displayName: null, absent: true });
      expect((await bench.provider.diff(id, read?.properties ?? {}, news)).changes).toBe(true);
      await bench.provider.delete(id, read?.properties ?? {});
      expect(await role("user_ines")).toBe("read");
    });

    it("records the previous roles of both if the answer to the new role is lost", async () => {
      const { id, properties } = await bench.created({ user: "user_ines", role: "edit" });
      await bench.check(news);
      bench.emulator.fault({ row: "updateMember", reset: "after", times: 10 });
      const failure = await failureOf(bench.provider.update(id, properties, news));
      bench.emulator.clearFaults();
      await bench.anotherRun();
      expect(await role("user_hugo")).toBe("edit");
      const state = failure.partial?.properties ?? {};
      expect(state).toMatchObject({
        userId: "user_hugo",
        previousRole: "comment",
        releasing: [{ userId: "user_ines" }],
      });
      const back = { user: "user_ines", role: "edit" };
      expect((await bench.provider.diff(id, state, back)).changes).toBe(true);
      await bench.update(id, state, back);
      expect(await role("user_hugo")).toBe("comment");
    });

    it("restores both roles at destroy", async () => {
      const { id, properties } = await failed();
      await bench.provider.delete(id, properties);
      expect(await Promise.all(["user_ines", "user_hugo"].map(role))).toEqual(["read", "comment"]);
    });
  });

  describe("a person who is handed over from one resource to another", () => {
    const taken = { user: "Ines@acme.test", role: "comment" };
    const given = { user: "user_hugo", role: "edit" };
    const managed = async (inputs: Properties = { user: "user_ines", role: "edit" }) => {
      const { id, properties } = await bench.created(inputs);
      const read = await bench.provider.read(id, properties);
      return { id, properties: read?.properties ?? {} };
    };

    it.each(["before", "after"])(
      "gets the previous role back, taken over %s the first resource changes",
      async (when) => {
        const first = await managed();
        await bench.check(given);
        await bench.check(taken);
        const release = () => bench.provider.update(first.id, first.properties, given);
        if (when === "after") await release();
        const second = await bench.provider.create(taken);
        if (when === "before") await release();
        expect(second.properties).toMatchObject({ userId: "user_ines", previousRole: "read" });
        expect(await role("user_ines")).toBe("comment");
        await bench.anotherRun();
        await bench.provider.delete(second.id, second.properties);
        expect(await role("user_ines")).toBe("read");
      },
    );

    it("is released once by two resources with one id, and only if the other one has released the person", async () => {
      const first = await managed();
      const second = await bench.created({ user: "Ines@acme.test", role: "edit" });
      expect(second.id).toBe(first.id);
      const states = [
        await bench.provider.read(first.id, first.properties),
        await bench.provider.read(second.id, second.properties),
      ].map((read) => read?.properties ?? {});
      await bench.update(first.id, states[0] ?? {}, given);
      expect(await role("user_ines")).toBe("edit");
      await bench.provider.delete(second.id, states[1] ?? {});
      expect(await role("user_ines")).toBe("read");
    });

    it.each([
      ["no role, if the person was a guest before the first one", { user: "user_lena", role: "edit" }, "comment", null],
      ["no stronger role than the one that the first gave", { user: "user_femi", role: "read" }, "create", "read"],
      ["what the first one leaves", { user: "user_ines", role: "edit", onRelease: "leave" }, "create", "edit"],
    ])("gets back %s", async (_, inputs, next, previousRole) => {
      await managed(inputs);
      const second = await bench.create({ user: inputs.user, role: next });
      expect(second.properties).toMatchObject({ previousRole });
    });

    it("gets the first previous role back if both are destroyed, whatever the second one recorded", async () => {
      const first = await bench.created({ user: "user_ines", role: "edit" });
      const second = await bench.created({ user: "user_ines", role: "edit" });
      expect(second.properties).toMatchObject({ previousRole: "edit" });
      await bench.provider.read(first.id, first.properties);
      await bench.provider.read(second.id, second.properties);
      await bench.provider.delete(first.id, first.properties);
      await bench.provider.delete(second.id, second.properties);
      expect(await role("user_ines")).toBe("read");
    });
  });
});
