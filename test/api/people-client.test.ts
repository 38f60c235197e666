import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../provider/api/client";
import { isNotFound } from "../../provider/api/http/errors";
import type { EmulatorOptions } from "../../provider/emulator";
import { few, peopleSeed } from "../emulator/people";
import { startEmulated } from "../emulator/support";

const at = { organizationId: "acme" };
const seed = peopleSeed(few);

async function connected(options: EmulatorOptions = {}) {
  const emulator = await startEmulated({ seed, ...options });
  const client = createClient({ baseUrl: emulator.url, token: emulator.token });
  onTestFinished(() => client.close());
  return { client, emulator };
}

const gone = async (call: PromiseLike<unknown>) => isNotFound(await Promise.resolve(call).catch((error) => error));

test("members: lists, reads, writes", async () => {
  const { client } = await connected();
  const ids = (await client.listMembers({ ...at, query: { order: "asc", limit: 3 } }).all()).map(({ id }) => id);
  expect(ids).toEqual(["ada", "bea", "cem", "dan"]);
  const page = await client.listMembers({ ...at, query: { role: "guest", search: "dan", sort: "joinedAt" } });
  expect([page.count, page.items[0]?.role]).toEqual([1, null]);
  expect((await client.getMember({ ...at, userId: "ada" })).user.email).toBe("ada@acme.test");
  expect((await client.updateMember({ ...at, userId: "ada", body: { role: null } })).role).toBe(null);
  expect((await client.markMemberSso({ ...at, userId: "ada" })).sso).toBe(true);
  const spaces = await client.listMemberSpaces({ ...at, userId: "bea", query: { order: "asc" } }).all();
  expect(spaces.map(({ permission, space }) => [permission, space.id])).toEqual([
    ["admin", "guides"],
    ["admin", "reference"],
  ]);
  const [first] = await client.listMemberTeams({ ...at, userId: "cem", query: { title: "WRIT" } }).all();
  expect([first?.team.title, first?.member.role]).toEqual(["Writers", "member"]);
  expect(await gone(client.getMember({ ...at, userId: "nobody" }))).toBe(true);
  expect(await gone(client.listMemberTeams({ ...at, userId: "nobody" }))).toBe(true);
});

test("ping answers without the claims that only some services have", async () => {
  const { client } = await connected();
  expect((await client.ping(at)).serviceVisitorClaims).toBe(undefined);
});

test.each([
  [{}, true],
  [{ deleteStatus: "204" }, "unknown"],
  [{ memberRemoval: "requested" }, "requested"],
] as const)("a removal with the readings %j is known as %s", async (readings, deleted) => {
  const { client } = await connected({ readings });
  expect(await client.removeMember({ ...at, userId: "cem" })).toEqual({ deleted });
  expect(await client.removeMember({ ...at, userId: "nobody" })).toEqual({ deleted: "unknown" });
});

test("team members: the bulk update, a single one, and the list in pages", async () => {
  const { client } = await connected();
  const team = { ...at, teamId: "writers" };
  const roles = async () => {
    const people = await client.listTeamMembers({ ...team, query: { limit: 1 } }).all();
    return Object.fromEntries(people.map(({ organization, team: { role } }) => [organization.id, role]));
  };
  const body = { add: ["bea@ACME.test"], remove: ["cem"], memberships: { dan: { role: "owner" as const } } };
  expect(await client.updateTeamMembers({ ...team, body })).toBe(undefined);
  expect(await roles()).toEqual({ ada: "owner", bea: "member", dan: "owner" });
  expect(await client.putTeamMember({ ...team, userId: "cem" })).toBe(undefined);
  expect(await client.putTeamMember({ ...team, userId: "ada", body: { role: "member" } })).toBe(undefined);
  expect(await client.removeTeamMember({ ...team, userId: "bea" })).toEqual({ deleted: true });
  expect(await client.removeTeamMember({ ...team, userId: "bea" })).toEqual({ deleted: "unknown" });
  expect(await roles()).toEqual({ ada: "member", dan: "owner", cem: "member" });
  expect(await gone(client.listTeamMembers({ ...at, teamId: "nowhere" }))).toBe(true);
});

test("the bulk update accepts 200 without a body, as in the API document", async () => {
  const { client, emulator } = await connected();
  emulator.fault({ row: "updateTeamMembers", status: 200, body: "" });
  expect(await client.updateTeamMembers({ ...at, teamId: "writers", body: {} })).toBe(undefined);
});

