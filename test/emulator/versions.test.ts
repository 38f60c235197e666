import { expect, test } from "vitest";
import { publishedSite } from "../../provider/api/groups/sites";
import type { EmulatorOptions } from "../../provider/emulator";
import { eventsIn, seedWithSites, sites, startEmulated } from "./support";

const seed = seedWithSites({
  id: "site_1",
  published: true,
  sections: [{ title: "Group", sections: [{ title: "Section", spaces: ["guides"] }] }],
});

async function answers(version: NonNullable<EmulatorOptions["version"]>) {
  const { call } = await startEmulated({ seed, version });
  const read = async (path: string) => (await call("GET", `${sites}/site_1${path}`)).body;
  const profile = await read("/published");
  const [group] = profile.structure.structure;
  const nodes = [group, group.children[0], group.children[0].siteSpaces[0]];
  const created = (await call("POST", sites)).body;
  const found = (await call("POST", `${sites}/site_1/search`, { query: "here", mode: "all" })).body.items[0];
  const asked = await call("POST", `${sites}/site_1/ai/response`, { input: [{ role: "user", content: "welcome" }] });
  const finish = eventsIn(asked.text).at(-1);
  return { site: await read(""), profile, nodes, created, found, finish, call };
}

test("the older version, which the API document describes", async () => {
  const { site, profile, nodes, created, found, finish } = await answers("0.146");
  expect(site.agentsContext).toBe("included");
  expect(site).not.toHaveProperty("appliedType");
  expect(site.urls).not.toHaveProperty("preview");
  expect(created.type).toBe("basic");
  for (const node of nodes) expect(node).not.toHaveProperty("draft");
  expect(publishedSite.parse(profile)).toEqual(profile);
  expect(profile.customizations.site).toMatchObject({ pdf: {}, git: {}, pageActions: { markdown: true } });
  expect(found).not.toHaveProperty("type");
  expect(finish).toMatchObject({ responseId: expect.any(String) });
  expect(finish).not.toHaveProperty("response");
});

test("the newer version requires more properties, and has lost some", async () => {
  const { site, profile, nodes, created, found, finish, call } = await answers("0.202");
  expect(site).not.toHaveProperty("agentsContext");
  expect(site).toMatchObject({ appliedType: "basic", defaultLevel: "inherit", urls: { preview: expect.any(String) } });
  expect(site.permissions).toMatchObject({ admin: true, editAdaptiveSchema: true });
  expect(created).toMatchObject({ type: "ultimate", appliedType: "ultimate" });
  for (const node of nodes) expect(node.draft).toBe(false);
  expect(publishedSite.parse(profile)).toEqual(profile);
  const { site: look } = profile.customizations;
  expect(look).toMatchObject({
    pageActions: { items: expect.any(Array) },
    socialAccounts: [],
    styling: { codeTheme: { default: { light: expect.any(String) }, openapi: { light: expect.any(String) } } },
  });
  expect(look).not.toHaveProperty("pdf");
  expect(look).not.toHaveProperty("git");
  expect(found).toMatchObject({ type: "space", score: expect.any(Number) });
  const [page] = found.pages;
  expect(page).toMatchObject({ description: "", score: expect.any(Number), rank: 1, ancestors: [] });
  expect(finish).toMatchObject({ response: { id: finish?.responseId } });
  const refused = await call("PATCH", `${sites}/site_1`, { agentsContext: "included" });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.toHaveWording("a property that the version does not have"),
  ]);
});

test("the newer version finds nothing in an unpublished site", async () => {
  for (const [version, count] of [
    ["0.146", 1],
    ["0.202", 0],
  ] as const) {
    const { call } = await startEmulated({ seed, version });
    await call("POST", `${sites}/site_1/unpublish`);
    const { items } = (await call("POST", `${sites}/site_1/search`, { query: "here", mode: "all" })).body;
    expect(items).toHaveLength(count);
  }
});
