import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient, isNotFound } from "../../provider/api";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../provider/emulator";
import * as docs from "../../provider/program/functions";
import { failureOf } from "../support/failure";
import { isKnown, resolved } from "../support/outputs";
import { settingsOf } from "../support/settings";

let emulator: Emulator;
const environment = { ...process.env };

/** A run of a program of its own, against an emulator of its own. */
async function begin(options: EmulatorOptions = {}): Promise<void> {
  await emulator?.close();
  emulator = await startEmulator(options);
  Object.assign(process.env, settingsOf(emulator));
  await anotherRun();
}

async function anotherRun({ preview = false } = {}): Promise<void> {
  const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({ id: `${name}-id`, state: inputs });
  await pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs }, "project", "stack", preview);
}

const setConfig = (values: Record<string, string>, secret = ["docs:token", "docs:tokens"]) =>
  pulumi.runtime.setAllConfig(values, secret);

beforeEach(() => begin());
afterEach(async () => {
  setConfig({});
  process.env = { ...environment };
  await emulator.close();
});

type Name = keyof typeof docs;
const asking = (name: Name, args: unknown) => (docs[name] as (args: unknown) => Promise<unknown>)(args);

/** A list that has such an item. */
const some = (item: object) => expect.arrayContaining([expect.objectContaining(item)]);

const product = { siteId: "site_product" };
const change = (changeRequestId: string) => ({ spaceId: "guides", changeRequestId });
/** Each lookup, what it answers of the built-in organization, and the requests that it takes, by row. */
const all: [name: Name, args: unknown, answer: unknown, ...requests: string[]][] = [
  ["getSite", { siteId: "site_handbook" }, { title: "Handbook" }, "getSite"],
  ["getSites", undefined, some({ id: "site_product" }), "listSites"],
  ["getSites", { title: "Hand" }, [{ id: "site_handbook" }], "listSites"],
  ["getSites", { published: true }, [{ id: "site_product" }], "listSites"],
  ["getSites", { type: ["ultimate"] }, [{ id: "site_product" }], "listSites"],
  ["getSites", { space: "reference" }, [{ id: "site_product" }], "listSites"],
  ["getPublishedSite", product, { site: { id: "site_product" }, structure: { type: "sections" } }, "getPublishedSite"],
  ["getTemplateConditions", product, some({ condition: expect.any(String) }), "getTemplateConditions"],
  ["getMember", { user: "user_ines" }, { user: { id: "user_ines" } }, "getMember"],
  ["getMember", { user: "Ines@Acme.Test" }, { user: { id: "user_ines" } }, "listMembers"],
  ["getMembers", { role: "guest" }, [{ id: "user_lena" }], "listMembers"],
  ["getMembers", { search: "kofi" }, [{ disabled: true }], "listMembers"],
  [
    "getMemberTeams",
    { user: "user_cem" },
    [{ team: { id: "team_writers" }, member: { role: "owner" } }],
    "listMemberTeams",
  ],
  ["getMemberTeams", { user: "user_femi", title: "engi" }, [{ team: { id: "team_engineers" } }], "listMemberTeams"],
  ["getMemberSpaces", { user: "lena@acme.test" }, [{ permission: "comment" }], "listMembers", "listMemberSpaces"],
  ["getTeamMembers", { teamId: "team_support" }, some({ team: { role: "owner" } }), "listTeamMembers"],
  ["getSamlProviders", undefined, some({ id: "saml_partners", status: "pending" }), "listSamlProviders"],
  ["getChangeRequest", change("cr_rollback"), { number: 1, outdated: true }, "getChangeRequest"],
  ["getChangeRequest", change("1"), { id: "cr_rollback" }, "getChangeRequest"],
  ["getChangeRequestChanges", change("cr_glossary"), [{ page: { id: "glossary", path: "glossary" } }], "listChanges"],
  ["getSignInProviders", undefined, [{ label: "Acme sign-in" }], "listSignInProviders"],
  ["getTranslations", undefined, some({ language: "de" }), "listTranslations"],
];

