import { setImmediate as soon } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import {
  isAdministrator,
  lowerAdministrator,
  nameOfMember,
  noteRole,
  raiseAdministrator,
  refuseLockout,
} from "../../provider/access/administrators";
import { discoverTeams, readTeams, withTitles } from "../../provider/access/discovery";
import { isPersonManaged, managementOf } from "../../provider/access/management";
import { isNamed, membersOf } from "../../provider/access/members";
import { teamOf } from "../../provider/access/team";
import { type Client, createClient } from "../../provider/api/client";
import { type Emulator, type Seed, startEmulator } from "../../provider/emulator";
import type { Context } from "../../provider/run/context";
import { Run } from "../../provider/run/run";
import { TestClock } from "../support/clock";

let emulator: Emulator;
let context: Context;
let told: string[];
afterEach(async () => {
  await context.client.close();
  await emulator.close();
});

/** With `change`, the service answers some operations otherwise. */
async function begin(organization: Seed["organizations"][string], change = (_: Client): object => ({})) {
  emulator = await startEmulator({ seed: { organizations: { acme: organization } } });
  const client = createClient({ baseUrl: emulator.url, token: emulator.token });
  told = [];
  const run = new Run({ clock: new TestClock(), patience: 0, tell: (line) => void told.push(line) });
  context = { run, client: { ...client, ...change(client) }, organizationId: "acme" };
}

const member = (name: string, more: object = {}) => ({ userId: `user_${name}`, email: `${name}@acme.test`, ...more });
const admins = ["ada", "bea"].map((name) => member(name, { role: "admin" }));
const people = { members: [...admins, member("dan", { role: "admin", disabled: true }), member("ines")], teams: [] };
const live = (userId: string) => context.client.getMember({ organizationId: "acme", userId });
const give = async (userId: string, role: "admin" | "read") =>
  membersOf(context).put(await context.client.updateMember({ organizationId: "acme", userId, body: { role } }));
const never = () => expect.unreachable();

describe("an administrator", () => {
  it("is one by the list, on any page, or by an answer that is newer than the list", async () => {
    await begin(people, (client) => ({
      listMembers: (path: Parameters<Client["listMembers"]>[0]) =>
        client.listMembers({ ...path, query: { ...path.query, limit: 1 } }),
    }));
    const isOne = async (id: string, role: string) => isAdministrator(context, { ...(await live(id)), role });
    expect([await isOne("user_ada", "read"), await isOne("user_bea", "read")]).toEqual([true, true]);
    expect([await isOne("user_ines", "read"), await isOne("user_ines", "admin")]).toEqual([false, true]);
  });

  it("is one after this run has given the role, and none after it has taken the role", async () => {
    await begin(people);
    const ines = await live("user_ines");
    expect(await isAdministrator(context, ines)).toBe(false);
    await raiseAdministrator(context, () => give("user_ines", "admin"));
    expect(await isAdministrator(context, ines)).toBe(true);
    await lowerAdministrator(context, ines, () => give("user_ines", "read"), never);
    expect(await isAdministrator(context, ines)).toBe(false);
  });

  it("is looked for among administrators, also if a gateway drops the filter", async () => {
    await begin(people, (client) => ({
      listMembers: ({ organizationId }: { organizationId: string }) => client.listMembers({ organizationId }),
    }));
    const ada = await live("user_ada");
    emulator.resetRequests();
    await lowerAdministrator(context, ada, () => give("user_ada", "read"), never);
    // user_bea before and after the write, and user_ada after it.
    expect(emulator.requests().getMember).toBe(3);
  });

  it("remains if the service has not carried out what it has answered", async () => {
    await begin(people);
    const ada = await live("user_ada");
    const work = async () => membersOf(context).put({ ...ada, role: "read" });
    await expect(lowerAdministrator(context, ada, work, never)).rejects.toThrow(/still show the role/);
  });

  it("does not count if this run has lowered the person, whatever reads show", async () => {
    await begin(people);
    const ada = await live("user_ada");
    noteRole(context, "user_bea", "read");
    await expect(refuseLockout(context, [ada])).rejects.toThrow(/user_ada\) is the last administrator/);
  });

  it("is not missed by a change that lowers nobody", async () => {
    await begin({ members: [member("ines")], teams: [] });
    emulator.resetRequests();
    await refuseLockout(context, []);
    expect(emulator.requests()).toEqual({});
  });
});

