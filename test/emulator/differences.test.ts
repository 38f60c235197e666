import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../provider/api/endpoints";
import { routes } from "../../provider/emulator/server/exchange";
import { contentShown } from "./content-differences";
import { shownOfPeople } from "./people-differences";
import { eventsIn, manySites, seedWithSites, sites, startEmulated } from "./support";

/** Each line of the page has a test here, which shows that the emulator does as the line says. */

const page = readFileSync("docs/reference/emulator-differences.md", "utf8");
/** The names of the differences, with the operations that show them. */
const differences = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name = "", operations = ""]) => [
    name,
    operations === "all" ? [] : operations.split(", ").map((one) => one.replaceAll("`", "")),
  ]),
);

test("every row has a route", () => {
  expect(Object.keys(routes).sort()).toEqual(Object.keys(endpoints).sort());
});

test("every difference names existing operations", () => {
  const operations = [...differences.values()].flat();
  expect(operations.filter((one) => !(one in endpoints))).toEqual([]);
});

const site = `${sites}/site_1`;
const seed = seedWithSites({
  id: "site_1",
  published: true,
  sections: [
    { id: "section_1", title: "One", spaces: [{ id: "first", space: "guides" }] },
    { id: "section_2", title: "Two", spaces: [{ id: "second", space: "reference" }] },
  ],
});
const ask = { input: [{ role: "user", content: "Is there a welcome?" }] };
const newer = { seed, version: "0.202" } as const;
const sort = { item: { type: "site-section", id: "section_1" }, position: {} };