test("SAML: create, read, update and delete a provider", async () => {
  const { client } = await connected();
  const created = await client.createSamlProvider({ ...at, body: { label: "Acme", defaultTeam: "writers" } });
  const one = { ...at, samlProviderId: created.id };
  expect([created.status, created.defaultTeam?.title]).toEqual(["pending", "Writers"]);
  const body = { entityID: "urn:idp", certificate: "x", ssoURL: "https://idp.acme.test/sso", defaultRole: null };
  expect(await client.updateSamlProvider({ ...one, body })).toMatchObject({ ...body, status: "active" });
  expect(await client.getSamlProvider(one)).toMatchObject(body);
  expect((await client.listSamlProviders(at).all()).map(({ id }) => id)).toEqual([created.id]);
  expect((await client.listSignInProviders(at)).items).toMatchObject([{ id: created.id, label: "Acme" }]);
  expect(await client.deleteSamlProvider(one)).toEqual({ deleted: true });
  expect(await client.deleteSamlProvider(one)).toEqual({ deleted: "unknown" });
  expect(await gone(client.getSamlProvider(one))).toBe(true);
  expect(await gone(client.updateSamlProvider({ ...one, body: {} }))).toBe(true);
});

test("translations: create, read, update and delete one", async () => {
  let time = Date.parse("2026-11-21T12:00:00Z");
  const { client } = await connected({ now: () => new Date(time) });
  const source = { space: "guides", language: "en" } as const;
  const { id, status } = await client.createTranslation({ ...at, body: { source, language: "pt-br" } });
  const one = { ...at, translationId: id };
  expect(status).toBe("pending");
  time += 3000;
  expect(await client.getTranslation(one)).toMatchObject({ status: "completed", stats: { runs: 1 } });
  expect(await client.runTranslation(one)).toBe(undefined);
  const instructions = { object: "document" as const, data: {}, nodes: [] };
  expect((await client.updateTranslation({ ...one, body: { instructions } })).instructions).toEqual(instructions);
  expect(await client.listTranslations(at).all()).toMatchObject([{ id, status: "pending" }]);
  expect(await client.deleteTranslation(one)).toEqual({ deleted: true });
  expect(await client.deleteTranslation(one)).toEqual({ deleted: "unknown" });
  expect(await gone(client.getTranslation(one))).toBe(true);
  expect(await gone(client.runTranslation(one))).toBe(true);
  expect(await gone(client.updateTranslation({ ...one, body: { instructions } }))).toBe(true);
});

test("an invalid request is not sent", async () => {
  const { client, emulator } = await connected();
  // @ts-expect-error: nobody is named
  await expect(client.getMember(at)).rejects.toHaveWording("a request without a user");
  // @ts-expect-error: a limit is a number
  await expect(async () => client.listMembers({ ...at, query: { limit: "10" } })).rejects.toThrow("limit: ");
  // @ts-expect-error: there is no such role
  await expect(client.updateMember({ ...at, userId: "ada", body: { role: "boss" } })).rejects.toThrow("role: ");
  // @ts-expect-error: the property is "role"
  await expect(client.updateMember({ ...at, userId: "ada", body: { rol: "read" } })).rejects.toThrow("rol: ");
  const team = { ...at, teamId: "writers" };
  // @ts-expect-error: the team is missing
  await expect(client.putTeamMember({ ...at, userId: "ada" })).rejects.toThrow("teamId is missing");
  // @ts-expect-error: a list of people
  await expect(client.updateTeamMembers({ ...team, body: { add: "ada" } })).rejects.toThrow("add: ");
  // @ts-expect-error: a body is needed
  await expect(client.updateTeamMembers(team)).rejects.toThrow("members of team writers");
  // @ts-expect-error: a label is needed
  await expect(client.createSamlProvider({ ...at, body: {} })).rejects.toThrow("label: missing");
  // @ts-expect-error: the source is needed
  await expect(client.createTranslation({ ...at, body: { language: "fr" } })).rejects.toThrow("source: missing");
  // @ts-expect-error: translations take no query
  await expect(client.getTranslation({ ...at, translationId: "one", quer: {} })).rejects.toThrow("quer: ");
  expect(emulator.requests()).toEqual({});
});