describe("a lookup", () => {
  it.each(all)("%s %j answers, and caches the answer", async (name, args, answer, ...requests) => {
    const ask = () => asking(name, args);
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first).toMatchObject(answer as object);
    expect(await ask()).toEqual(first);
    expect(second).toEqual(first);
    expect(emulator.requests()).toEqual(Object.fromEntries(requests.map((row) => [row, 1])));
  });

  it("caches for one run of a program and one organization only", async () => {
    await docs.getSite({ siteId: "site_handbook" });
    await failureOf(docs.getSite({ siteId: "site_handbook", organizationId: "other" }));
    await anotherRun();
    await docs.getSite({ siteId: "site_handbook" });
    // After the 404, one more request tells whether the token knows the organization.
    expect(emulator.requests()).toEqual({ getSite: 3, listMembers: 1 });
  });

  it("does not return changes that a caller made to an answer", async () => {
    const sites = await docs.getSites();
    const count = sites.length;
    sites.splice(0);
    expect(await docs.getSites()).toHaveLength(count);
  });

  it("asks again after a failure", async () => {
    emulator.fault({ row: "getSite", status: 403, body: { error: { code: 403, message: "Not now" } } });
    expect((await failureOf(docs.getSite({ siteId: "site_handbook" }))).message).toMatch(/403 "Not now"/);
    expect(await docs.getSite({ siteId: "site_handbook" })).toMatchObject({ id: "site_handbook" });
  });

  it("reads all pages", async () => {
    await begin({ size: { sites: 2500 } });
    expect((await docs.getSites()).length).toBeGreaterThan(2500);
    expect(emulator.requests()).toEqual({ listSites: 3 });
  });
});

describe("getChangeRequestChanges", () => {
  const ids = change("cr_tidy");

  it("asks again with a higher limit for changes beyond the first one", async () => {
    emulator.fault({ row: "listChanges", status: 200, body: { changes: [], more: 3 } });
    expect((await docs.getChangeRequestChanges(ids)).map(({ type }) => type)).toContain("page_deleted");
    expect(emulator.log.map(({ query }) => query)).toEqual([{ limit: "1000" }, { limit: "1003" }]);
  });

  it("fails instead of returning a part of the changes", async () => {
    emulator.fault({ row: "listChanges", times: 2, status: 200, body: { changes: [], more: 3 } });
    expect(await failureOf(docs.getChangeRequestChanges(ids))).toHaveWording("changes that the service keeps back");
  });
});

describe("lookups of members", () => {
  it("reads pages of the list for many members, by id and by e-mail", async () => {
    await begin({ size: { members: 1500 } });
    const people = [...(emulator.state.organizations.get(emulator.organizationId)?.members.values() ?? [])];
    const asked = people.slice(0, 500).map(({ id, email }, index) => (index % 2 && email ? email.toUpperCase() : id));
    const found = await Promise.all(asked.map((user) => docs.getMember({ user })));
    expect(found.map(({ id }) => id)).toEqual(people.slice(0, 500).map(({ id }) => id));
    expect(emulator.requests()).toEqual({ listMembers: 2 });

    // The list is there: no further member costs a request.
    expect(await docs.getMembers()).toHaveLength(people.length);
    await docs.getMember({ user: people.at(-1)?.id ?? "" });
    expect(emulator.requests()).toEqual({ listMembers: 2 });
  });

  it("list the newest members first, even if single members were read before", async () => {
    await docs.getMember({ user: "user_ada" });
    const all = await docs.getMembers();
    const client = createClient({ baseUrl: emulator.url, token: emulator.token });
    expect(all).toEqual((await client.listMembers({ organizationId: "acme" })).items);
    await client.close();
  });

  it.each([
    ["getMember", () => docs.getMember({ user: "Nonmember@acme.test" }), "an e-mail of a non-member"],
    ["getMember by id", () => docs.getMember({ user: "nonmember" }), "an id of a non-member"],
    ["getMemberTeams", () => docs.getMemberTeams({ user: "nonmember" }), "an id of a non-member"],
    ["getMemberSpaces", () => docs.getMemberSpaces({ user: "nonmember@acme.test" }), "an e-mail of a non-member"],
    [
      "getChangeRequests",
      () => docs.getChangeRequests({ creator: "nonmember@acme.test" }),
      "an e-mail of a non-member",
    ],
  ])("explain with %s how a non-member becomes a member", async (_name, ask, title) => {
    expect(await failureOf(ask())).toHaveWording(title);
  });

  it("report an unknown organization instead of a non-member", async () => {
    const error = await failureOf(docs.getMember({ user: "user_ada", organizationId: "other" }));
    expect(error).toHaveWording("a member of an unknown organization");
  });
});