describe("a member", () => {
  it("is named by the id or the e-mail", async () => {
    await begin(people);
    const ada = await live("user_ada");
    const hidden = { ...ada, user: { ...ada.user, email: undefined } };
    const names = ["user_ada", "Ada@acme.test", "user_bea", "bea@acme.test"];
    expect(names.map((name) => isNamed(ada, name))).toEqual([true, true, false, false]);
    expect(names.map((name) => isNamed(hidden, name))).toEqual([true, false, false, false]);
    expect([nameOfMember(ada), nameOfMember(hidden)].map((text) => /\(.*/.exec(text)?.[0])).toEqual([
      "(ada@acme.test, user_ada)",
      "(user_ada)",
    ]);
  });

  it("has the role that this run has given, although reads are older", async () => {
    await begin(people);
    const members = membersOf(context);
    const ada = (await members.read("user_ada")) ?? expect.unreachable();
    for (const role of ["read", null, "edit"] as const) {
      members.put({ ...ada, role });
      expect((await members.reread("user_ada"))?.role).toBe(role);
    }
  });

  it("is one person, also if a list repeats the person, and nobody is gone if the list is empty", async () => {
    await begin(people);
    const ada = await live("user_ada");
    const answer = (listMembers: () => unknown) => {
      context = { ...context, run: new Run(), client: { ...context.client, listMembers: listMembers as never } };
    };
    answer(async function* () {
      yield* [ada, ada];
    });
    expect(await membersOf(context).read("ada@acme.test")).toEqual(ada);
    answer(async () => ({ items: [] }));
    await expect(membersOf(context).all()).rejects.toThrow(/lists no members of organization acme/);
  });

  it("is managed elsewhere by the live e-mail, which is read only if the place has a manager", async () => {
    await begin(people);
    const place = { kind: "team", team: "t", organization: "acme" } as const;
    const isManaged = (userId: string) => isPersonManaged(context, place, userId, []);
    expect(await isManaged("user_ada")).toBe(false);
    expect(emulator.requests()).toEqual({});
    managementOf(context.run).declare([{ place, name: "Ada@acme.test" }]);
    expect([await isManaged("user_ada"), await isManaged("user_bea")]).toEqual([true, false]);
  });
});

describe("teams", () => {
  const team = (id: string, ...names: string[]) => ({
    ...{ id, title: id.toUpperCase() },
    members: Object.fromEntries(names.map((name) => [`user_${name}`, "member" as const])),
  });
  /** Somebody in no team, and all people of the teams, in this order in the list. */
  async function beginWith(teams: ReturnType<typeof team>[]) {
    const ids = [...new Set(["user_x", ...teams.flatMap(({ members }) => Object.keys(members))])];
    const joinedAt = (index: number) => new Date(1e12 - index * 1e6).toISOString();
    const members = ids.map((userId, index) => ({ userId, joinedAt: joinedAt(index) }));
    await begin({ members, teams });
    const all = await membersOf(context).all();
    emulator.resetRequests();
    return all;
  }
  const [aOfTwo, bOfOne] = [team("a", "ada", "bea"), team("b", "bea")];
  const a = { known: [{ id: "a", title: "A" }] };

  it.each([
    ["named", { teamIds: ["a"] }],
    ["named, and referred to", { ...a, teamIds: ["a"] }],
    ["referred to", a],
  ])("of people in a team that is %s are found as well", async (_, options) => {
    const members = await beginWith([aOfTwo, bOfOne]);
    const reports: [number, number][] = [];
    const progress = (done: number, total: number) => void reports.push([done, total]);
    const teams = await discoverTeams(context, members, { ...options, progress });
    expect(teams.map(({ id, title }) => `${id} ${title}`)).toEqual(["a A", "b B"]);
    expect(reports.filter(([done, total]) => done > total)).toEqual([]);
  });

  const many = [team("b", "cem", "bea"), team("c", "cem", "bea"), aOfTwo, team("d", "bea")];
  it.each([
    ["of a person in many", many, {}, { listMemberTeams: 1, listTeamMembers: 4 }],
    ["without a title", [aOfTwo], { teamIds: ["a"] }, { listMemberTeams: 1, listTeamMembers: 1 }],
    ["with a title", [aOfTwo], a, { listTeamMembers: 1 }],
    ["beside an empty one", [team("a"), team("b", "ada", "bea", "cem")], a, { listMemberTeams: 1, listTeamMembers: 2 }],
  ])("%s are found with few requests", async (_, teams, options, requests) => {
    const members = await beginWith(teams);
    expect(await discoverTeams(context, members, options)).toHaveLength(teams.length);
    expect(emulator.requests()).toEqual(requests);
  });

  it("get only the titles that are needed", async () => {
    await beginWith([team("a", "ada"), bOfOne]);
    const teams = await withTitles(context, await readTeams(context, ["a", "b"]), ({ id }) => id === "a");
    expect(teams.map(({ title }) => title)).toEqual(["A", undefined]);
  });

  it.each([
    ["listTeamMembers", 403, { status: 403 }],
    ["listMemberTeams", 403, { status: 403 }],
    ["listTeamMembers", 404, { message: expect.stringMatching(/has no team "a"/), cause: { status: 404 } }],
  ] as const)("are not left out if the service refuses a read: %s %i", async (row, status, failure) => {
    const members = await beginWith([aOfTwo, bOfOne]);
    emulator.fault({ row, times: 1, status });
    await expect(discoverTeams(context, members, { teamIds: ["a"] })).rejects.toMatchObject(failure);
  });
});

describe("a team", () => {
  const organizationId = "acme";
  const dan = { user_ada: "owner", user_bea: "member", user_dan: "owner" } as const;
  const teams = [
    { id: "t", members: dan },
    { id: "u", members: { user_ada: "member" as const } },
  ];
  const begun = async (change?: (client: Client) => object) => {
    await begin({ ...people, teams }, change);
    context.run.noteProgram();
    return teamOf(context, "t");
  };
  const fail = (row: "listMembers" | "listMemberTeams" | "putTeamMember" | "updateTeamMembers", status: number) =>
    emulator.fault({ row, status, times: 9 });

  it("has the owners who can sign in, by all pages of its list and what is true of the members now", async () => {
    const { list } = await begun(({ listTeamMembers }) => ({
      listTeamMembers: (path: Parameters<typeof listTeamMembers>[0]) =>
        listTeamMembers({ ...path, query: { ...path.query, limit: 1 } }),
    }));
    expect(await list.readOwners(true)).toMatchObject([{ userId: "user_ada", hidden: false }]);
    expect(await list.isOwner("user_ada")).toBe(true);
    const { members } = emulator.state.organizations.get(organizationId) ?? expect.unreachable();
    members.set("user_ada", { ...(members.get("user_ada") ?? expect.unreachable()), disabled: true });
    expect(await list.isOwner("user_ada")).toBe(false);
    emulator.resetRequests();
    expect(await list.find("user_ines")).toBeUndefined();
    expect(emulator.requests()).toEqual({ listMemberTeams: 1 });
  });

  it("is not empty if somebody has it among the own teams, and not gone if a read fails", async () => {
    const { list } = await begun(() => ({ listTeamMembers: async () => ({ items: [] }) }));
    await expect(list.findAll(["user_ada"])).rejects.toThrow("the service lists nobody in team t");
    const { list: again } = await begun();
    emulator.fault({ row: "listTeamMembers", times: 1, status: 403 });
    await expect(again.findAll([])).rejects.toMatchObject({ status: 403 });
  });

  it.each([
    ["a person with another team", ["user_ada"], () => fail("listMembers", 403), { listMemberTeams: 1 }],
    ["a member without teams", ["user_ines"], () => fail("listMembers", 403), { getMember: 1, listMemberTeams: 1 }],
    ["the list of members", ["user_left"], () => {}, { getMember: 1, listMembers: 1, listMemberTeams: 1 }],
    ["nobody", [], () => fail("listMembers", 403), undefined],
    ["a person who may have left", ["user_none"], () => fail("listMembers", 403), undefined],
    ["an answer that contradicts the members", ["user_ada"], () => fail("listMemberTeams", 404), undefined],
    ["a refusal", ["user_ada"], () => fail("listMemberTeams", 403), undefined],
  ])("that is not found is gone if it is proven: by %s", async (_, recorded, change, requests) => {
    await begun(({ listMemberTeams }) => ({
      listMemberTeams: ({ userId, ...path }: Parameters<typeof listMemberTeams>[0]) =>
        listMemberTeams({ ...path, userId: userId === "user_none" ? "user_ines" : userId }),
    }));
    change();
    const found = teamOf(context, "z").list.findAll(recorded);
    if (!requests) return expect(found).rejects.toHaveProperty("status");
    expect(await found).toBeUndefined();
    expect(emulator.requests()).toEqual({ ...requests, listTeamMembers: 1 });
  });

  it.each([
    ["carries out", true, true],
    ["carries out without saying so", true, false],
    ["only says so", false, true],
    ["does neither", false, false],
  ])("loses a person that the service removes: it %s", async (_, isDone, deleted) => {
    const team = await begun(({ removeTeamMember }) => ({
      removeTeamMember: (path: never) =>
        (isDone ? removeTeamMember(path) : Promise.resolve()).then(() => ({ deleted })),
    }));
    if (isDone || deleted) await team.remove("user_bea");
    else await expect(team.remove("user_bea")).rejects.toThrow(/Bea|user_bea/);
    // What the answer proves is not read again.
    expect(emulator.requests().listTeamMembers === 1).toBe(deleted);
  });

  it("has nothing of a call that the service answers and does not carry out", async () => {
    const team = await begun(() => ({ updateTeamMembers: async () => ({}) }));
    const added = [{ user: "user_ines", role: "member" as const }];
    const { done, failed } = await team.change({ added, lowered: [], removed: [{ user: "user_bea" }] });
    expect([done, String(failed)]).toEqual([added, expect.stringMatching(/user_bea/)]);
    expect((await team.list.people.all()).map(({ userId }) => userId).sort()).toEqual(Object.keys(dan));
  });

  it("names each change that the service refuses, apart from the withdrawal of an e-mail that it does not know", async () => {
    const team = await begun();
    fail("putTeamMember", 400);
    const added = [{ user: "user_ines", role: "member" as const }];
    expect(await team.change({ added, lowered: [], removed: [] })).toMatchObject({ done: [], failed: { status: 400 } });
    for (const status of [undefined, 400] as const) {
      if (status) emulator.fault({ row: "updateTeamMembers", status });
      await team.addPending("new@acme.test", "member");
    }
    expect(told).toEqual(
      [/shows this e-mail; the/, /the service refuses the e-mail/].map((text) => expect.stringMatching(text)),
    );
    emulator.fault({ row: "updateTeamMembers", status: 400 });
    await team.withdrawPending("new@acme.test");
    fail("updateTeamMembers", 403);
    await expect(team.withdrawPending("new@acme.test")).rejects.toMatchObject({ status: 403 });
    await expect(team.addPending("new@acme.test", "member")).rejects.toMatchObject({ status: 403 });
  });

  it("can be handed over in any order", async () => {
    const team = await begun(({ putTeamMember }) => ({
      putTeamMember: async (path: Parameters<typeof putTeamMember>[0]) => {
        for (let turn = 0; path.body?.role === "owner" && turn < 300; turn++) await soon();
        return putTeamMember(path);
      },
    }));
    await Promise.all([team.set("user_bea", "owner"), team.set("user_ada", "member")]);
    expect(await team.list.readOwners(true)).toMatchObject([{ userId: "user_bea" }]);
  });
});
