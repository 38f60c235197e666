import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { importFile } from "../../../provider/hosts/dynamic/import-file";
import type { ExistingResource } from "../../../provider/hosts/import-list";
import { failureOf } from "../../support/failure";
import { settingsOf } from "../../support/settings";

let emulator: Emulator;
const environment = { ...process.env };
beforeAll(async () => {
  emulator = await startEmulator();
});
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("DOCS_")) delete process.env[name];
  Object.assign(process.env, settingsOf(emulator));
});
afterEach(() => {
  process.env = { ...environment };
});
afterAll(() => emulator.close());

const handbook: ExistingResource = { resource: "Site", name: "handbook", id: "site_handbook" };
const ines = { resource: "MemberRole", name: "ines", id: "user_ines" } as const;
/** The inputs; a component has none. */
const inputsOf = (one: object): unknown => ("inputs" in one ? one.inputs : undefined);
const provider = (resource: string) => expect.stringContaining(`.handler("${resource}")`);

describe("importFile", () => {
  it("writes live inputs and outputs, with the text of the provider", async () => {
    const { resources } = await importFile([handbook]);
    expect(resources).toEqual([
      {
        type: "pulumi-nodejs:dynamic/docs:Site",
        name: "handbook",
        id: "site_handbook",
        inputs: expect.objectContaining({
          title: "Handbook",
          visibility: "unlisted",
          basename: "handbook",
          published: false,
          __provider: provider("Site"),
        }),
        outputs: expect.objectContaining({
          title: "Handbook",
          siteId: "site_handbook",
          organizationId: "acme",
          __origin: emulator.url,
          __provider: provider("Site"),
        }),
      },
    ]);
    expect(resources[0]).not.toHaveProperty("inputs.organizationId");
    expect(resources[0]).not.toHaveProperty("inputs.proxy");
    expect(JSON.stringify(resources)).not.toContain(emulator.token);
    expect(emulator.log.every(({ method }) => method === "GET")).toBe(true);
  });

  it("writes only declared properties, with the live value if it differs", async () => {
    const inputs = { title: "Manual", proxy: null, defaultSiteSpace: "unknown_while_unpublished" };
    const { resources } = await importFile([{ ...handbook, inputs }]);
    expect(resources.map(inputsOf)).toEqual([{ ...inputs, title: "Handbook", __provider: provider("Site") }]);
  });

  it("reads required inputs, and those that the id identifies", async () => {
    const { resources } = await importFile([
      { ...ines, inputs: { onRelease: "leave" } },
      { ...ines, name: "ines-too", inputs: { user: "Ines@Acme.Test" } },
      { resource: "SiteAdaptiveSchema", name: "product", id: "site_product", inputs: { unsignedClaims: {} } },
      { resource: "TeamMembership", name: "cem", id: "team_writers/user_cem" },
      { resource: "TeamMembers", name: "support", id: "team_support" },
    ]);
    expect(resources.map(inputsOf)).toEqual([
      { user: "user_ines", role: "read", onRelease: "leave", __provider: provider("MemberRole") },
      { user: "Ines@Acme.Test", role: "read", __provider: provider("MemberRole") },
      {
        siteId: "site_product",
        unsignedClaims: { language: { type: "string", description: "Language that the visitor chose." } },
        __provider: provider("SiteAdaptiveSchema"),
      },
      { teamId: "team_writers", user: "user_cem", role: "owner", __provider: provider("TeamMembership") },
      {
        teamId: "team_support",
        members: { "hugo@acme.test": "owner", "ines@acme.test": "member", "lena@acme.test": "member" },
        __provider: provider("TeamMembers"),
      },
    ]);
    expect(resources[4]).toMatchObject({ outputs: { found: [] } });
  });

  it("names people of a team by id if their e-mail is no name, or somebody else's as well", async () => {
    const { members } = emulator.state.organizations.get("acme") ?? expect.unreachable();
    const before = new Map(members);
    const emails = { user_hugo: "*@acme.test", user_ines: "Both@acme.test", user_lena: "both@acme.test" };
    for (const [id, email] of Object.entries(emails))
      members.set(id, { ...(members.get(id) ?? expect.unreachable()), email });
    const { resources } = await importFile([{ resource: "TeamMembers", name: "support", id: "team_support" }]);
    expect(resources[0]).toMatchObject({
      inputs: { members: { user_hugo: "owner", user_ines: "member", user_lena: "member" } },
    });
    for (const [id, member] of before) members.set(id, member);
  });

  it("keeps the order, and puts resources below their component, with any names", async () => {
    const component = "docs:index:Organization";
    const { resources } = await importFile([
      { ...handbook, name: "acme", parent: "acme" },
      { component, name: "acme", parent: "group" },
      { ...handbook, parent: "group" },
      { component, name: "group" },
      handbook,
    ]);
    expect(resources.map(({ type, name, parent }) => [type, name, parent])).toEqual([
      ["pulumi-nodejs:dynamic/docs:Site", "acme", "component acme"],
      [component, "component acme", "group"],
      ["pulumi-nodejs:dynamic/docs:Site", "handbook", "group"],
      [component, "group", undefined],
      ["pulumi-nodejs:dynamic/docs:Site", "handbook", undefined],
    ]);
    expect(resources[1]).toEqual({
      type: component,
      name: "component acme",
      logicalName: "acme",
      component: true,
      parent: "group",
    });
  });

  it("uses the organization of the options, of the inputs, or of the settings", async () => {
    const { organizationId } = emulator;
    delete process.env.DOCS_ORGANIZATION_ID;
    const [one] = (await importFile([handbook], { organizationId })).resources;
    expect(one).toMatchObject({ outputs: { organizationId } });
    const [declared] = (await importFile([{ ...handbook, inputs: { title: "Handbook", organizationId } }])).resources;
    expect(declared).toMatchObject({ inputs: { organizationId }, outputs: { __organizationDeclared: true } });
    await expect(importFile([handbook])).rejects.toThrow(/DOCS_ORGANIZATION_ID/);
  });

  const teamMembership = { resource: "TeamMembership", name: "m" };
  const schema = { resource: "SiteAdaptiveSchema", name: "s", id: "site_product" };
  it.each<[object, RegExp | string]>([
    [{ ...handbook, resource: "Sit" }, "an import of an unknown resource"],
    [{ ...handbook, id: "site_0" }, "an import of an object that does not exist"],
    [{ ...ines, id: "user_0" }, /^MemberRole "ines": "user_0" does not exist/],
    [{ ...handbook, inputs: { titel: "a" } }, /^Site "handbook": titel: .*did you mean "title"/],
    [{ resource: "TeamMembers", name: "t", id: "team_support", inputs: { members: 1 } }, /^TeamMembers "t": members: /],
    [{ ...teamMembership, id: "team_writers" }, "an import of half an id"],
    [{ ...teamMembership, id: "team_writers/user_ada" }, /team_writers\/user_ada" does not exist/],
    [{ ...teamMembership, id: "team_writers/nobody@acme.test" }, /team_writers\/nobody@acme.test" does not exist/],
    [{ ...ines, inputs: { user: "ada@acme.test" } }, "an import of two objects"],
    [{ ...schema, inputs: { siteId: "site_handbook", claims: {} } }, /"site_product", but siteId is "site_handbook"/],
    [{ resource: "MemberRoles", name: "all", id: "acme/roles" }, "an import of nobody"],
  ])("refuses %j", async (existing, words) => {
    const { message } = await failureOf(importFile([existing as ExistingResource]));
    if (typeof words === "string") expect(message).toHaveWording(words);
    else expect(message).toMatch(words);
  });

  it("names every mistake at once, up to twenty", async () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ ...handbook, name: `s${index}`, id: `site_${index}` }));
    const { message } = await failureOf(importFile(many));
    expect(message.split("\n")).toHaveLength(21);
    expect(message).toMatch(/"s0": "site_0" does not exist[\s\S]*and 3 more$/);
  });

  it("reports a wrong organization instead of missing objects, and refuses an organization that the settings do not name", async () => {
    process.env.DOCS_ORGANIZATION_ID = "org_other";
    await expect(importFile([handbook])).rejects.toHaveWording("an import from a wrong organization");
    await expect(importFile([handbook], { organizationId: "acme" })).rejects.toHaveWording("another organization");
  });

  it("says where a refused token came from", async () => {
    process.env.DOCS_TOKEN = "stale";
    await expect(importFile([handbook])).rejects.toThrow(/401.*DOCS_TOKEN/);
  });
});