describe("getTeamMembers by title", () => {
  it("finds the teams through members, once for all titles, with one or two requests for each team", async () => {
    const organizationId = "acme";
    await begin({ size: { members: 400, teams: 20 } });
    const writers = await docs.getTeamMembers({ title: "Writers" });
    expect(writers.map(({ organization }) => organization.id).sort()).toEqual(["user_cem", "user_dana", "user_femi"]);
    await docs.getTeamMembers({ title: "Engineers" });
    await docs.getTeamMembers({ teamId: "team_support" });
    const { listMembers, listMemberTeams = 0, listTeamMembers = 0 } = emulator.requests();
    const teams = emulator.state.organizations.get(organizationId)?.teams.size ?? 0;
    expect(listMembers).toBe(1);
    expect(listMemberTeams).toBeLessThanOrEqual(teams);
    // One for each team, and one for each answer.
    expect(listTeamMembers).toBeLessThanOrEqual(teams + 3);
  });

  it("finds every team that has members", async () => {
    await begin({ size: { members: 300, teams: 40 } });
    const titles = [...(emulator.state.organizations.get("acme")?.teams.values() ?? [])]
      .filter(({ members }) => members.size > 0)
      .map(({ title }) => title);
    expect(titles.length).toBeGreaterThan(30);
    for (const title of titles) expect(await docs.getTeamMembers({ title })).not.toEqual([]);
  });

  it("suggests a title, and asks for the id if several teams have the same title", async () => {
    expect(await failureOf(docs.getTeamMembers({ title: "writers" }))).toHaveWording("a misspelt title of a team");
    expect(await failureOf(docs.getTeamMembers({ title: "Chemists" }))).toHaveWording("an unknown title of a team");
    const team = emulator.state.organizations.get("acme")?.teams.get("team_support");
    if (team) team.title = "Writers";
    await anotherRun();
    expect(await failureOf(docs.getTeamMembers({ title: "Writers" }))).toHaveWording("a title of two teams");
  });
});

describe("getChangeRequests", () => {
  const created: Record<string, string> = {};
  beforeEach(async () => {
    const client = createClient({ baseUrl: emulator.url, token: emulator.token });
    for (const spaceId of ["guides", "reference"]) {
      const { id } = await client.createChangeRequest({ spaceId, body: { subject: spaceId } });
      await client.updateChangeRequest({ spaceId, changeRequestId: id, body: { status: "open" } });
      created[spaceId] = id;
    }
    await client.close();
    emulator.resetRequests();
  });
  const idsOf = async (args: docs.GetChangeRequestsArgs) => (await docs.getChangeRequests(args)).map(({ id }) => id);

  it("reads those of a space or of the whole organization", async () => {
    expect(await idsOf({ spaceId: "guides" })).toContain(created.guides);
    expect(await idsOf({ spaceId: "guides" })).not.toContain(created.reference);
    expect(await idsOf({})).toEqual(expect.arrayContaining([created.guides, created.reference]));
    expect(emulator.requests()).toEqual({ listSpaceChangeRequests: 1, listOrganizationChangeRequests: 1 });
  });

  it("has the filters of the API, and accepts an e-mail instead of an id", async () => {
    expect(await idsOf({ status: "archived" })).not.toContain(created.guides);
    expect(await idsOf({ creator: "Ada@acme.test" })).toContain(created.guides);
    expect(await idsOf({ creator: "user_cem", spaceId: "guides" })).not.toContain(created.guides);
    expect(emulator.log.map(({ query }) => query)).toContainEqual(expect.objectContaining({ creator: "user_ada" }));
  });
});

