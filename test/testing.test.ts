import type * as pulumi from "@pulumi/pulumi";
import { afterEach, expect, it } from "vitest";
import * as definitions from "../provider/definitions";
import { startEmulator } from "../provider/emulator";
import { Site } from "../provider/hosts/dynamic/classes";
import { getSite, getSites } from "../provider/program/functions";
import { Provider } from "../provider/program/provider";
import { type MockedOrganization, mockOrganization } from "../provider/testing";
import { outputsOfMock } from "../provider/testing/outputs";

let mocked: MockedOrganization | undefined;
afterEach(async () => {
  await mocked?.close();
  mocked = undefined;
});
const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => void output.apply(resolve));

it.each(Object.values(definitions))("mocked outputs of $name match its schema", (definition) => {
  const { success, error } = definition.outputs.safeParse(outputsOfMock(definition, "some-id", { published: true }));
  expect([success, error?.issues ?? []]).toEqual([true, []]);
});

it("answers lookups with the given answers or from the emulator, and lists resources with their inputs", async () => {
  mocked = await mockOrganization();
  const handbook = await getSite({ siteId: "site_handbook" });
  await mocked.close();
  mocked = await mockOrganization({ answers: { getSite: { ...handbook, title: "Given" } } });
  await expect(getSite({ siteId: "site_handbook" })).resolves.toMatchObject({ title: "Given" });
  await expect(getSites({ title: "Hand" })).resolves.toMatchObject([{ id: "site_handbook" }]);
  const site = new Site("guide", { title: "Guide", published: true });
  expect(await known(site.siteId)).toBe("guide-id");
  expect((await known(site.urls)).published).toBe("https://guide-id.docs.test/");
  expect(await known(site.title)).toBe("Guide");
  expect(mocked.resources).toMatchObject([{ name: "guide", inputs: { title: "Guide", published: true } }]);
  expect(mocked.resources[0]?.inputs).not.toHaveProperty("__provider");
});

it("answers lookups of provider objects from the emulator, too", async () => {
  mocked = await mockOrganization();
  const provider = new Provider("acme", { organizationId: "acme" });
  await expect(getSite({ siteId: "site_handbook" }, { provider })).resolves.toMatchObject({ title: "Handbook" });
  await expect(getSites({ title: "Hand" }, { provider })).resolves.toMatchObject([{ id: "site_handbook" }]);
});

it("leaves a started emulator running, and the environment as it was", async () => {
  const emulator = await startEmulator({ organizationId: "mine" });
  process.env.DOCS_BASE_URL = "https://before.test";
  try {
    mocked = await mockOrganization({ emulator });
    await getSites();
    expect(emulator.requests()).toMatchObject({ listSites: 1 });
    await mocked.close();
    mocked = undefined;
    expect(process.env.DOCS_BASE_URL).toBe("https://before.test");
    expect(process.env.DOCS_TOKEN).toBeUndefined();
    expect((await fetch(`${emulator.url}/_emulator/requests`)).status).toBeLessThan(500);
  } finally {
    delete process.env.DOCS_BASE_URL;
    await emulator.close();
  }
});

it("uses its own emulator, whatever the environment says and whichever test ends first", async () => {
  Object.assign(process.env, { DOCS_BASE_URL: "https://real.test", DOCS_TOKEN: "real", DOCS_TOKEN_ACME: "also real" });
  try {
    const first = await mockOrganization();
    mocked = await mockOrganization();
    await first.close();
    expect((await getSites()).length).toBeGreaterThan(0);
    expect(process.env).toMatchObject({ DOCS_BASE_URL: "https://real.test", DOCS_TOKEN: "real" });
  } finally {
    for (const name of ["DOCS_BASE_URL", "DOCS_TOKEN", "DOCS_TOKEN_ACME"]) delete process.env[name];
  }
});

it("reports an answer for a function that does not exist", async () => {
  await expect(mockOrganization({ answers: { getSit: {} } })).rejects.toThrow(/getSite/);
});

it("waits until everything is registered", async () => {
  mocked = await mockOrganization();
  const first = new Site("first", { title: "First" });
  new Site("second", { title: first.siteId.apply((id) => `after ${id}`) });
  await mocked.settled();
  expect(mocked.resources.map(({ name }) => name)).toEqual(["first", "second"]);
});
