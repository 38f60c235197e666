import { expect, test } from "vitest";
import { emulate, seedWith, sites } from "./support";

const profile = `${sites}/site_1/published`;

test("there is no published profile while the site is not published", async () => {
  const { call } = await emulate({ seed: seedWith({ id: "site_1", spaces: ["guides"] }) });
  expect((await call("GET", profile)).status).toBe(404);
  await call("POST", `${sites}/site_1/publish`);
  expect((await call("GET", profile)).status).toBe(200);
});

test("a site without sections shows its site spaces, and how everything looks", async () => {
  const { call } = await emulate({
    seed: seedWith({ id: "site_1", title: "Docs", published: true, spaces: ["guides"] }),
  });
  const { body } = await call("GET", profile);
  expect(body).toMatchObject({ object: "published-content-site", site: { id: "site_1" }, scripts: [] });
  expect(body.structure).toMatchObject({ type: "siteSpaces", structure: [{ title: "Guides", default: true }] });
  const [node] = body.structure.structure;
  expect(node.space).toMatchObject({ object: "space", id: "guides", title: "Guides", organization: "acme" });
  expect(body.customizations.site).toMatchObject({ title: "Docs", styling: { theme: "clean" } });
  expect(Object.keys(body.customizations.siteSpaces)).toEqual([node.id]);
});

test("a share-link site resolves its URLs only with the right key", async () => {
  const site = {
    id: "site_1",
    visibility: "share-link" as const,
    published: true,
    shareKeys: ["k1"],
    spaces: ["guides"],
  };
  const { call } = await emulate({ seed: seedWith(site) });
  const urls = async (query: string) => (await call("GET", profile + query)).body.structure.structure[0].urls;
  expect(await urls("")).toEqual({});
  expect(await urls("?shareKey=wrong")).toEqual({});
  expect(await urls("?shareKey=k1")).toEqual({ published: expect.stringMatching(/\/k1\/$/) });
});