describe("arguments", () => {
  it.each([
    ["getSite", { siteID: "1" }, /^getSite: siteId: missing; .*siteID: there is no such .* did you mean "siteId"\?/],
    ["getSite", undefined, /^getSite: missing; use an object/],
    ["getSites", { spaceId: "guides" }, /^getSites: spaceId: .* did you mean "space"\?/],
    ["getSites", { type: ["basics"] }, /^getSites: type\[0\]: found "basics"; .* did you mean "basic"\?/],
    ["getMembers", { role: "edits" }, /^getMembers: role: found "edits"; .* did you mean "edit"\?/],
    ["getTeamMembers", {}, /^getTeamMembers: .*use either teamId or title/],
    ["getTeamMembers", { teamId: "a", title: "b" }, /use either teamId or title/],
    ["getChangeRequests", { status: "opened" }, /did you mean "open"\?/],
    ["getMember", { user: pulumi.output("user_ada") }, /^getMember: user is an output, .*; use getMemberOutput$/],
  ] as const)("of %s that are wrong are named, and nothing is sent", async (name, args, text) => {
    expect((await failureOf(asking(name, args))).message).toMatch(text);
    expect(emulator.log).toEqual([]);
  });
});

describe("an object that does not exist or is not allowed", () => {
  it("is a sentence without a stack in the engine, with its cause for a program", async () => {
    const error = await failureOf(docs.getSite({ siteId: "site_gone" }));
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(error.message).toMatch(/^could not read site site_gone: the service answered 404 .*Check the ids/);
    expect(isNotFound(error.cause)).toBe(true);
  });

  it("is one error for all lookups with the same text, because the engine shows each error", async () => {
    process.env.DOCS_TOKEN = "tok_wrong";
    const failed = await Promise.all(
      Array.from({ length: 50 }, (_, index) => failureOf(docs.getMember({ user: `user_${index}` }))),
    );
    expect(new Set(failed).size).toBe(1);
    expect(failed[0]?.message).toMatch(/ 401 .* DOCS_TOKEN\.$/);
    expect(failed[0]?.message).not.toContain("tok_wrong");
  });
});

describe("settings", () => {
  beforeEach(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith("DOCS_")) delete process.env[name];
  });

  it("that are missing are named, and nothing is sent", async () => {
    expect(await failureOf(docs.getSites())).toHaveWording("no settings");
    setConfig({ "docs:baseUrl": emulator.url, "docs:organizationId": "acme" });
    expect((await failureOf(docs.getSites())).message).toMatch(/^there is no token/);
    expect(emulator.log).toEqual([]);
  });

  it("of the stack are found", async () => {
    setConfig({ "docs:baseUrl": emulator.url, "docs:organizationId": "acme", "docs:token": emulator.token });
    expect(await docs.getSite({ siteId: "site_handbook" })).toMatchObject({ id: "site_handbook" });
  });

  it("are refused if a token is stored in plain text", async () => {
    setConfig({ "docs:baseUrl": emulator.url, "docs:organizationId": "acme", "docs:token": emulator.token }, []);
    const { message } = await failureOf(docs.getSites());
    expect(message).toMatch(/docs:token is .* plain text/);
    expect(message).not.toContain(emulator.token);
    expect(emulator.log).toEqual([]);
  });

  it("are those of the organization in the arguments", async () => {
    setConfig({ "docs:baseUrl": emulator.url, "docs:tokens": JSON.stringify({ acme: emulator.token, b: "tok_b" }) });
    expect(await docs.getSites({ organizationId: "acme" })).not.toEqual([]);
    const { message } = await failureOf(docs.getSites({ organizationId: "b" }));
    expect(message).toMatch(/ 401.* docs:tokens\.$/);
  });
});

