import { expect, test } from "vitest";
import { emulate, manySites, sites } from "./support";

test("an answer that does not fit its row is a 500 that names row and mistake, and nothing else goes out", async () => {
  const { call, state } = await emulate({ seed: manySites(1) });
  const site = state.organizations.get("acme")?.sites.get("site_1");
  if (site) site.title = "x".repeat(200);
  const { status, body } = await call("GET", `${sites}/site_1`);
  expect(status).toBe(500);
  expect(body.error.code).toBe(500);
  expect(body.error.message).toMatch(/^the emulator has a bug: the answer of getSite does not fit its row: title: /);
});

test("what a test changes in the state is what the service answers", async () => {
  const { call, state } = await emulate({ seed: manySites(2) });
  const found = state.organizations.get("acme")?.sites;
  Object.assign(found?.get("site_1") ?? {}, { title: "Changed by hand" });
  found?.delete("site_2");
  const { items } = (await call("GET", sites)).body;
  expect(items).toMatchObject([{ title: "Changed by hand" }]);
});
