import { expect, it } from "vitest";
import { scriptedService } from "../../support/scripted-service";

/** The client accepts answers that lack properties on which nothing relies, or that have kinds it does not know. */

/** The value without the properties, however deep they are. */
function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, names));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
}

const acme = { organizationId: "acme" };
const request = { spaceId: "guides", changeRequestId: "cr_rollback" };

it("sites without features and urls", async () => {
  const { client } = await scriptedService(({ body }) => without(body, ["features", "urls"]));
  const site = { ...acme, siteId: "site_handbook" };
  expect((await client.getSite(site)).urls).toBeUndefined();
  expect(await client.listSites(acme).all()).toHaveLength(2);
  expect((await client.updateSite({ ...site, body: { title: "Handbook 2" } })).features).toBeUndefined();
});

it("change requests without createdBy and urls", async () => {
  const { client } = await scriptedService(({ body }) => without(body, ["createdBy", "urls"]));
  expect((await client.getChangeRequest(request)).createdBy).toBeUndefined();
  expect(
    (await client.listSpaceChangeRequests({ spaceId: "guides", query: { status: "draft" } })).items[0]?.urls,
  ).toBeUndefined();
});

it("pages without kind, and the content of a space that is synchronized with git", async () => {
  const { client } = await scriptedService(({ body }, { url }) => {
    const git = { oid: "a1", message: "Edit" };
    return without(url.includes("/content?") || url.endsWith("/content") ? { ...(body as object), git } : body, [
      "kind",
    ]);
  });
  const content = await client.getContent(request);
  expect(content.git).toEqual({ oid: "a1", message: "Edit" });
  expect((await client.getContentPage({ ...request, pageId: "welcome" })).title).toBe("Welcome");
  expect((await client.getContentPage({ ...request, pageId: "group-team" })).type).toBe("group");
  expect((await client.getContentPageByPath({ ...request, pagePath: "welcome" })).id).toBe("welcome");
});

it("translations without instructions", async () => {
  const { client } = await scriptedService(({ body }) => without(body, ["instructions"]));
  expect((await client.listTranslations(acme).all())[0]?.instructions).toBeUndefined();
});

it("a tool without inputSchema, and kinds of search results that came later", async () => {
  const later = [{ type: "record", id: "r", title: "R", score: 1, url: "https://x.test/" }, { type: "hologram" }];
  const { client, received } = await scriptedService(({ body }, { url }) =>
    url.includes("/search") ? { items: [...(body as { items: object[] }).items, ...later] } : body,
  );
  const site = { ...acme, siteId: "site_product" };
  const results = await client.searchSite({ ...site, body: { query: "token", mode: "all" } }).all();
  expect(results.slice(-2)).toEqual(later);
  expect(results.flatMap(({ pages = [] }) => pages).length).toBeGreaterThan(0);
  const input = [{ role: "user" as const, content: "Where?" }];
  const asked = client.streamAiResponse({
    ...site,
    body: { input, tools: [{ name: "lookUp", description: "Looks." }] },
  });
  expect((await asked[Symbol.asyncIterator]().next()).value?.type).toBe("response_start");
  expect(received.at(-1)?.url).toContain("/ai/response");
});

it("refuses a list of many malformed items at once, and names the first ones", async () => {
  const { client } = await scriptedService(({ body }, { url }) =>
    url.includes("/members") ? { items: Array.from({ length: 20_000 }, () => ({})) } : body,
  );
  const begun = process.cpuUsage();
  const error = await client.listMembers({ organizationId: "acme" }).then(
    () => expect.unreachable("it succeeded"),
    (failed: unknown) => failed as Error,
  );
  expect(error.message).toMatch(/items\[0\]/);
  expect(error.message.length).toBeLessThan(2_000);
  // Explaining all of them takes more than ten seconds of the processor.
  expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
});

it("published sites with any appearance", async () => {
  const call = { ...acme, siteId: "site_product" };
  const { client } = await scriptedService(({ body }) => without(body, ["internationalization", "primaryColor"]));
  const { site, siteSpaces } = (await client.getPublishedSite(call)).customizations;
  expect(site).toMatchObject({ title: "Product docs", styling: { theme: "clean" } });
  expect(Object.values(siteSpaces)[0]?.footer).toEqual({ groups: [] });
});