describe("the Output form", () => {
  it("accepts outputs, and answers the same", async () => {
    const site = docs.getSiteOutput({ siteId: pulumi.output("site_handbook") });
    expect(await resolved(site)).toEqual(await docs.getSite({ siteId: "site_handbook" }));
    expect(emulator.requests()).toEqual({ getSite: 1 });
  });

  it("is unknown, and sends nothing, while an argument is unknown", async () => {
    const resource = await unknownAtPreview();
    const member = docs.getMemberOutput({ user: resource.id });
    expect(await isKnown(member)).toBe(false);
    const nested = docs.getSitesOutput({ type: [resource.id as pulumi.Output<never>] });
    expect(await isKnown(nested)).toBe(false);
    expect(emulator.log).toEqual([]);
  });

  it("waits for its dependencies, including resources of a component", async () => {
    const resource = await unknownAtPreview();
    for (const dependsOn of [resource, [resource], Promise.resolve([resource]), new Holder("holder")]) {
      expect(await isKnown(docs.getSitesOutput({}, { dependsOn }))).toBe(false);
    }
    expect(emulator.log).toEqual([]);
    expect(await isKnown(docs.getSitesOutput({}, { dependsOn: [] }))).toBe(true);
  });

  it("reads again after its dependencies at an up", async () => {
    const client = createClient({ baseUrl: emulator.url, token: emulator.token });
    const resource = new Thing("team_support");
    const count = async (members: pulumi.Output<docs.GetTeamMembersResult>) =>
      ((await resolved(members)) as unknown[]).length;
    expect(await count(docs.getTeamMembersOutput({ teamId: "team_support" }))).toBe(3);
    await client.putTeamMember({ organizationId: "acme", teamId: "team_support", userId: "user_ada" });
    expect(await count(docs.getTeamMembersOutput({ teamId: "team_support" }))).toBe(3);
    expect(await count(docs.getTeamMembersOutput({ teamId: "team_support" }, { dependsOn: resource }))).toBe(4);
    const teamId = resource.id.apply((id) => id.replace("-id", ""));
    await client.putTeamMember({ organizationId: "acme", teamId: "team_support", userId: "user_bea" });
    expect(await count(docs.getTeamMembersOutput({ teamId }))).toBe(5);
    await client.close();
  });

  it("caches at a preview, which changes nothing", async () => {
    await anotherRun({ preview: true });
    const dependsOn = new Thing("there");
    const siteId = dependsOn.id.apply(() => "site_handbook");
    for (const options of [{}, { dependsOn }]) await resolved(docs.getSiteOutput({ siteId }, options));
    expect(emulator.requests()).toEqual({ getSite: 1 });
  });

  it("is secret if an argument is, and only then", async () => {
    const secret = docs.getPublishedSiteOutput({ siteId: "site_product", shareKey: pulumi.secret("key") });
    expect(await resolved(secret)).toMatchObject({ site: { id: "site_product" } });
    expect(await pulumi.isSecret(secret)).toBe(true);
    expect(await pulumi.isSecret(docs.getSiteOutput({ siteId: "site_product" }))).toBe(false);
  });
});

/** The engine does not know the id of what a preview would create. */
async function unknownAtPreview(): Promise<pulumi.CustomResource> {
  await pulumi.runtime.setMocks(
    { newResource: ({ inputs }) => ({ id: undefined, state: inputs }), call: ({ inputs }) => inputs },
    "project",
    "stack",
    true,
  );
  return new Thing("later");
}

class Thing extends pulumi.CustomResource {
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super("test:index:Thing", name, {}, options);
  }
}

class Holder extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:index:Holder", name, {});
    new Thing(`${name}-thing`, { parent: this });
    this.registerOutputs({});
  }
}
