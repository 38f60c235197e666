import { expect, it } from "vitest";
import type { Stack } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done } = bench;

const declared = program(
  'const site = new docs.Site("new", { title: "New", spaces: ["guides", "reference"], defaultSpace: "reference", published: true });',
  'new docs.SiteStructureOrder("new", { siteId: site.siteId, order: [site.siteSpaceIds.reference, site.siteSpaceIds.guides] });',
  'new docs.MemberRole("hugo", { user: "hugo@acme.test", role: "comment" });',
  'new docs.Translation("italian", { source: { space: "guides", language: "en" }, language: "it" });',
  "export const proxyTarget = site.proxyTarget;",
);

const outputsOf = async (stack: Stack, type: string) =>
  (await stack.resources()).find(({ urn }) => urn.includes(`docs:${type}::`))?.outputs ?? {};

it("creates a site with its default space and its order in one up", async () => {
  const stack = await stackOf(declared);
  done(await stack.up());
  const { siteSpaceIds, defaultSpace, features } = await outputsOf(stack, "Site");
  expect({ defaultSpace, features }).toEqual({ defaultSpace: "reference", features: expect.any(Array) });
  const siteId = String((await outputsOf(stack, "Site")).siteId);
  const { structure } = await bench.client.getPublishedSite({ organizationId: "acme", siteId });
  const live = structure.structure.flatMap((one) => (one.object === "site-space" ? one : []));
  expect(live.map(({ space, default: isDefault }) => [space.id, isDefault])).toEqual([
    ["reference", true],
    ["guides", false],
  ]);
  expect(siteSpaceIds).toEqual(Object.fromEntries(live.map(({ id, space }) => [space.id, id])));
  expect(await outputsOf(stack, "MemberRole")).toMatchObject({
    email: "hugo@acme.test",
    displayName: expect.any(String),
  });
  expect(await outputsOf(stack, "Translation")).toMatchObject({ status: expect.any(String) });
});
