import { expect, it } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused, takeWrites } = bench;

const find = async (title: string) =>
  (await bench.client.listSites({ organizationId: "acme" }).all()).filter((site) => site.title === title);
const theOne = async (title: string) => {
  const [site, ...others] = await find(title);
  if (!site || others.length > 0) throw new Error(`there is not exactly one site "${title}"`);
  return { organizationId: "acme", siteId: site.id };
};

it("is created, finds drift, stops managing a property, refuses and allows a replacement, is created again, and is destroyed", async () => {
  const declared = (more: string) => program(`new docs.Site("life", { title: "Life", published: true, ${more} });`);
  const stack = await stackOf(declared('visibility: "public", basename: "life"'));
  done(await stack.up(), /\+ 2 created/);
  const site = await theOne("Life");
  const [recorded] = await stack.resources();
  expect(recorded?.id).toMatch(/^site_\w{20}$/);
  expect(JSON.stringify(recorded).length).toBeLessThan(2_500);

  await bench.client.updateSite({ ...site, body: { visibility: "unlisted" } });
  const drift = done(await stack.preview("--diff"), /~ visibility\s*: "unlisted" => "public"/, /~ 1 to update/);
  expect(drift.output).not.toMatch(/~ (title|basename|published)/);
  done(await stack.up(), /~ 1 updated/);
  expect((await bench.client.getSite(site)).visibility).toBe("public");

  await stack.write(declared(""));
  await bench.client.updateSite({ ...site, body: { visibility: "unlisted" } });
  takeWrites();
  done(await stack.up(), /~ 1 updated/);
  expect(takeWrites()).toEqual([]);

  await stack.write(declared('type: "ultimate"'));
  refused(await stack.up(), /changing type from "basic" to "ultimate" would replace it/, /allowReplace: true/);
  expect((await theOne("Life")).siteId).toBe(site.siteId);
  await stack.write(declared('type: "ultimate", allowReplace: true'));
  done(await stack.up(), /\+-1 replaced/);
  const replaced = await theOne("Life");
  expect(replaced.siteId).not.toBe(site.siteId);

  await bench.client.deleteSite(replaced);
  done(await stack.up(), /\+ 1 created/);
  done(await stack.destroy(), /- 2 deleted/);
  expect(await find("Life")).toEqual([]);
});

it("is recorded by a creation that fails in the middle, which the next up finishes", async () => {
  bench.emulator.fault({ row: "publishSite", status: 403, body: { error: { code: 403, message: "Not you" } } });
  const stack = await stackOf(program('new docs.Site("half", { title: "Half", basename: "half", published: true });'));
  refused(await stack.up(), /could not publish site site_\w+: the service answered 403 "Not you"/);
  const [site] = await stack.resources();
  expect(site).toMatchObject({ id: (await theOne("Half")).siteId, outputs: { basename: "half", published: false } });
  takeWrites();
  done(await stack.up(), /~ 1 updated/);
  expect(takeWrites()).toEqual([`POST /v1/orgs/acme/sites/${site?.id}/publish`]);
});

it("uses the settings of the stack, keeps secrets out of the state, and explains a rotated token", async () => {
  const stack = await stackOf(program('new docs.Site("settings", { title: pulumi.secret("Hush hush") });'), {});
  await stack.setSettings({ baseUrl: bench.emulator.url, organizationId: "acme", token: bench.emulator.token });
  done(await stack.up(), /\+ 2 created/);
  const file = await stack.stateFile();
  expect(file).toContain("site_");
  for (const secret of ["Hush hush", bench.emulator.token]) expect(file).not.toContain(secret);

  const rotated = await startEmulator({ token: "tok_rotated", port: 0 });
  rotated.state.organizations.set("acme", bench.emulator.state.organizations.get("acme") as never);
  await stack.setSettings({ baseUrl: rotated.url, token: "tok_rotated" });
  stack.environment.DOCS_BASE_URL = rotated.url;
  stack.environment.DOCS_BASE_URL_MOVED_FROM = bench.emulator.url;
  const words = [/answered 401/, /taken from the configuration docs:token/, /--run-program/, /DOCS_TOKEN/];
  refused(await stack.refresh(), ...words);
  done(await stack.refresh("--run-program"));
  await rotated.close();
});