const shown: Record<string, () => Promise<void>> = {
  ...contentShown,
  oneToken: async () => {
    const { call } = await startEmulated({ seed: { organizations: { acme: {}, other: {} } } });
    for (const id of ["acme", "other"]) expect((await call("POST", `/v1/orgs/${id}/sites`)).status).toBe(201);
  },
  unknownParameters: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("GET", `${sites}?unknown=1`)).status).toBe(400);
    expect((await call("PATCH", site, { unknown: 1 })).status).toBe(400);
  },
  bodyLimit: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("PATCH", site, " ".repeat(1024 * 1024 + 1))).status).toBe(413);
  },
  rateLimit: async () => {
    const { call } = await startEmulated({ seed, rate: 0.1 });
    const answers = [await call("GET", site), await call("GET", site)];
    expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
      [200, null],
      [429, "10"],
    ]);
  },
  preferMinimal: async () => {
    const { call } = await startEmulated(newer);
    const { status, body } = await call("PATCH", `${site}/structure/sort`, sort, { prefer: "return=minimal" });
    expect([status, body.id]).toEqual([200, "section_1"]);
  },
  pageSize: async () => {
    const { call } = await startEmulated({ seed: manySites(101) });
    expect((await call("GET", sites)).body.items).toHaveLength(100);
  },
  siteDefaults: async () => {
    const { call } = await startEmulated({ seed });
    const defaults = { title: "Untitled", visibility: "public", published: false, agentsContext: "included" };
    expect((await call("POST", sites, {})).body).toMatchObject(defaults);
  },
  unknownSpaces: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("POST", sites, { spaces: ["nowhere"] })).status).toBe(400);
  },
  takenBasename: async () => {
    const acme = { sites: [{ id: "site_1", basename: "docs" }, { id: "site_2" }] };
    const { call } = await startEmulated({ seed: { organizations: { acme, other: { sites: [{ id: "site_1" }] } } } });
    expect((await call("PATCH", `${sites}/site_2`, { basename: "docs" })).status).toBe(409);
    expect((await call("PATCH", "/v1/orgs/other/sites/site_1", { basename: "docs" })).status).toBe(200);
  },
  defaultSiteSpaceElsewhere: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("PATCH", site, { defaultSiteSpace: "second" })).status).toBe(400);
  },
  features: async () => {
    const { call } = await startEmulated({ seed: seedWithSites({ id: "site_1", type: "ultimate" }) });
    const { features } = (await call("GET", site)).body;
    expect(features).toHaveLength(1);
    expect(features.filter(({ frozen }: { frozen: boolean }) => frozen)).toEqual([]);
  },
  madeUpAddresses: async () => {
    const { call, url, token } = await startEmulated(newer);
    const { app, published, preview, location } = (await call("GET", site)).body.urls;
    for (const address of [app, published, preview]) expect(new URL(address).hostname).toMatch(/\.docs\.example$/);
    expect(location).toBe(url + site);
    expect((await fetch(location, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  },
  customizations: async () => {
    const { call } = await startEmulated({ seed });
    const { customizations, scripts } = (await call("GET", `${site}/published`)).body;
    expect(Object.values(customizations.siteSpaces)).toEqual([customizations.site, customizations.site]);
    expect(scripts).toEqual([]);
  },
  draftsAndLinks: async () => {
    const { call } = await startEmulated(newer);
    expect((await call("PATCH", `${site}/structure/sort`, sort)).body.draft).toBe(false);
    const link = { item: { type: "site-external-link", id: "x" }, position: {} };
    expect((await call("PATCH", `${site}/structure/sort`, link)).status).toBe(400);
  },
  unpublishedProfile: async () => {
    const { call } = await startEmulated({ seed: manySites(1) });
    expect((await call("GET", `${site}/published`)).status).toBe(404);
  },
  checkout: async () => {
    const seed = manySites(1);
    for (const [readings, answer] of [
      [{}, "site"],
      [{ checkoutFor: ["basic"] }, "checkout"],
    ] as const) {
      const { call } = await startEmulated({ seed, readings });
      const { object, type } = (await call("POST", `${site}/publish`)).body;
      expect(object ?? type).toBe(answer);
      expect((await call("GET", site)).body.published).toBe(answer === "site");
    }
  },
  templateConditions: async () => {
    const { call } = await startEmulated();
    const conditions = async (id: string) =>
      (await call("GET", `${sites}/${id}/adaptive-schema/template-conditions`)).body.items;
    expect(await conditions("site_handbook")).toEqual([]);
    expect(await conditions("site_product")).toHaveLength(3);
  },
  searchOrder: async () => {
    const { call } = await startEmulated(newer);
    const find = async (query: string) => (await call("POST", `${site}/search`, { query, mode: "all" })).body.items;
    const [guides, ...others] = await find("start welcome");
    expect([guides.id, guides.pages[0].sections, others]).toEqual(["guides", [], []]);
    expect(await find("started")).toEqual([]);
    expect((await find("r")).map(({ type }: { type: string }) => type)).toEqual(["space", "space"]);
  },
  noModel: async () => {
    const { call } = await startEmulated({ seed });
    const eventsAfter = async (more: object) => {
      const { text } = await call("POST", `${site}/ai/response`, { ...ask, ...more });
      return eventsIn(text).map(({ type, blocks }) => [type, blocks]);
    };
    const location = { spaceId: "guides", pageId: "nowhere" };
    const input = [{ ...ask.input[0], context: { location } }];
    const toolCall = { tool: "lookUp", toolCallId: "1", output: {} };
    const tools = [{ name: "lookUp", description: "Looks up.", inputSchema: { type: "object", properties: {} } }];
    expect(await eventsAfter({ input, model: "reasoning-high", tools, toolCall })).toEqual(await eventsAfter({}));
  },
  newerRequests: async () => {
    const { call } = await startEmulated(newer);
    const scope = { mode: "default", currentSiteSpace: "first", restrictTo: "currentSiteSpace" };
    for (const [method, path, body] of [
      ["PATCH", site, { defaultLevel: "read" }],
      ["POST", `${site}/search`, { query: "start", scope }],
      ["POST", `${site}/ai/response`, { ...ask, channel: { type: "api" } }],
      ["GET", "/v1/spaces/guides/change-requests?orderBy=updatedAt"],
      ["GET", "/v1/spaces/guides/change-requests?status=open&status=draft"],
    ] as const) {
      expect((await call(method, path, body)).status).toBe(400);
    }
    const types = eventsIn((await call("POST", `${site}/ai/response`, ask)).text).map(({ type }) => type);
    const sent = ["response_start", "response_document", "response_followup_suggestion", "response_finish"];
    expect([...new Set(types)]).toEqual(sent);
  },
  ...shownOfPeople,
};

test.each(Object.entries(shown))("%s is as the page says", (_, show) => show());

test("each difference has its test", () => {
  expect(Object.keys(shown).sort()).toEqual([...differences.keys()].sort());
});
