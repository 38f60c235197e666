import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { isRefused } from "../../provider/api/http/errors";
import { type Emulator, startEmulator } from "../../provider/emulator";

const organizationId = "acme";
const product = { organizationId, siteId: "site_product" };
let emulator: Emulator;
let client: Client;

beforeAll(async () => {
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
});
afterAll(async () => {
  await client.close();
  await emulator.close();
});

it("createSite, getSite, updateSite and deleteSite", async () => {
  const made = await client.createSite({ organizationId, body: { title: "Made", spaces: ["guides"] } });
  const site = { organizationId, siteId: made.id };
  expect(await client.getSite(site)).toEqual(made);
  expect(await client.updateSite({ ...site, body: { title: "Changed", proxy: null } })).toMatchObject({
    title: "Changed",
  });
  expect(await client.deleteSite(site)).toEqual({ deleted: true });
  expect(await client.deleteSite(site)).toEqual({ deleted: "unknown" });
});

it("listSites, with every filter and at every edge of a page", async () => {
  const made = [];
  for (const title of ["Page 1", "Page 2", "Page 3"])
    made.push(await client.createSite({ organizationId, body: { title } }));
  const titles = async (query: { limit?: number; title?: string }) => {
    return (await client.listSites({ organizationId, query }).all()).map((site) => site.title).sort();
  };
  for (const limit of [1, 2, 3, 4])
    expect(await titles({ limit, title: "page" })).toEqual(["Page 1", "Page 2", "Page 3"]);
  expect((await client.listSites({ organizationId, query: { limit: 0 } })).items).toEqual([]);
  expect((await client.listSites({ organizationId, query: { title: "no such title" } })).next).toBeUndefined();
  const ids = async (query: object) => (await client.listSites({ organizationId, query })).items.map(({ id }) => id);
  expect(await ids({ published: true })).toContain("site_product");
  expect(await ids({ published: false })).not.toContain("site_product");
  expect(await ids({ type: ["ultimate", "sponsored"] })).toEqual(["site_product"]);
  expect(await ids({ space: "guides" })).toContain("site_handbook");
  for (const { id } of made) await client.deleteSite({ organizationId, siteId: id });
});

it("publishSite, getPublishedSite and unpublishSite", async () => {
  const site = { organizationId, siteId: "site_handbook" };
  expect(await client.publishSite(site)).toMatchObject({ published: true });
  const profile = await client.getPublishedSite({ ...site, query: { shareKey: "none" } });
  expect(profile).toMatchObject({ site: { id: "site_handbook" }, structure: { type: "siteSpaces" } });
  expect(await client.unpublishSite(site)).toMatchObject({ published: false });
});

it("getSiteAdaptiveSchema, putSiteAdaptiveSchema and getTemplateConditions", async () => {
  const { jsonSchema } = await client.getSiteAdaptiveSchema(product);
  expect((await client.putSiteAdaptiveSchema({ ...product, body: { jsonSchema } })).jsonSchema).toEqual(jsonSchema);
  expect((await client.getTemplateConditions(product)).items).toContainEqual({
    description: "Takes part in the beta.",
    condition: "visitor.claims.beta != null",
  });
});

it("sortSiteStructure", async () => {
  const item = { type: "site-section", id: "section_guides" } as const;
  expect(await client.sortSiteStructure({ ...product, body: { item, position: {} } })).toMatchObject({
    id: "section_guides",
  });
});

it("searchSite, page by page", async () => {
  const search = client.searchSite({ ...product, query: { limit: 1 }, body: { query: "token", mode: "all" } });
  expect((await search.all()).flatMap(({ pages = [] }) => pages.map(({ title }) => title))).toContain("Authentication");
});

it("streamAiResponse", async () => {
  const types: string[] = [];
  const tools = [
    {
      name: "t",
      description: "T",
      inputSchema: { type: "object" as const, properties: { a: { type: "string" as const } } },
    },
  ];
  const answered = { role: "assistant" as const, content: "Which?" };
  const body = { input: [{ role: "user" as const, content: "tokens" }, answered], tools };
  for await (const event of client.streamAiResponse({ ...product, body })) types.push(event.type);
  expect([types[0], types.at(-1)]).toEqual(["response_start", "response_finish"]);
  expect(types).toContain("response_document");
});

it("a valid request that the service refuses is a 400", async () => {
  const error = await client
    .createSite({ organizationId, body: { spaces: ["nothing"] } })
    .catch((reason: unknown) => reason);
  expect(isRefused(error)).toBe(true);
});

it("names the place of a parameter that was passed beside query and body", async () => {
  // A program in JavaScript, or with a call that is made elsewhere.
  const call = { organizationId, limit: 5, title: "Made" };
  const beside = (place: string) => `there is no such parameter; ${place}`;
  const inQuery = `limit: ${beside("did you mean query.limit?")}; title: ${beside("did you mean query.title?")}`;
  const inBody = `limit: ${beside("use one of the path, query or body")}; title: ${beside("did you mean body.title?")}`;
  await expect(async () => client.listSites(call)).rejects.toThrow(inQuery);
  await expect(async () => client.createSite(call)).rejects.toThrow(inBody);
});
